// bake(): the tiles of a BakeJob over the executor of a RunContext.
#include <atomic>
#include <mutex>

#include "strew/world/bake_job.hpp"

namespace strew {
namespace {

class Baking {
 public:
  Baking(BakeJob& job, const RunContext& context, BakeProgressFn progress, void* progress_user)
      : job_(job), context_(context), progress_(progress), progress_user_(progress_user) {}

  [[nodiscard]] Status run(const std::string& folder) {
    const std::span<const std::uint32_t> tiles = job_.pending();
    first_failed_.store(tiles.size());
    const Executor& executor = context_.executor != nullptr ? *context_.executor : serial_executor();
    executor.run(executor.self, tiles.size(), this, run_tile);
    if (first_failed_.load() < tiles.size()) {
      return failure_;
    }
    if (done_ < tiles.size()) {
      return make_error(StatusCode::kCancelled,
                        "the bake was stopped after " + std::to_string(done_) + " of " +
                            std::to_string(tiles.size()) + " tiles; the same command goes on from here",
                        folder);
    }
    return {};
  }

 private:
  // Always 0: the executor must not skip an earlier tile because a later one failed first.
  static int run_tile(void* self, std::uint64_t index, std::uint32_t worker) {
    auto& baking = *static_cast<Baking*>(self);
    if (baking.cancelled_.load(std::memory_order_relaxed) || baking.context_.cancelled() ||
        index > baking.first_failed_.load(std::memory_order_relaxed)) {
      return 0;
    }
    Result<std::vector<std::byte>> record = baking.job_.make(baking.job_.pending()[index], worker);
    if (!record.ok()) {
      baking.fail(index, record.status());
    } else if (Result<std::uint64_t> count = baking.job_.commit(record.value()); !count.ok()) {
      baking.fail(index, count.status());
    } else {
      baking.finish_tile(count.value());
    }
    return 0;
  }

  void fail(std::uint64_t index, const Status& status) {
    const std::scoped_lock lock(mutex_);
    if (index < first_failed_.load()) {
      first_failed_.store(index);
      failure_ = status;
    }
  }

  void finish_tile(std::uint64_t instances) {
    const std::scoped_lock lock(mutex_);
    instances_ += instances;
    const std::uint64_t total = job_.pending().size();
    const BakeProgress now{++done_, total, instances_};
    const double fraction = static_cast<double>(done_) / static_cast<double>(total);
    if (!cancelled_.load() &&
        ((progress_ != nullptr && !progress_(progress_user_, now)) ||
         (context_.progress != nullptr && !context_.progress(context_.progress_user, fraction)))) {
      cancelled_.store(true);
    }
  }

  BakeJob& job_;
  const RunContext& context_;
  BakeProgressFn progress_;
  void* progress_user_;
  std::atomic<bool> cancelled_{false};
  std::atomic<std::uint64_t> first_failed_{0};  // index of the first tile that failed, or the number of tiles
  std::mutex mutex_;                            // guards what follows, and the writes of the two before
  Status failure_;
  std::uint64_t done_ = 0;
  std::uint64_t instances_ = 0;
};

}  // namespace

Result<BakeSummary> bake(const Scatter& scatter, const TerrainSource& terrain, const std::string& folder,
                         const BakeOptions& options, const RunContext& context, BakeProgressFn progress,
                         void* progress_user) {
  STREW_ASSIGN(BakeJob job, BakeJob::own(scatter, terrain, folder, options, context));
  STREW_RETURN_IF_ERROR(Baking(job, context, progress, progress_user).run(folder));
  return job.finish();
}

}  // namespace strew

#include "world_json.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace strew::world_file {
namespace {

/// Builds the document from parser events. nlohmann's own builder keeps the last of two equal keys without a
/// word.
class DocumentBuilder {
 public:
  explicit DocumentBuilder(std::string_view text) : text_(text) {}

  bool null() { return add(Json(nullptr)); }
  bool boolean(bool value) { return add(Json(value)); }
  bool number_integer(std::int64_t value) { return add(Json(value)); }
  bool number_unsigned(std::uint64_t value) { return add(Json(value)); }
  bool number_float(double value, const std::string&) { return add(Json(value)); }
  bool string(std::string& value) { return add(Json(std::move(value))); }
  bool binary(Json::binary_t&) { return false; }  // not a JSON text event
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (stack_.back()->contains(name)) {
      status_ = invalid_argument("is given twice in the same object; keep one", key_path(path(), name));
      return false;
    }
    keys_.back() = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    // what() reads "[json.exception.parse_error.101] parse error at line 2, column 1: syntax error while
    // ..."; a number beyond double has another form without a place, so the place is worked out here for
    // both.
    std::string_view reason = error.what();
    if (const auto bracket = reason.find("] "); bracket != std::string_view::npos) {
      reason.remove_prefix(bracket + 2);
    }
    if (reason.starts_with("parse error")) {
      if (const auto colon = reason.find(": "); colon != std::string_view::npos) {
        reason.remove_prefix(colon + 2);
      }
    }
    status_ = invalid_argument(std::string(reason) + "; correct the JSON there", place(position));
    return false;
  }

  [[nodiscard]] Result<Json> take() {
    if (!status_.ok()) {
      return status_;
    }
    return std::move(root_);
  }

 private:
  /// `position` is the number of bytes read, the offending one included.
  [[nodiscard]] std::string place(std::size_t position) const {
    const std::string_view read = text_.substr(0, std::min(position > 0 ? position - 1 : 0, text_.size()));
    const auto line = 1 + std::count(read.begin(), read.end(), '\n');
    const auto newline = read.rfind('\n');
    const std::size_t column = newline == std::string_view::npos ? read.size() + 1 : read.size() - newline;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
  }

  [[nodiscard]] std::string path() const {
    std::string result;
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
      result = stack_[i]->is_array() ? index_path(result, stack_[i]->size() - 1) : key_path(result, keys_[i]);
    }
    return result;
  }

  Json* place_value(Json&& value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[keys_.back()] = std::move(value));
  }

  bool add(Json&& value) {
    place_value(std::move(value));
    return true;
  }

  bool open(Json&& container) {
    if (stack_.size() >= kMaximumDepth) {
      status_ =
          invalid_argument("is nested deeper than " + std::to_string(kMaximumDepth) + " levels", path());
      return false;
    }
    stack_.push_back(place_value(std::move(container)));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  Json root_;
  // A parent gains no further child while one of its children is open, so these pointers stay good.
  std::vector<Json*> stack_;
  std::vector<std::string> keys_;  ///< the key being filled at each level
  Status status_;
};

}  // namespace

std::string key_path(const std::string& base, std::string_view key) {
  return base.empty() ? std::string(key) : base + "." + std::string(key);
}

std::string index_path(const std::string& base, std::size_t index) {
  return base + "[" + std::to_string(index) + "]";
}

Result<Json> parse_document(std::string_view text) {
  DocumentBuilder builder(text);
  constexpr bool kNothingAfter = true;
  constexpr bool kComments = true;
  const bool parsed = Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json,
                                      kNothingAfter, kComments);
  Result<Json> result = builder.take();
  if (!parsed && result.ok()) {
    return make_error(StatusCode::kInternal, "the JSON parser stopped without saying why");
  }
  return result;
}

}  // namespace strew::world_file

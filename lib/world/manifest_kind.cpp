// Whether a file is a manifest at all.
#include <exception>
#include <istream>
#include <nlohmann/json.hpp>

#include "manifest.hpp"

namespace strew {
namespace {

using Json = nlohmann::json;

/// Looks for the format among the members of the document, and keeps nothing of the rest: the tiles of a
/// large bake would take a hundred times the memory of one.
class FormatFinder final : public nlohmann::json_sax<Json> {
 public:
  [[nodiscard]] bool found() const noexcept { return found_; }

  bool null() override { return value(); }
  bool boolean(bool /*value*/) override { return value(); }
  bool number_integer(number_integer_t /*value*/) override { return value(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return value(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return value(); }
  bool binary(binary_t& /*value*/) override { return value(); }
  bool string(string_t& text) override {
    found_ = found_ || (at_format_ && text == kManifestFormat);
    return value();
  }
  bool start_object(std::size_t /*elements*/) override { return enter(true); }
  bool start_array(std::size_t /*elements*/) override { return enter(false); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    at_format_ = depth_ == 1 && is_object_ && name == "format";
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  bool value() noexcept {
    at_format_ = false;
    return true;
  }
  bool enter(bool object) noexcept {
    is_object_ = depth_ == 0 ? object : is_object_;
    ++depth_;
    return value();
  }
  bool leave() noexcept {
    --depth_;
    return true;
  }

  std::size_t depth_ = 0;
  bool is_object_ = false;  ///< the document is
  bool at_format_ = false;
  bool found_ = false;
};

}  // namespace

bool is_manifest(std::istream& text) noexcept {
  try {
    FormatFinder finder;
    return Json::sax_parse(text, &finder) && finder.found();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace strew

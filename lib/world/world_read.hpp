// Typed reading of a JSON document with the path of every value, so that each error says where it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "strew/world/world.hpp"
#include "world_fields.hpp"
#include "world_json.hpp"

namespace strew::world_file {

/// What surrounds a document. References: it lives as long as one call of parse_world.
struct Scope {
  const Definitions& definitions;
  const std::string& folder;
};

/// The value in words for "found ...": `the text "abc"`, `null`, `12.5`, `an array`.
[[nodiscard]] std::string describe(const Json& value);
/// Text quoted for a message, shortened when long.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// `; did you mean "x"?` with the nearest candidate, or `fallback` when none is near.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                                     std::string fallback);

/// Replaces every ${NAME}.
[[nodiscard]] Result<std::string> expand(const std::string& text, const Scope& scope,
                                         const std::string& path);
/// A value with its variables replaced: text that holds a ${NAME} and reads as a finite number afterwards
/// becomes that number, so that a variable can stand where a number is expected. Other values are returned as
/// they are.
[[nodiscard]] Result<Json> expand_value(const Json& value, const Scope& scope, const std::string& path);

/// Number within the bounds of `field`.
[[nodiscard]] Result<double> number_at(const Json& value, const Scope& scope, const std::string& path,
                                       const Field& field);
[[nodiscard]] Result<std::string> text_at(const Json& value, const Scope& scope, const std::string& path);

/// One object of the document. Getters leave their output untouched when the key is absent, so defaults stay
/// in force. Precondition of each: `key` is a field of the object, of the matching kind.
class ObjectReader {
 public:
  /// Refuses what is not an object, unknown keys and missing required ones.
  [[nodiscard]] static Result<ObjectReader> open(const Json& value, std::string path, const ObjectInfo& info,
                                                 const Scope& scope);

  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] std::string path(std::string_view key) const { return key_path(path_, key); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const Scope& scope() const noexcept { return *scope_; }
  [[nodiscard]] const Field& field(std::string_view key) const;

  [[nodiscard]] Status number(std::string_view key, double& out) const;
  [[nodiscard]] Status integer(std::string_view key, std::int32_t& out) const;
  [[nodiscard]] Status seed(std::string_view key, std::uint64_t& out) const;
  [[nodiscard]] Status flag(std::string_view key, bool& out) const;
  [[nodiscard]] Status text(std::string_view key, std::string& out) const;
  [[nodiscard]] Status pair(std::string_view key, double& first, double& second) const;
  /// An open end becomes the field's bound (infinite when it has none).
  [[nodiscard]] Status open_range(std::string_view key, std::optional<Range>& out) const;
  /// kRange and kNumberOrRange.
  [[nodiscard]] Status range(std::string_view key, Range& out) const;
  [[nodiscard]] Status integer_range(std::string_view key, std::int32_t& minimum,
                                     std::int32_t& maximum) const;

  /// Precondition: has(key).
  [[nodiscard]] Result<ObjectReader> child(std::string_view key) const;
  /// Calls read(reader) -> Status for each object of a kObjects field. An empty list is refused where one is
  /// required.
  template <class Read>
  [[nodiscard]] Status each(std::string_view key, Read read) const {
    const Json* list = find(key);
    if (list == nullptr) {
      return {};
    }
    STREW_RETURN_IF_ERROR(check_list(key, *list));
    for (std::size_t i = 0; i < list->size(); ++i) {
      STREW_ASSIGN(const ObjectReader item,
                   open((*list)[i], index_path(path(key), i), *field(key).object, *scope_));
      STREW_RETURN_IF_ERROR(read(item));
    }
    return {};
  }

 private:
  ObjectReader(const Json& value, std::string path, const ObjectInfo& info, const Scope& scope)
      : value_(&value), path_(std::move(path)), info_(&info), scope_(&scope) {}
  [[nodiscard]] Status check_list(std::string_view key, const Json& list) const;
  [[nodiscard]] Status two_ends(std::string_view key, bool single, const Json*& first,
                                const Json*& second) const;

  const Json* value_;
  std::string path_;
  const ObjectInfo* info_;
  const Scope* scope_;
};

}  // namespace strew::world_file

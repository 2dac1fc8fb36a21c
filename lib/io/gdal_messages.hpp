// GDAL kept quiet: its messages are caught per thread and end up in a Status instead of on the terminal.
#pragma once

#include <string>

#include "strew/status.hpp"

namespace strew {

/// Catches what GDAL says on this thread while it lives; also registers GDAL's drivers and bounds its cache.
class GdalMessages {
 public:
  GdalMessages();
  ~GdalMessages();
  GdalMessages(const GdalMessages&) = delete;
  GdalMessages& operator=(const GdalMessages&) = delete;

  /// The last failure in GDAL's words, as " (GDAL: ...)", or empty.
  [[nodiscard]] std::string words() const;
  void keep(const char* message) noexcept;

 private:
  std::string last_;
};

}  // namespace strew

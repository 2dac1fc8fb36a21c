// Real inputs that live beside a checkout; a test that needs them says so and skips when they are absent.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace strew_test {

inline std::string shared_data(const std::string& name) {
  const char* folder = std::getenv("STREW_SHARED_DATA");
  if (folder == nullptr) {
    return {};
  }
  const auto path = std::filesystem::path(folder) / name;
  return std::filesystem::exists(path) ? path.string() : std::string();
}

}  // namespace strew_test

/// Declares `variable` as the path of a shared input, or skips the test with a message.
#define STREW_REQUIRE_SHARED(variable, name)                                             \
  const std::string variable = strew_test::shared_data(name);                            \
  if (variable.empty()) {                                                                \
    GTEST_SKIP() << "needs " << (name) << " in the folder that STREW_SHARED_DATA names"; \
  }                                                                                      \
  static_assert(true)

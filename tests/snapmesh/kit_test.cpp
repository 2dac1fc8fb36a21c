#include <gtest/gtest.h>

#include "shared_data.hpp"
#include "strew/io/kit.hpp"

namespace strew::snap {
namespace {
TEST(KitFile, Placeholder) {}
}  // namespace
}  // namespace strew::snap

#include "strew/status.hpp"

#include <gtest/gtest.h>

namespace strew {
namespace {

TEST(Status, TextJoinsWhereAndMessage) {
  EXPECT_TRUE(Status{}.ok());
  EXPECT_EQ(invalid_argument("is -1; give 1 or more", "radius").text(), "radius: is -1; give 1 or more");
  EXPECT_EQ(make_error(StatusCode::kIo, "disk full").text(), "disk full");
  EXPECT_EQ(to_string(StatusCode::kCorrupt), "corrupt");
}

Result<int> half(int value) {
  if (value % 2 != 0) {
    return invalid_argument("is odd");
  }
  return value / 2;
}
Status quarter(int value, int& out) {
  STREW_ASSIGN(const int once, half(value));
  STREW_ASSIGN(out, half(once));
  return {};
}

TEST(Result, AssignPropagatesErrors) {
  int out = 0;
  EXPECT_TRUE(quarter(12, out).ok());
  EXPECT_EQ(out, 3);
  EXPECT_EQ(quarter(6, out).message, "is odd");
}

}  // namespace
}  // namespace strew

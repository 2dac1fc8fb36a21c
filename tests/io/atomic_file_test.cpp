#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>

#include "strew/io/files.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

using strew_test::read_file;
using strew_test::TemporaryFolder;
using strew_test::write_file;

Status write(const std::string& path, const std::string& text) {
  return write_file_atomically(path, std::as_bytes(std::span(text)));
}

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.bin");
  ASSERT_TRUE(write(path, "first").ok());
  EXPECT_EQ(read_file(path), "first");
  ASSERT_TRUE(write(path, std::string(3'000'000, 'x')).ok());
  EXPECT_EQ(read_file(path).size(), 3'000'000U);
  ASSERT_TRUE(write(path, "").ok());
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, FailureLeavesNothingAndNamesThePath) {
  const TemporaryFolder folder;
  write_file(folder.file("plain"), "x");
  for (const std::string& path : {folder.file("none/a.bin"), folder.file("plain/a.bin")}) {
    const Status status = write(path, "text");
    EXPECT_EQ(status.code, StatusCode::kIo);
    EXPECT_EQ(status.where, path);
    EXPECT_NE(status.message.find("the folder must exist"), std::string::npos) << status.message;
  }
  EXPECT_EQ(write("", "text").code, StatusCode::kInvalidArgument);
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, AFailedRenameRemovesTheTemporaryFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("taken/inside"));
  const Status status = write(folder.file("taken"), "text");
  EXPECT_EQ(status.code, StatusCode::kIo);
  EXPECT_EQ(folder.entries(), 1U);
}

/// Writing stops in the middle, as on a full disk: the limit on file sizes does it without a disk to fill.
TEST(AtomicFile, AWriteThatStopsHalfWayKeepsTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.bin");
  ASSERT_TRUE(write(path, "old").ok());
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 100'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = write(path, std::string(1'000'000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(status.code, StatusCode::kIo);
  EXPECT_NE(status.message.find("cannot be written: File too large"), std::string::npos) << status.message;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, AFullDiskSaysWhatToDo) {
  const TemporaryFolder folder;
  if (mount("strew_test", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0) {
    GTEST_SKIP() << "needs the right to mount a small tmpfs";
  }
  const std::string path = folder.file("a.bin");
  EXPECT_TRUE(write(path, "old").ok());
  const Status status = write(path, std::string(1'000'000, 'x'));
  EXPECT_EQ(status.code, StatusCode::kIo);
  EXPECT_NE(status.message.find("No space left on device; make space"), std::string::npos) << status.message;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(folder.entries(), 1U);
  EXPECT_TRUE(write(path, std::string(100'000, 'x')).ok());
  EXPECT_EQ(umount(folder.path().c_str()), 0);
}

TEST(AtomicFile, ALinkStaysAndItsEndIsWritten) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  fs::create_directory(folder.file("far"));
  fs::create_symlink("far/near", folder.file("link"));
  fs::create_symlink("end", folder.file("far/near"));
  for (const char* text : {"first", "second"}) {  // the end is absent, then there
    ASSERT_TRUE(write(folder.file("link"), text).ok());
    EXPECT_TRUE(fs::is_symlink(folder.file("link")));
    EXPECT_TRUE(fs::is_symlink(folder.file("far/near")));
    EXPECT_EQ(read_file(folder.file("far/end")), text);
  }
  EXPECT_EQ(follow_links(folder.file("link")).value(), folder.file("far/end"));
  EXPECT_EQ(follow_links(folder.file("far")).value(), folder.file("far"));
  fs::create_symlink("circle", folder.file("circle"));
  const Status status = write(folder.file("circle"), "text");
  EXPECT_EQ(status.code, StatusCode::kInvalidArgument);
  EXPECT_EQ(status.where, folder.file("circle"));
}

TEST(AtomicFile, LeftOverTemporaryFilesAreNotTouched) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.bin");
  const std::string left_over = path + ".tmp" + std::to_string(getpid()) + ".0";
  write_file(left_over, "somebody's");
  ASSERT_TRUE(write(path, "text").ok());
  EXPECT_EQ(read_file(path), "text");
  EXPECT_EQ(read_file(left_over), "somebody's");
}

}  // namespace
}  // namespace strew

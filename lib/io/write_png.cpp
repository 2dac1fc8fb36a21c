#include <png.h>

#include <cstring>
#include <exception>
#include <new>

#include "strew/io/files.hpp"

namespace strew {
namespace {

Status check(const Image& image, const std::string& path) {
  // 3 bytes per pixel of the largest picture stay below 2^31, which libpng's simple interface asks for.
  constexpr std::int64_t kLargestPixels = 700'000'000;
  const std::int64_t pixels = std::int64_t{image.width} * image.height;
  if (image.width <= 0 || image.height <= 0 || pixels > kLargestPixels) {
    return invalid_argument(
        "a picture of " + std::to_string(image.width) + " by " + std::to_string(image.height) +
            " pixels cannot be written; both sides must be positive, with at most 700 million "
            "pixels in all",
        path);
  }
  if (image.rgb.size() != static_cast<std::size_t>(pixels) * 3) {
    return invalid_argument("the picture holds " + std::to_string(image.rgb.size()) + " bytes; " +
                                std::to_string(pixels * 3) + " are needed, 3 per pixel",
                            path);
  }
  return {};
}

Status write(const std::string& path, const Image& image) {
  STREW_RETURN_IF_ERROR(check(image, path));
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  std::vector<std::byte> bytes(PNG_IMAGE_PNG_SIZE_MAX(png));
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0) {
    return make_error(StatusCode::kInternal, std::string("the picture could not be encoded: ") + png.message,
                      path);
  }
  return write_file_atomically(path, std::span<const std::byte>(bytes).first(size));
}

}  // namespace

Status write_png(const std::string& path, const Image& image) {
  try {
    return write(path, image);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "not enough memory for the picture; ask for fewer pixels",
                      path);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, std::string("writing failed: ") + exception.what(), path);
  }
}

}  // namespace strew

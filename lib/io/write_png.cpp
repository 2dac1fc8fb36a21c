#include <png.h>

#include <cstring>
#include <exception>
#include <new>

#include "strew/io/files.hpp"

namespace strew {
namespace {

Status check(const Image& image) {
  // 3 bytes per pixel of the largest picture stay below 2^31, which libpng's simple interface asks for.
  constexpr std::int64_t kLargestPixels = 700'000'000;
  const std::int64_t pixels = std::int64_t{image.width} * image.height;
  if (image.width <= 0 || image.height <= 0 || pixels > kLargestPixels) {
    return invalid_argument(
        "a picture of " + std::to_string(image.width) + " by " + std::to_string(image.height) +
        " pixels cannot be written; both sides must be positive, with at most 700 million "
        "pixels in all");
  }
  if (image.rgb.size() != static_cast<std::size_t>(pixels) * 3) {
    return invalid_argument("the picture holds " + std::to_string(image.rgb.size()) + " bytes; " +
                            std::to_string(pixels * 3) + " are needed, 3 per pixel");
  }
  return {};
}

Result<std::vector<std::byte>> encode(const Image& image) {
  STREW_RETURN_IF_ERROR(check(image));
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  std::vector<std::byte> bytes(PNG_IMAGE_PNG_SIZE_MAX(png));
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0) {
    return make_error(StatusCode::kInternal, std::string("the picture could not be encoded: ") + png.message);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

Result<std::vector<std::byte>> encode_png(const Image& image) {
  try {
    return encode(image);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "not enough memory for the picture; ask for fewer pixels");
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, std::string("encoding failed: ") + exception.what());
  }
}

Status write_png(const std::string& path, const Image& image) {
  auto bytes = encode_png(image);
  if (!bytes.ok()) {
    Status status = bytes.status();
    status.where = path;
    return status;
  }
  return write_file_atomically(path, bytes.value());
}

}  // namespace strew

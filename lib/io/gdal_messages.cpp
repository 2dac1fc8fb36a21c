#include "gdal_messages.hpp"

#include <cpl_error.h>
#include <gdal.h>

#include <new>

#include "raster_cache.hpp"

namespace strew {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GDAL's macro is empty here, and is taken for the name
void CPL_STDCALL handle(CPLErr severity, CPLErrorNum, const char* message) {
  if (severity >= CE_Failure) {
    static_cast<GdalMessages*>(CPLGetErrorHandlerUserData())->keep(message);
  }
}

bool prepare_gdal() {
  GDALAllRegister();
  GDALSetCacheMax64(kLeastRasterCache);
  return true;
}

}  // namespace

GdalMessages::GdalMessages() {
  CPLPushErrorHandlerEx(&handle, this);
  static const bool prepared = prepare_gdal();  // once per process: GDAL's drivers and cache are process-wide
  static_cast<void>(prepared);
}

GdalMessages::~GdalMessages() {
  CPLPopErrorHandler();
}

std::string GdalMessages::words() const {
  return last_.empty() ? std::string() : " (GDAL: " + last_ + ")";
}

void GdalMessages::keep(const char* message) noexcept {
  try {
    last_ = message;
  } catch (const std::bad_alloc&) {
    last_.clear();  // called from C code: an exception must not pass; the Status then goes without GDAL's
                    // words
  }
}

}  // namespace strew

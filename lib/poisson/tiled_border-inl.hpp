// Unknown cells near the border of a window, whatever the vectors: included inside the namespace of a kernel.

/// Cells between a cell and the border of the window.
[[nodiscard]] inline std::int32_t border_depth(const KernelWindow& window, std::uint32_t packed) {
  const auto x = static_cast<std::int32_t>(packed & 0xFFFFU);
  const auto y = static_cast<std::int32_t>(packed >> 16);
  const std::int32_t right = window.width - 1 - x;
  const std::int32_t bottom = y - window.y_begin;
  const std::int32_t top = window.y_end - 1 - y;
  const std::int32_t across = x < right ? x : right;
  const std::int32_t along = bottom < top ? bottom : top;
  return across < along ? across : along;
}

/// The fate of a cell stays unknown from this stage on: its clock lags behind, and holds up what depends on
/// it. False when the cell is in the core.
[[nodiscard]] inline bool mark_unknown(const KernelWindow& window, KernelLists::Stage& stage,
                                       std::uint32_t packed) {
  const std::int32_t depth = border_depth(window, packed);
  stage.unknown_depth = depth > stage.unknown_depth ? depth : stage.unknown_depth;
  window.position[cell_index(window, packed)] |= kUnknown;
  return !window.core.contains(packed);
}

// Uses strew::world and strew::io from an installed package: the example world, and the writing of a file.
#include <cstdio>
#include <span>
#include <strew/io/files.hpp>
#include <strew/world/world.hpp>

int main(int argc, char** argv) {
  const std::string text = strew::world_example();
  const auto world = strew::parse_world(text, ".");
  if (argc != 2 || !world.ok() ||
      !strew::write_file_atomically(argv[1], std::as_bytes(std::span(text))).ok()) {
    return 1;
  }
  std::printf("%zu layers\n", world.value().scatter.layers.size());
  return 0;
}

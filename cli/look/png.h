// Pictures: a canvas of RGB pixels, written as PNG or as SVG.
// Thread-safety: value type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reduction/api/status.h"

namespace ranksight::cli {

struct Colour {
  uint8_t red = 0, green = 0, blue = 0;
};

// From dark blue (0) over green to yellow (1); values outside are clamped.
Colour HeatColour(double value);

class Canvas {
 public:
  // White. REQUIRES: both >= 1.
  Canvas(int width, int height);
  // Parts outside the canvas are left out.
  void Fill(int x, int y, int width, int height, Colour colour);
  // In a sans serif, capitals 7 points high, each `scale` wide. As pixels where
  // there is no font (typeface.h): printable ASCII, 5 x 7 points with one
  // between.
  void Text(int x, int y, std::string_view text, int scale, Colour colour);
  static int TextWidth(std::string_view text, int scale);

  int width() const { return width_; }
  int height() const { return height_; }
  // Written beside and renamed. kIo when that fails.
  reduction::Status WritePng(const std::string& path) const;
  // The same areas and words; letters as they were given.
  std::string ToSvg() const;
  // As SVG where the name ends so, else as PNG.
  reduction::Status Write(const std::string& path) const;

 private:
  // Colour over what is there, as far as it is covered.
  void Mix(int x, int y, Colour colour, uint8_t cover);
  void Paint(int x, int y, int width, int height, Colour colour);

  int width_, height_;
  std::string svg_;  // what was drawn, as elements
  std::vector<uint8_t> pixels_;
};

}  // namespace ranksight::cli

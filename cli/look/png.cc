#include "cli/look/png.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "cli/base/files.h"
#include "cli/base/format.h"
#include "cli/look/typeface.h"
#include "reduction/api/contract.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

// Capitals are seven points high, as those of a font of ten are.
constexpr int kCapital = 7, kSquare = 10;

// Where this machine has no font. Seven rows of five points, the leftmost the
// highest bit.
struct Glyph {
  char name;
  std::array<uint8_t, 7> rows;
};
constexpr Glyph kFont[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 6, 8, 16, 31}},    {'3', {30, 1, 1, 14, 1, 1, 30}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {14, 16, 30, 17, 17, 17, 14}}, {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 17, 15, 1, 14}},
    {'A', {14, 17, 17, 31, 17, 17, 17}}, {'B', {30, 17, 17, 30, 17, 17, 30}},
    {'C', {14, 17, 16, 16, 16, 17, 14}}, {'D', {30, 17, 17, 17, 17, 17, 30}},
    {'E', {31, 16, 16, 30, 16, 16, 31}}, {'F', {31, 16, 16, 30, 16, 16, 16}},
    {'G', {14, 17, 16, 19, 17, 17, 14}}, {'H', {17, 17, 17, 31, 17, 17, 17}},
    {'I', {14, 4, 4, 4, 4, 4, 14}},      {'K', {17, 18, 20, 24, 20, 18, 17}},
    {'L', {16, 16, 16, 16, 16, 16, 31}}, {'M', {17, 27, 21, 21, 17, 17, 17}},
    {'N', {17, 25, 21, 19, 17, 17, 17}}, {'O', {14, 17, 17, 17, 17, 17, 14}},
    {'P', {30, 17, 17, 30, 16, 16, 16}}, {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'S', {15, 16, 16, 14, 1, 1, 30}},   {'T', {31, 4, 4, 4, 4, 4, 4}},
    {'U', {17, 17, 17, 17, 17, 17, 14}}, {'V', {17, 17, 17, 17, 17, 10, 4}},
    {'W', {17, 17, 17, 21, 21, 27, 17}}, {'X', {17, 17, 10, 4, 10, 17, 17}},
    {'Y', {17, 17, 10, 4, 4, 4, 4}},     {'Z', {31, 1, 2, 4, 8, 16, 31}},
    {'+', {0, 4, 4, 31, 4, 4, 0}},       {'-', {0, 0, 0, 31, 0, 0, 0}},
    {'.', {0, 0, 0, 0, 0, 12, 12}},      {'/', {1, 1, 2, 4, 8, 16, 16}},
    {',', {0, 0, 0, 0, 12, 4, 8}},       {':', {0, 12, 12, 0, 12, 12, 0}},
    {'(', {2, 4, 8, 8, 8, 4, 2}},        {')', {8, 4, 2, 2, 2, 4, 8}},
    {'%', {24, 25, 2, 4, 8, 19, 3}},     {'_', {0, 0, 0, 0, 0, 0, 31}},
    {'J', {7, 2, 2, 2, 2, 18, 12}},      {'Q', {14, 17, 17, 17, 21, 18, 13}},
    {'a', {0, 0, 14, 1, 15, 17, 15}},    {'b', {16, 16, 22, 25, 17, 17, 30}},
    {'c', {0, 0, 14, 16, 16, 17, 14}},   {'d', {1, 1, 13, 19, 17, 17, 15}},
    {'e', {0, 0, 14, 17, 31, 16, 14}},   {'f', {6, 9, 8, 28, 8, 8, 8}},
    {'g', {0, 15, 17, 17, 15, 1, 14}},   {'h', {16, 16, 22, 25, 17, 17, 17}},
    {'i', {4, 0, 12, 4, 4, 4, 14}},      {'j', {2, 0, 6, 2, 2, 18, 12}},
    {'k', {16, 16, 18, 20, 24, 20, 18}}, {'l', {12, 4, 4, 4, 4, 4, 14}},
    {'m', {0, 0, 26, 21, 21, 17, 17}},   {'n', {0, 0, 22, 25, 17, 17, 17}},
    {'o', {0, 0, 14, 17, 17, 17, 14}},   {'p', {0, 0, 30, 17, 30, 16, 16}},
    {'q', {0, 0, 13, 19, 15, 1, 1}},     {'r', {0, 0, 22, 25, 16, 16, 16}},
    {'s', {0, 0, 14, 16, 14, 1, 30}},    {'t', {8, 8, 28, 8, 8, 9, 6}},
    {'u', {0, 0, 17, 17, 17, 19, 13}},   {'v', {0, 0, 17, 17, 17, 10, 4}},
    {'w', {0, 0, 17, 17, 21, 21, 10}},   {'x', {0, 0, 17, 10, 4, 10, 17}},
    {'y', {0, 0, 17, 17, 15, 1, 14}},    {'z', {0, 0, 31, 2, 4, 8, 31}},
    {'!', {4, 4, 4, 4, 0, 0, 4}},        {'"', {10, 10, 10, 0, 0, 0, 0}},
    {'#', {10, 10, 31, 10, 31, 10, 10}}, {'$', {4, 15, 20, 14, 5, 30, 4}},
    {'&', {12, 18, 20, 8, 21, 18, 13}},  {'\'', {12, 4, 8, 0, 0, 0, 0}},
    {'*', {0, 4, 21, 14, 21, 4, 0}},     {';', {0, 12, 12, 0, 12, 4, 8}},
    {'<', {2, 4, 8, 16, 8, 4, 2}},       {'=', {0, 0, 31, 0, 31, 0, 0}},
    {'>', {8, 4, 2, 1, 2, 4, 8}},        {'?', {14, 17, 1, 2, 4, 0, 4}},
    {'@', {14, 17, 1, 13, 21, 21, 14}},  {'[', {14, 8, 8, 8, 8, 8, 14}},
    {'\\', {0, 16, 8, 4, 2, 1, 0}},      {']', {14, 2, 2, 2, 2, 2, 14}},
    {'^', {4, 10, 17, 0, 0, 0, 0}},      {'`', {8, 4, 2, 0, 0, 0, 0}},
    {'{', {2, 4, 4, 8, 4, 4, 2}},        {'|', {4, 4, 4, 4, 4, 4, 4}},
    {'}', {8, 4, 4, 2, 4, 4, 8}},        {'~', {0, 0, 8, 21, 2, 0, 0}},
};

const Glyph* Find(char c) {
  const auto* const found = std::ranges::find(kFont, c, &Glyph::name);
  return found == std::end(kFont) ? nullptr : found;
}

std::string HexOf(Colour c) {
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

void Collect(png_structp png, png_bytep data, png_size_t length) {
  static_cast<std::string*>(png_get_io_ptr(png))
      ->append(reinterpret_cast<const char*>(data), length);
}

}  // namespace

Colour HeatColour(double value) {
  // Points of a perceptually even scale (viridis, CC0).
  static constexpr double kPoints[][3] = {{68, 1, 84},
                                          {59, 82, 139},
                                          {33, 145, 140},
                                          {94, 201, 98},
                                          {253, 231, 37}};
  constexpr int kLast = 4;
  const double at = std::clamp(value, 0.0, 1.0) * kLast;
  const int low = std::min(static_cast<int>(at), kLast - 1);
  const auto mix = [&](int i) {
    const double a = kPoints[low][i], b = kPoints[low + 1][i];
    return static_cast<uint8_t>(std::lround(a + (b - a) * (at - low)));
  };
  return {mix(0), mix(1), mix(2)};
}

Canvas::Canvas(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<size_t>(width) * static_cast<size_t>(height) * 3,
              255) {}

void Canvas::Fill(int x, int y, int width, int height, Colour colour) {
  RANKSIGHT_REQUIRE(width >= 1 && height >= 1);
  Paint(x, y, width, height, colour);
  fmt::format_to(std::back_inserter(svg_),
                 "<path fill=\"{}\" d=\"M{} {}h{}v{}h{}z\"/>\n", HexOf(colour),
                 x, y, width, height, -width);
}

void Canvas::Paint(int x, int y, int width, int height, Colour colour) {
  const int right = std::min(width_, x + width);
  const int bottom = std::min(height_, y + height);
  for (int row = std::max(0, y); row < bottom; ++row) {
    for (int column = std::max(0, x); column < right; ++column) {
      uint8_t* const at = pixels_.data() + (static_cast<size_t>(row) *
                                                static_cast<size_t>(width_) +
                                            static_cast<size_t>(column)) *
                                               3;
      at[0] = colour.red;
      at[1] = colour.green;
      at[2] = colour.blue;
    }
  }
}

void Canvas::Text(int x, int y, std::string_view text, int scale,
                  Colour colour) {
  const std::string shown = reduction::ShownName(text);
  fmt::format_to(std::back_inserter(svg_),
                 "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\">"
                 "{}</text>\n",
                 x, y + kCapital * scale, kSquare * scale, HexOf(colour),
                 EscapeXml(shown));
  const bool is_set =
      SetType(shown, kSquare * scale, [&](int right, int below, uint8_t cover) {
        Mix(x + right, y + kCapital * scale + below, colour, cover);
      }).has_value();
  if (is_set) return;
  for (const char c : shown) {
    const Glyph* const glyph = Find(c);
    for (int row = 0; glyph != nullptr && row < 7; ++row) {
      for (int column = 0; column < 5; ++column) {
        // Five bits a row, the leftmost highest.
        if (glyph->rows[static_cast<size_t>(row)] >> (4 - column) & 1) {
          Paint(x + column * scale, y + row * scale, scale, scale, colour);
        }
      }
    }
    x += 6 * scale;
  }
}

void Canvas::Mix(int x, int y, Colour colour, uint8_t cover) {
  if (x < 0 || x >= width_ || y < 0 || y >= height_) return;
  uint8_t* at =
      pixels_.data() + (static_cast<size_t>(y) * static_cast<size_t>(width_) +
                        static_cast<size_t>(x)) *
                           3;
  for (const uint8_t part : {colour.red, colour.green, colour.blue}) {
    *at = static_cast<uint8_t>((*at * (255 - cover) + part * cover) / 255);
    ++at;
  }
}

int Canvas::TextWidth(std::string_view text, int scale) {
  const std::string shown = reduction::ShownName(text);
  return SetType(shown, kSquare * scale, nullptr)
      .value_or(static_cast<int>(shown.size()) * 6 * scale);
}

std::string Canvas::ToSvg() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "width=\"{0}\" height=\"{1}\" shape-rendering=\"crispEdges\" "
      "font-family=\"system-ui, sans-serif\">\n"
      "<path fill=\"#ffffff\" d=\"M0 0h{0}v{1}H0z\"/>\n{2}</svg>\n",
      width_, height_, svg_);
}

reduction::Status Canvas::Write(const std::string& path) const {
  return path.ends_with(".svg") ? WriteTextFile(ToSvg(), path) : WritePng(path);
}

reduction::Status Canvas::WritePng(const std::string& path) const {
  std::string bytes;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  // libpng reports errors by jumping here.
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return reduction::Status::Io(path + ": the picture cannot be made");
  }
  png_set_write_fn(png, &bytes, Collect, nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width_),
               static_cast<png_uint_32>(height_), 8, PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (int row = 0; row < height_; ++row) {
    png_write_row(png, pixels_.data() + static_cast<size_t>(row) *
                                            static_cast<size_t>(width_) * 3);
  }
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return WriteTextFile(bytes, path);
}

}  // namespace ranksight::cli

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <memory>
#include <string>

#include "cli/look/typeface.h"
#include "reduction/api/contract.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

// FreeType counts in 64ths of a pixel.
constexpr int kFractions = 64;

struct Release {
  void operator()(FcConfig* config) const { FcConfigDestroy(config); }
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
  void operator()(FT_Library library) const { FT_Done_FreeType(library); }
  void operator()(FT_Face face) const { FT_Done_Face(face); }
};

// The file of what Fontconfig has for "sans-serif"; empty: it has nothing.
std::string SansFile() {
  // Read without a word: a machine without fonts is no reason to complain.
  const std::unique_ptr<FcConfig, Release> config(FcConfigCreate());
  if (config == nullptr ||
      FcConfigParseAndLoad(config.get(), nullptr, FcFalse) == FcFalse ||
      FcConfigBuildFonts(config.get()) == FcFalse) {
    return {};
  }
  const std::unique_ptr<FcPattern, Release> asked(
      FcNameParse(reinterpret_cast<const FcChar8*>("sans-serif")));
  if (asked == nullptr || FcConfigSubstitute(config.get(), asked.get(),
                                             FcMatchPattern) == FcFalse) {
    return {};
  }
  FcDefaultSubstitute(asked.get());
  FcResult result = FcResultNoMatch;
  const std::unique_ptr<FcPattern, Release> found(
      FcFontMatch(config.get(), asked.get(), &result));
  FcChar8* file = nullptr;
  if (found == nullptr ||
      FcPatternGetString(found.get(), FC_FILE, 0, &file) != FcResultMatch) {
    return {};
  }
  return reinterpret_cast<const char*>(file);
}

// Opened once: a face belongs to its library, which goes after it.
class Sans {
 public:
  static FT_Face Face() {
    static const Sans sans;
    return sans.face_.get();
  }

 private:
  Sans() {
    FT_Library library = nullptr;
    const std::string file = SansFile();
    if (file.empty() || FT_Init_FreeType(&library) != 0) return;
    library_.reset(library);
    FT_Face face = nullptr;
    if (FT_New_Face(library, file.c_str(), 0, &face) == 0) face_.reset(face);
  }

  std::unique_ptr<FT_LibraryRec_, Release> library_;
  std::unique_ptr<FT_FaceRec_, Release> face_;
};

// Of a valid sequence: the leading byte has 7, 5, 4 or 3 bits of it.
FT_ULong CodePoint(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  FT_ULong code =
      character.size() == 1 ? lead : lead & (0x7F >> character.size());
  for (const char more : character.substr(1)) {
    code = code << 6 | (static_cast<unsigned char>(more) & 0x3F);
  }
  return code;
}

void Cover(const FT_GlyphSlotRec_& glyph, int from,
           const CoveredPixel& covered) {
  const FT_Bitmap& map = glyph.bitmap;
  for (unsigned row = 0; row < map.rows; ++row) {
    for (unsigned column = 0; column < map.width; ++column) {
      const uint8_t cover =
          map.buffer[static_cast<size_t>(row) * static_cast<size_t>(map.pitch) +
                     column];
      if (cover > 0) {
        covered(from + glyph.bitmap_left + static_cast<int>(column),
                static_cast<int>(row) - glyph.bitmap_top, cover);
      }
    }
  }
}

}  // namespace

std::optional<int> SetType(std::string_view text, int pixels,
                           const CoveredPixel& covered) {
  RANKSIGHT_REQUIRE(pixels >= 1);
  const FT_Face face = Sans::Face();
  if (face == nullptr ||
      FT_Set_Pixel_Sizes(face, 0, static_cast<FT_UInt>(pixels)) != 0) {
    return std::nullopt;
  }
  FT_Pos at = 0;
  while (!text.empty()) {
    const size_t length = reduction::Utf8Length(text);
    if (length == 0) return std::nullopt;
    const FT_ULong code = CodePoint(text.substr(0, length));
    text.remove_prefix(length);
    // Unhinted, letters keep their widths, and look alike at every size.
    if (FT_Load_Char(face, code, FT_LOAD_RENDER | FT_LOAD_NO_HINTING) != 0) {
      continue;
    }
    const FT_GlyphSlotRec_& glyph = *face->glyph;
    if (covered && glyph.bitmap.pixel_mode == FT_PIXEL_MODE_GRAY) {
      Cover(glyph, static_cast<int>(at / kFractions), covered);
    }
    at += glyph.linearHoriAdvance / (65536 / kFractions);
  }
  return static_cast<int>((at + kFractions - 1) / kFractions);
}

}  // namespace ranksight::cli

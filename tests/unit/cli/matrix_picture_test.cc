#include "cli/look/matrix_picture.h"

#include <gtest/gtest.h>
#include <png.h>

#include <map>
#include <string>
#include <vector>

#include "cli/look/typeface.h"
#include "tests/support/scratch_folder.h"
#include "tests/unit/reduction/sample_trace.h"

namespace ranksight::cli {
namespace {

using reduction::MakeSample;
using reduction::Sample;
using reduction::Script;

// The picture as another reader of PNG sees it.
struct Pixels {
  explicit Pixels(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0);
    image.format = PNG_FORMAT_RGB;
    width = static_cast<int>(image.width);
    height = static_cast<int>(image.height);
    bytes.resize(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr),
              0);
  }
  int At(int x, int y) const {
    const uint8_t* p = &bytes[static_cast<size_t>(3 * (y * width + x))];
    return p[0] << 16 | p[1] << 8 | p[2];
  }
  int width = 0, height = 0;
  std::vector<uint8_t> bytes;
};

Pixels Draw(const reduction::Trace& trace, int64_t most, Amount amount) {
  const auto blocks = BlocksOf(trace, most);
  EXPECT_TRUE(blocks.ok());
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/matrix.png";
  EXPECT_TRUE(PictureOf(*blocks, amount, "test").WritePng(path).ok());
  return Pixels(path);
}

// Colour of the middle of cell (from, to) of `side`; the panel is 512 points
// wide and begins at (40, 56).
int Cell(const Pixels& pixels, int side, int from, int to) {
  const int cell = 512 / side;
  return pixels.At(40 + to * cell + cell / 2, 56 + from * cell + cell / 2);
}

constexpr int kNothing = 0xe1e1e1;

TEST(MatrixPicture, ColoursWhoSendsAndNobodyElse) {
  const Sample ring = MakeSample(8, [](int64_t rank, Script* s) {
    s->Send(10, (rank + 1) % 8, rank == 7 ? 1000 : 10);
    s->Recv(11, (rank + 7) % 8, rank == 0 ? 1000 : 10);
  });
  const Pixels pixels = Draw(ring.trace, 512, Amount::kBytes);
  for (int from = 0; from < 8; ++from) {
    for (int to = 0; to < 8; ++to) {
      EXPECT_EQ(Cell(pixels, 8, from, to) != kNothing, to == (from + 1) % 8)
          << from << " to " << to;
    }
  }
  // The most bytes have the colour of the legend's end, equal ones the same.
  EXPECT_NE(Cell(pixels, 8, 7, 0), Cell(pixels, 8, 0, 1));
  EXPECT_EQ(Cell(pixels, 8, 1, 2), Cell(pixels, 8, 0, 1));
  // As many messages everywhere.
  const Pixels messages = Draw(ring.trace, 512, Amount::kMessages);
  EXPECT_EQ(Cell(messages, 8, 7, 0), Cell(messages, 8, 0, 1));
}

// Edges of letters are of neither colour, which points on or off cannot be.
TEST(MatrixPicture, HasLettersOfAFont) {
  if (!SetType("a", 10, nullptr).has_value()) GTEST_SKIP() << "no font";
  EXPECT_LT(Canvas::TextWidth("iiii", 1), Canvas::TextWidth("mmmm", 1));
  EXPECT_GT(Canvas::TextWidth("\u00e4", 1), 0);
  Canvas canvas(40, 24);
  canvas.Text(4, 8, "\u00e4", 1, {0, 0, 0});
  const support::ScratchFolder folder;
  ASSERT_TRUE(canvas.WritePng(folder.path() + "/letter.png").ok());
  const Pixels pixels(folder.path() + "/letter.png");
  int grey = 0, outside = 0;
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      const int colour = pixels.At(x, y);
      if (colour == 0xffffff) continue;
      grey += colour != 0;
      outside += x < 4 || x > 12 || y < 5 || y > 16;
    }
  }
  EXPECT_GT(grey, 0);
  EXPECT_EQ(outside, 0) << "it stands where it is asked for";
}

// The words as they are, and an area for each pair that sends.
TEST(MatrixPicture, AsSvgHasTheSameAreasAndRealLetters) {
  const Sample ring = MakeSample(4, [](int64_t rank, Script* s) {
    s->Send(10, (rank + 1) % 4, rank == 3 ? 1000 : 10);
    s->Recv(11, (rank + 3) % 4, rank == 0 ? 1000 : 10);
  });
  const auto blocks = BlocksOf(ring.trace, 512);
  ASSERT_TRUE(blocks.ok());
  const std::string svg =
      PictureOf(*blocks, Amount::kBytes, "a<b & Co").ToSvg();
  EXPECT_NE(svg.find(">a&lt;b &amp; Co</text>"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">8 KB (log)</text>"), std::string::npos) << svg;
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      const std::string area = "M" + std::to_string(40 + 128 * to) + " " +
                               std::to_string(56 + 128 * from) +
                               "h128v128h-128z";
      EXPECT_EQ(svg.find(area) != std::string::npos, to == (from + 1) % 4)
          << area;
    }
  }
}

// Names of programs have small letters, and captions marks between words.
TEST(MatrixPicture, TellsAllCharactersOfAsciiApart) {
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/letter.png";
  std::map<std::vector<uint8_t>, char> seen;
  for (char c = ' '; c <= '~'; ++c) {
    Canvas canvas(12, 14);
    canvas.Text(1, 2, std::string(1, c), 1, {});
    ASSERT_TRUE(canvas.WritePng(path).ok());
    const auto [same, is_new] = seen.try_emplace(Pixels(path).bytes, c);
    EXPECT_TRUE(is_new) << c << " looks as " << same->second;
  }
}

TEST(MatrixPicture, ShowsNamesOfAnyBytes) {
  const TrafficBlocks blocks{4, 1, 4, {}};
  const std::string svg =
      PictureOf(blocks, Amount::kBytes, "a\x01\xff\xe2\x80\xae>\"").ToSvg();
  EXPECT_NE(svg.find(">a???&gt;&quot;</text>"), std::string::npos) << svg;
}

TEST(MatrixPicture, HasRoomForLongRanks) {
  const TrafficBlocks blocks{1'000'000, 1954, 512, {}};
  const support::ScratchFolder folder;
  const std::string path = folder.path() + "/matrix.png";
  ASSERT_TRUE(PictureOf(blocks, Amount::kBytes, "test").WritePng(path).ok());
  const Pixels pixels(path);
  // Nothing touches the edge, where digits would be cut.
  const int background = pixels.At(0, 0);
  for (int y = 0; y < pixels.height; ++y) {
    EXPECT_EQ(pixels.At(0, y), background) << y;
  }
}

TEST(MatrixPicture, TakesRanksTogetherThatNeedMoreThanItsPoints) {
  const Sample halves = MakeSample(8, [](int64_t rank, Script* s) {
    if (rank < 4) s->Send(10, rank + 4, 10);
    if (rank >= 4) s->Recv(11, rank - 4, 10);
  });
  const Pixels pixels = Draw(halves.trace, 2, Amount::kBytes);
  EXPECT_EQ(Cell(pixels, 2, 0, 0), kNothing);
  EXPECT_NE(Cell(pixels, 2, 0, 1), kNothing);
  EXPECT_EQ(Cell(pixels, 2, 1, 0), kNothing);
}

std::string SvgOfSends(int64_t first, int64_t second) {
  const Sample sample = MakeSample(3, [&](int64_t rank, Script* script) {
    if (rank == 0 && first > 0) script->Send(1, 1, first);
    if (rank == 1 && second > 0) script->Send(1, 2, second);
  });
  const auto blocks = BlocksOf(sample.trace, 512);
  EXPECT_TRUE(blocks.ok());
  return PictureOf(*blocks, Amount::kBytes, "test").ToSvg();
}

bool Says(const std::string& svg, const std::string& text) {
  return svg.find(text) != std::string::npos;
}

TEST(MatrixPicture, ABandOfColoursIsOfAmountsThatDiffer) {
  const std::string differ = SvgOfSends(1, 100);
  EXPECT_TRUE(Says(differ, "800 B (log)")) << differ;
  EXPECT_TRUE(Says(differ, "by the logarithm")) << differ;
  const std::string alike = SvgOfSends(100, 100);
  EXPECT_TRUE(Says(alike, "all that send: 800 B")) << alike;
  EXPECT_FALSE(Says(alike, "log")) << alike;
  const std::string none = SvgOfSends(0, 0);
  EXPECT_TRUE(Says(none, "no bytes")) << none;
  EXPECT_FALSE(Says(none, "log")) << none;
}

}  // namespace
}  // namespace ranksight::cli

#include "cli/base/plot.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "cli/base/format.h"
#include "reduction/api/contract.h"

namespace ranksight::cli {
namespace {

constexpr size_t kLabel = 10;             // columns left of the axis
constexpr size_t kFrame = kLabel + 2;     // with a blank and the axis
constexpr size_t kDotsX = 2, kDotsY = 4;  // of a character of Braille
constexpr size_t kTickColumns = 9;        // between labels of rank counts
constexpr size_t kTickRows = 2;           // between labels of times
// A lower end of an interval far below would leave the rest no room.
constexpr double kMostBelow = 4;

// What is drawn in one character; the first that is there is shown.
struct Cell {
  enum class Marker : uint8_t { kNone, kMeasured, kUnderWay } marker{};
  uint8_t line = 0;  // dots of Braille
  bool is_ideal = false, is_band = false;
};

struct Glyphs {
  const char *measured, *under_way, *ideal, *band, *line_in_legend;
};
constexpr Glyphs kAsciiGlyphs = {"O", "o", ".", ":", "*"};
constexpr Glyphs kBrailleGlyphs = {"\u25cf", "\u25cb", "\u00b7", "\u2591",
                                   "\u2812\u2812"};

// A character of Braille from its dots.
std::string Braille(uint8_t dots) {
  return {'\xe2', char(0xa0 | dots >> 6), char(0x80 | (dots & 0x3f))};
}

uint8_t Dot(size_t x, size_t y) {
  constexpr uint8_t kDots[kDotsY][kDotsX] = {
      {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  return kDots[y][x];
}

// One axis: values to parts of the whole, by their logarithms.
class Axis {
 public:
  void See(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  bool empty() const { return high_ <= 0; }
  double low() const { return low_; }
  double high() const { return high_; }
  double PartOf(double value) const {
    const double span = std::log(high_ / low_);
    return span > 0 ? std::log(value / low_) / span : 0.5;
  }
  double At(double part) const {
    return low_ * std::exp(part * std::log(high_ / low_));
  }

 private:
  double low_ = std::numeric_limits<double>::infinity(), high_ = 0;
};

// Where the curve is at this rank count, between its points as straight lines
// over the logarithms; nothing outside of them.
std::optional<double> Between(const std::vector<PlotPoint>& curve, double ranks,
                              double PlotPoint::*value) {
  const auto right = std::ranges::lower_bound(curve, ranks * (1 - 1e-9), {},
                                              &PlotPoint::ranks);
  if (right == curve.end()) return std::nullopt;
  const double after = (*right).*value;
  if (right == curve.begin() || right->ranks <= ranks) {
    return right->ranks <= ranks * (1 + 1e-9) ? std::optional(after)
                                              : std::nullopt;
  }
  const PlotPoint& left = *(right - 1);
  const double part =
      std::log(ranks / left.ranks) / std::log(right->ranks / left.ranks);
  return std::exp(std::log(left.*value) * (1 - part) + std::log(after) * part);
}

// Whether a run may be so: answers of a side-car may hold any number.
bool IsDrawable(const PlotPoint& p) {
  constexpr double kMostRanks = 1e15, kLeastSeconds = 1e-12, kMost = 1e12;
  return p.ranks >= 1 && p.ranks <= kMostRanks && p.seconds >= kLeastSeconds &&
         p.seconds <= kMost && p.low <= kMost && p.high <= kMost;
}

// With intervals that leave the rest some room.
std::vector<PlotPoint> Drawable(const std::vector<PlotPoint>& points) {
  std::vector<PlotPoint> out;
  for (PlotPoint p : points) {
    if (!IsDrawable(p)) continue;
    p.low = std::max(p.low, p.seconds / kMostBelow);
    p.high = std::max(p.high, p.seconds);
    out.push_back(p);
  }
  std::ranges::stable_sort(out, {}, &PlotPoint::ranks);
  return out;
}

class Field {
 public:
  Field(const ScalingPlot& plot, size_t columns, size_t rows)
      : columns_(columns),
        rows_(rows),
        measured_(Drawable(plot.measured)),
        curve_(Drawable(plot.forecast)),
        under_way_(Drawable(plot.under_way)),
        is_weak_(plot.is_weak),
        cells_(columns * rows) {
    for (const std::vector<PlotPoint>& points :
         {measured_, curve_, under_way_}) {
      for (const PlotPoint& p : points) {
        x_.See(p.ranks);
        y_.See(p.seconds);
      }
    }
    for (const PlotPoint& p : curve_) {
      y_.See(p.low);
      y_.See(p.high);
    }
    if (x_.empty()) return;
    LeadFromMeasured();
    DrawBandAndIdeal();
    DrawLine();
    for (const PlotPoint& p : measured_) Mark(p, Cell::Marker::kMeasured);
    for (const PlotPoint& p : under_way_) Mark(p, Cell::Marker::kUnderWay);
  }

  bool empty() const { return x_.empty(); }
  const Axis& x() const { return x_; }
  const Axis& y() const { return y_; }
  bool HasCurve() const { return curve_.size() > 1; }
  bool HasUnderWay() const { return !under_way_.empty(); }
  const Cell& At(size_t row, size_t column) const {
    return cells_[row * columns_ + column];
  }
  size_t RowOf(double seconds) const { return Row(seconds, rows_); }
  size_t ColumnOf(double ranks) const { return Column(ranks, columns_); }

 private:
  // The line begins at the largest size measured, where no point is before it.
  void LeadFromMeasured() {
    if (curve_.empty() || measured_.empty()) return;
    PlotPoint last = measured_.back();
    if (last.ranks >= curve_.front().ranks) return;
    last.low = last.high = last.seconds;
    curve_.insert(curve_.begin(), last);
  }
  void DrawBandAndIdeal() {
    for (size_t column = 0; column < columns_; ++column) {
      const double ranks = RanksAt(column, columns_);
      const auto low = Between(curve_, ranks, &PlotPoint::low);
      const auto high = Between(curve_, ranks, &PlotPoint::high);
      for (size_t row = low ? RowOf(*high) : rows_;
           row < rows_ && row <= RowOf(*low); ++row) {
        Cell_(row, column).is_band = true;
      }
      if (measured_.empty()) continue;
      const PlotPoint& first = measured_.front();
      const double ideal =
          is_weak_ ? first.seconds : first.seconds * first.ranks / ranks;
      // Every other character, so that it is no line of ours.
      if (column % 2 == 0 && ideal >= y_.low() && ideal <= y_.high()) {
        Cell_(RowOf(ideal), column).is_ideal = true;
      }
    }
  }
  void DrawLine() {
    const size_t dots = columns_ * kDotsX;
    std::optional<size_t> before;
    for (size_t x = 0; x < dots; ++x) {
      const auto seconds =
          Between(curve_, RanksAt(x, dots), &PlotPoint::seconds);
      if (!seconds) {
        before.reset();
        continue;
      }
      const size_t y = Row(*seconds, rows_ * kDotsY);
      // Steep parts have no gaps.
      const size_t other = before.value_or(y);
      for (size_t at = std::min(other, y); at <= std::max(other, y); ++at) {
        Cell_(at / kDotsY, x / kDotsX).line |= Dot(x % kDotsX, at % kDotsY);
      }
      before = y;
    }
  }
  void Mark(const PlotPoint& p, Cell::Marker marker) {
    Cell_(RowOf(p.seconds), ColumnOf(p.ranks)).marker = marker;
  }
  double RanksAt(size_t place, size_t places) const {
    return places < 2 ? x_.low() : x_.At(double(place) / double(places - 1));
  }
  size_t Column(double ranks, size_t columns) const {
    return Place(x_.PartOf(ranks), columns);
  }
  size_t Row(double seconds, size_t rows) const {
    return rows - 1 - Place(y_.PartOf(seconds), rows);
  }
  static size_t Place(double part, size_t places) {
    return size_t(std::lround(std::clamp(part, 0.0, 1.0) * double(places - 1)));
  }
  Cell& Cell_(size_t row, size_t column) {
    return cells_[row * columns_ + column];
  }

  const size_t columns_, rows_;
  const std::vector<PlotPoint> measured_;
  std::vector<PlotPoint> curve_;
  const std::vector<PlotPoint> under_way_;
  const bool is_weak_;
  Axis x_, y_;
  std::vector<Cell> cells_;
};

std::string Shown(const Cell& cell, const Glyphs& glyphs, bool is_braille) {
  if (cell.marker == Cell::Marker::kMeasured) return glyphs.measured;
  if (cell.marker == Cell::Marker::kUnderWay) return glyphs.under_way;
  if (cell.line != 0) {
    return is_braille ? Braille(cell.line) : glyphs.line_in_legend;
  }
  if (cell.is_ideal) return glyphs.ideal;
  return cell.is_band ? glyphs.band : " ";
}

// Of each row the time that is written beside it: 1, 2 and 5 times powers of
// ten; where fewer than two of these are within, those of both ends.
std::vector<std::string> TimeLabels(const Field& field, size_t rows) {
  std::vector<std::string> labels(rows);
  size_t written = 0, above = rows + kTickRows;
  const auto write = [&](double seconds) {
    const size_t row = field.RowOf(seconds);
    if (row + kTickRows > above) return;
    labels[row] = Duration(seconds * 1e9);
    above = row;
    ++written;
  };
  const Axis& y = field.y();
  for (double decade = std::pow(10, std::floor(std::log10(y.low())));
       decade <= y.high(); decade *= 10) {
    for (const double step : {1, 2, 5}) {
      const double seconds = decade * step;
      if (seconds >= y.low() && seconds <= y.high()) write(seconds);
    }
  }
  if (written >= 2) return labels;
  labels.assign(rows, "");
  labels.front() = Duration(y.high() * 1e9);
  labels.back() = Duration(y.low() * 1e9);
  return labels;
}

// Powers of two below the axis, as many as fit.
std::string RankLabels(const Field& field, size_t columns) {
  std::string line(columns, ' ');
  size_t free = 0;  // the first column that may be written on
  for (double ranks = std::exp2(std::ceil(std::log2(field.x().low())));
       ranks <= field.x().high(); ranks *= 2) {
    const std::string text = fmt::format("{:.0f}", ranks);
    if (text.size() > columns) break;
    const size_t at = std::min(field.ColumnOf(ranks), columns - text.size());
    if (at < free) continue;
    line.replace(at, text.size(), text);
    free = at + std::max(kTickColumns, text.size() + 1);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return fmt::format("{:>{}}  ", "ranks", kLabel) + line;
}

// What each kind of mark means, as far as there is room.
std::string Legend(const Field& field, const Glyphs& glyphs, bool is_weak,
                   size_t width) {
  std::vector<std::string> parts = {std::string(glyphs.measured) + " measured"};
  if (field.HasUnderWay()) {
    parts.push_back(std::string(glyphs.under_way) + " expected");
  }
  if (field.HasCurve()) {
    parts.push_back(std::string(glyphs.line_in_legend) + " forecast");
    parts.push_back(std::string(glyphs.band) + " 90 % interval");
  }
  parts.push_back(
      std::string(glyphs.ideal) +
      (is_weak ? " ideal (weak scaling)" : " ideal (strong scaling)"));
  std::string line;
  size_t columns = 0;
  for (const std::string& part : parts) {
    const size_t wide = size_t(
        std::ranges::count_if(part, [](char c) { return (c & 0xC0) != 0x80; }));
    if (columns + 2 + wide > width) break;
    line += "  " + part;
    columns += 2 + wide;
  }
  return line.substr(std::min<size_t>(2, line.size()));
}

}  // namespace

std::vector<std::string> PlotLines(const ScalingPlot& plot, size_t width,
                                   size_t field_rows, PlotForm form) {
  RANKSIGHT_REQUIRE(width >= 40 && field_rows >= 2);
  if (form == PlotForm::kNone) return {};
  const bool is_braille = form == PlotForm::kBraille;
  const Glyphs& glyphs = is_braille ? kBrailleGlyphs : kAsciiGlyphs;
  const size_t columns = width - kFrame;
  const Field field(plot, columns, field_rows);
  if (field.empty()) return {};
  std::vector<std::string> out = {"run time over ranks, both logarithmic"};
  const auto labels = TimeLabels(field, field_rows);
  for (size_t row = 0; row < field_rows; ++row) {
    std::string line = fmt::format("{:>{}} |", labels[row], kLabel);
    for (size_t column = 0; column < columns; ++column) {
      line += Shown(field.At(row, column), glyphs, is_braille);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out.push_back(line);
  }
  out.push_back(
      fmt::format("{:>{}} +{}", "", kLabel, std::string(columns, '-')));
  out.push_back(RankLabels(field, columns));
  out.push_back(std::string(kFrame, ' ') +
                Legend(field, glyphs, plot.is_weak, columns));
  return out;
}

PlotForm PlotFormOf(int fd) {
  if (::isatty(fd) == 0) return PlotForm::kNone;
  const locale_t locale = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  if (locale == nullptr) return PlotForm::kAscii;
  const bool is_utf8 =
      std::strcmp(::nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
  ::freelocale(locale);
  return is_utf8 ? PlotForm::kBraille : PlotForm::kAscii;
}

size_t TerminalWidth(int fd, size_t otherwise) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return size.ws_col;
}

}  // namespace ranksight::cli

#include "online_model/walk/message_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "reduction/api/contract.h"

namespace ranksight::online_model {
namespace {

// Times of one protocol lie on a line but for this part of each: what repeated
// measurements differ by. Twice as much takes protocols together whose times
// differ by a tenth.
constexpr double kScatter = 0.03;

struct Line {
  double latency = 0, byte = 0;
  double At(double bytes) const { return latency + byte * bytes; }
};

// By least squares of relative errors, neither number below 0.
Line LineThrough(std::span<const AtBytes> times) {
  RANKSIGHT_REQUIRE(!times.empty());
  double xx = 0, xy = 0, yy = 0, x = 0, y = 0;
  for (const AtBytes& t : times) {
    const double of_latency = 1 / t.value, of_byte = t.bytes / t.value;
    xx += of_latency * of_latency;
    xy += of_latency * of_byte;
    yy += of_byte * of_byte;
    x += of_latency;
    y += of_byte;
  }
  const double determinant = xx * yy - xy * xy;
  const Line free = {(x * yy - y * xy) / determinant,
                     (y * xx - x * xy) / determinant};
  // Below 0, or no number: the fit with that one at 0.
  if (!(free.byte >= 0)) return {x / xx, 0};
  if (!(free.latency >= 0)) return {0, y / yy};
  return free;
}

bool Meets(const Line& line, std::span<const AtBytes> times) {
  return std::ranges::all_of(times, [&](const AtBytes& t) {
    return std::abs(line.At(t.bytes) - t.value) <= kScatter * t.value;
  });
}

// The line that meets the most of the first times, and how many these are.
std::pair<Line, size_t> FirstLine(std::span<const AtBytes> times) {
  RANKSIGHT_REQUIRE(!times.empty());
  Line line = {times[0].value, 0};
  size_t met = 1;
  for (size_t n = 2; n <= times.size(); ++n) {
    const Line longer = LineThrough(times.first(n));
    if (!Meets(longer, times.first(n))) break;
    line = longer;
    met = n;
  }
  return {line, met};
}

}  // namespace

MessageCurve::MessageCurve(const std::vector<AtBytes>& times) {
  if (times.size() < 2) return;
  shortest_ = times.front().bytes;
  longest_ = times.back().bytes;
  std::optional<Line> before;
  for (size_t i = 0; i < times.size();) {
    auto [line, met] = FirstLine(std::span(times).subspan(i));
    if (met == 1 && before) {  // as the last one, but for its time
      const double factor = times[i].value / before->At(times[i].bytes);
      line = {before->latency * factor, before->byte * factor};
    }
    i += met;
    const double until = i < times.size()
                             ? std::sqrt(times[i - 1].bytes * times[i].bytes)
                             : std::numeric_limits<double>::infinity();
    pieces_.push_back({until, line.latency, line.byte});
    before = line;
  }
  Normalise();
}

void MessageCurve::Normalise() {
  const auto by = [&](auto begin, auto end, double Piece::*number) {
    const auto first =
        std::find_if(begin, end, [&](const Piece& p) { return p.*number > 0; });
    const double unit = first == end ? 0 : (*first).*number;
    for (Piece& p : pieces_) p.*number = unit > 0 ? p.*number / unit : 1;
    return unit;
  };
  latency_ = by(pieces_.begin(), pieces_.end(), &Piece::latency);
  byte_ = by(pieces_.rbegin(), pieces_.rend(), &Piece::byte);
}

const MessageCurve::Piece& MessageCurve::PieceOf(double bytes) const {
  RANKSIGHT_REQUIRE(known());
  const auto at = std::ranges::upper_bound(pieces_, bytes, {}, &Piece::until);
  return at == pieces_.end() ? pieces_.back() : *at;
}

}  // namespace ranksight::online_model

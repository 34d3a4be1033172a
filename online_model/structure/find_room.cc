#include "online_model/structure/find_room.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "online_model/structure/evidence.h"
#include "online_model/structure/said_along_sides.h"

namespace ranksight::online_model {
namespace {

using Op = Expression::Op;
using Samples = std::span<const Sample>;

// Points of the largest part of the whole that the law cuts; nullptr where it
// cuts none evenly.
ExpressionPtr LargestPartOf(const ExpressionPtr& law, int side) {
  const Expression* shortest = law.get();
  while (shortest->op == Op::kAgreed) shortest = shortest->a.get();
  if (!IsBlockOfNumber(*shortest) || shortest->value != side) return nullptr;
  return AffineExpression(
      1,
      Combine(Op::kDivide, ConstantExpression(shortest->a->value - 1),
              FeatureExpression(Feature::Kind::kDim, side)),
      1);
}

SaidPart PartOf(ExpressionPtr law, Samples samples) {
  SaidPart part{std::move(law), {}};
  for (const Sample& s : samples) part.values.push_back(part.law->At(s.where));
  return part;
}

// Those that say how large a part is at most: equal parts say so themselves.
std::vector<SaidPart> LargestOf(const std::vector<SaidPart>& along, int side,
                                Samples samples) {
  std::vector<SaidPart> largest;
  for (const SaidPart& part : along) {
    ExpressionPtr law = LargestPartOf(part.law, side);
    largest.push_back(law == nullptr ? part : PartOf(std::move(law), samples));
  }
  return largest;
}

// What is across one side: a part along each of the others.
SaidPart FaceAcross(size_t side, const PartChoice& choice) {
  SaidPart face{nullptr, std::vector<int64_t>(choice[0]->values.size(), 1)};
  for (size_t d = 0; d < choice.size(); ++d) {
    if (d == side) continue;
    face.law = CombineNext(Op::kMultiply, std::move(face.law), choice[d]->law);
    for (size_t i = 0; i < face.values.size(); ++i) {
      face.values[i] =
          Apply(Op::kMultiply, face.values[i], choice[d]->values[i]);
    }
  }
  return face;
}

// The longest of those whose bits are set.
SaidPart LongestOf(const std::vector<SaidPart>& faces, unsigned bits) {
  SaidPart longest;
  for (size_t f = 0; f < faces.size(); ++f) {
    if ((bits >> f & 1) == 0) continue;
    if (longest.law == nullptr) {
      longest = faces[f];
      continue;
    }
    longest.law = Combine(Op::kMaximum, longest.law, faces[f].law);
    for (size_t i = 0; i < longest.values.size(); ++i) {
      longest.values[i] =
          Apply(Op::kMaximum, longest.values[i], faces[f].values[i]);
    }
  }
  return longest;
}

// How many numbers there are for each point, and how many more.
struct Room {
  int64_t scale = 0, add = 0;
};

// nullopt: no such room is what all samples have.
std::optional<Room> RoomFor(const std::vector<int64_t>& points,
                            Samples samples) {
  std::optional<Room> room;
  for (size_t i = 0; i < points.size() && !room; ++i) {
    const int64_t more = Apply(Op::kSubtract, points[i], points[0]);
    if (more == kNotWhole) return std::nullopt;
    if (more == 0) continue;
    const int64_t of_value = samples[i].value - samples[0].value;
    if (of_value % more != 0) return std::nullopt;
    const int64_t scale = of_value / more;
    const int64_t said = Apply(Op::kMultiply, scale, points[0]);
    if (scale <= 0 || said == kNotWhole) return std::nullopt;
    room = Room{scale, samples[0].value - said};
  }
  // Nobody has room for less than what comes.
  if (!room || room->add < 0) return std::nullopt;
  for (size_t i = 0; i < points.size(); ++i) {
    const int64_t said = Apply(Op::kMultiply, room->scale, points[i]);
    if (Apply(Op::kAdd, said, room->add) != samples[i].value) {
      return std::nullopt;
    }
  }
  return room;
}

// All laws that give the samples, as one that has a value where they agree.
class RoomLaws {
 public:
  explicit RoomLaws(Samples samples) : samples_(samples) {}

  // Of the faces of these parts, and of some of them without which all samples
  // are the same.
  void Look(const PartChoice& choice) {
    std::vector<SaidPart> faces;
    for (size_t d = 0; d < choice.size(); ++d) {
      faces.push_back(FaceAcross(d, choice));
    }
    const unsigned all = (1u << faces.size()) - 1;
    const SaidPart longest = LongestOf(faces, all);
    const auto room = RoomFor(longest.values, samples_);
    if (!room) return;
    for (unsigned some = all; some > 0; --some) {
      const SaidPart among = LongestOf(faces, some);
      if (among.values != longest.values) continue;
      Add(AffineExpression(room->scale, among.law, room->add));
    }
  }

  // nullptr where there are none, or more than are told apart.
  ExpressionPtr law() const { return laws_.size() > kMost ? nullptr : all_; }
  bool HasTooMany() const { return laws_.size() > kMost; }

 private:
  // Of three faces seven may give the samples, of own and of largest parts.
  static constexpr size_t kMost = 14;

  void Add(ExpressionPtr law) {
    if (HasTooMany() || !laws_.insert(law->ToString()).second) return;
    all_ = all_ == nullptr ? std::move(law)
                           : AgreedExpression(std::move(all_), std::move(law));
  }

  Samples samples_;
  std::set<std::string> laws_;
  ExpressionPtr all_;
};

}  // namespace

ExpressionPtr FindRoom(Samples samples, const SearchSpace& space) {
  if (space.said == nullptr || space.ranked || space.ndims < 2) return nullptr;
  if (CountPoints(samples) < 2) return nullptr;
  const auto own = PartsAlongSides(samples, space);
  std::vector<std::vector<SaidPart>> largest;
  for (int d = 0; d < space.ndims; ++d) {
    const auto& along = own[size_t(d)];
    if (along.empty()) {
      if (HasSeveralRanksAlong(samples, size_t(d))) {
        space.said->NoteTooLittle();
      }
      return nullptr;
    }
    largest.push_back(LargestOf(along, d, samples));
  }
  RoomLaws laws(samples);
  for (const auto* parts : {&std::as_const(own), &std::as_const(largest)}) {
    for (const PartChoice& choice : ChoicesOf(*parts)) {
      laws.Look(choice);
      if (laws.HasTooMany()) return nullptr;
    }
  }
  return laws.law();
}

}  // namespace ranksight::online_model

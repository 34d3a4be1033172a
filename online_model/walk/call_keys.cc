#include "online_model/walk/call_keys.h"

#include <optional>
#include <unordered_map>
#include <utility>

namespace ranksight::online_model {
namespace {

using reduction::Column;
using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::ParameterPiece;
using reduction::SectionCursor;

// Orders ranks in what they make, which walks do not ask for.
bool IsOrder(Param param) {
  return param == Param::kKey || param == Param::kReorder;
}

// The number that a column gives to all ranks of a piece, none where that
// differs, whether it is held relative to them or not.
std::optional<int64_t> NumberForAll(const ParameterPiece& piece,
                                    const Column& c) {
  SectionCursor values(&c.values), ranks(&piece.ranks);
  std::optional<int64_t> all;
  while (!values.done()) {
    const int64_t rank = c.relative ? ranks.Next() : 0;
    const int64_t number = values.Next() + rank;
    if (all && *all != number) return std::nullopt;
    all = number;
  }
  return all;
}

class KeyMaker {
 public:
  explicit KeyMaker(const reduction::Trace& trace)
      : keys_(size_t(trace.meta.ranks)) {
    Add(trace.root);
  }
  std::vector<uint64_t> keys() && { return std::move(keys_); }

 private:
  void Add(const Node& node) {
    AddParameter(node.trips);
    for (size_t i = 0; i < node.params.size(); ++i) {
      const Param param = reduction::Info(node.call).params[i];
      if (IsOrder(param)) continue;
      AddParameter(node.params[i]);
      if (param == Param::kRoot) AddRoots(node.params[i]);
    }
    for (const Node& child : node.children) Add(child);
  }

  void AddParameter(const Parameter& p) {
    ++parameter_;
    for (const ParameterPiece& piece : p.pieces()) {
      AddPiece(piece, MixedKey(parameter_, ++piece_));
    }
  }

  // Who is a root does other things than those that name it. Where ranks name
  // different ones, or one after the other, none are taken to be alike.
  void AddRoots(const Parameter& p) {
    for (const ParameterPiece& piece : p.pieces()) {
      const bool is_one = piece.shape.size() == 1 &&
                          piece.columns[1].values.IsConstant() &&
                          piece.columns[1].values.At(0) == 0;
      const auto root =
          is_one ? NumberForAll(piece, piece.columns[0]) : std::nullopt;
      ++parameter_;
      if (!root) {
        for (size_t r = 0; r < keys_.size(); ++r) {
          keys_[r] = MixedKey(keys_[r], r);
        }
      } else if (*root >= 0 && *root < int64_t(keys_.size())) {
        keys_[size_t(*root)] = MixedKey(keys_[size_t(*root)], parameter_);
      }
    }
  }

  void AddPiece(const ParameterPiece& piece, uint64_t key) {
    std::vector<SectionCursor> differing;
    for (const Column& c : piece.columns) {
      if (!c.values.IsConstant() && !NumberForAll(piece, c)) {
        differing.emplace_back(&c.values);
      }
    }
    // What is the same on all ranks tells none apart.
    if (differing.empty() && piece.ranks.size() == keys_.size()) return;
    SectionCursor ranks(&piece.ranks);
    while (!ranks.done()) {
      uint64_t& of_rank = keys_[size_t(ranks.Next())];
      of_rank = MixedKey(of_rank, key);
      for (SectionCursor& c : differing) {
        of_rank = MixedKey(of_rank, uint64_t(c.Next()));
      }
    }
  }

  std::vector<uint64_t> keys_;
  uint64_t parameter_ = 0, piece_ = 0;
};

}  // namespace

uint64_t MixedKey(uint64_t key, uint64_t value) {
  // The last steps of splitmix64.
  uint64_t z = key * 0x9e3779b97f4a7c15u + value + 0x2545f4914f6cdd1du;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

RankClassing ClassesByKey(const std::vector<uint64_t>& keys) {
  RankClassing out;
  std::unordered_map<uint64_t, uint32_t> known;
  out.of_rank.reserve(keys.size());
  for (const uint64_t key : keys) {
    out.of_rank.push_back(
        known.try_emplace(key, uint32_t(known.size())).first->second);
  }
  out.count = known.size();
  return out;
}

std::vector<uint64_t> CallKeys(const reduction::Trace& trace) {
  return KeyMaker(trace).keys();
}

}  // namespace ranksight::online_model

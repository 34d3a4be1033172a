// How the time of a message goes with its length, as measured on a machine
// (ranksight machine measure): in pieces, each with a latency and a time for a
// byte of its own, since libraries and networks carry lengths by different
// protocols.
//
// Thread-safety: immutable. Complexity: logarithmic in the pieces.
#pragma once

#include <vector>

#include "online_model/api/machine.h"

namespace ranksight::online_model {

class MessageCurve {
 public:
  // times: seconds, bytes ascending. Fewer than two say nothing.
  explicit MessageCurve(const std::vector<AtBytes>& times);

  bool known() const { return !pieces_.empty(); }
  // Lengths that were measured. REQUIRES: known().
  double shortest() const { return shortest_; }
  double longest() const { return longest_; }
  // Seconds: the latency of the shortest, and for a byte of the longest.
  double latency() const { return latency_; }
  double byte() const { return byte_; }
  // The latency of such a message, over that of the shortest; and the time of
  // each of its bytes, over that of a byte of the longest. REQUIRES: known().
  double Latency(double bytes) const { return PieceOf(bytes).latency; }
  double Byte(double bytes) const { return PieceOf(bytes).byte; }

 private:
  struct Piece {
    double until = 0;  // bytes, the first of the next piece
    double latency = 0, byte = 0;
  };
  const Piece& PieceOf(double bytes) const;
  void Normalise();
  std::vector<Piece> pieces_;
  double shortest_ = 0, longest_ = 0, latency_ = 0, byte_ = 0;
};

}  // namespace ranksight::online_model

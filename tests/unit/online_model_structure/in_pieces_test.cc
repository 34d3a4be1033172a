#include "online_model/synthesize/in_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "reduction/api/call.h"

namespace ranksight::online_model {
namespace {

using reduction::Call;
using reduction::Node;
using reduction::Param;
using reduction::Section;

// A loop that sends `whole` elements, twelve at most at a time: of every rank
// of a line, once for what one law says and once for what another says.
struct Program {
  static constexpr int64_t kPiece = 12;

  static std::vector<int64_t> WholesOf(int64_t ranks, int64_t rank) {
    return {BlockSize(151, ranks, rank), BlockSize(77, ranks, rank)};
  }
  static size_t CountIndex() {
    const auto params = reduction::Info(Call::MPI_Send_).params;
    return size_t(std::find(params.begin(), params.end(), Param::kCount) -
                  params.begin());
  }

  // With pieces all of one size where `even`.
  static Node Loop(int64_t ranks, bool even) {
    Node loop, send;
    loop.kind = Node::Kind::kLoop;
    send.kind = Node::Kind::kEvent;
    send.call = Call::MPI_Send_;
    send.params.resize(reduction::Info(send.call).params.size());
    for (int64_t r = 0; r < ranks; ++r) {
      Section trips, once, counts;
      for (const int64_t whole : WholesOf(ranks, r)) {
        int64_t pieces = 0;
        for (int64_t left = whole; left > 0; left -= kPiece, ++pieces) {
          once.Append(1);
          counts.Append(even ? kPiece : std::min(left, kPiece));
        }
        trips.Append(pieces);
      }
      loop.trips.Add(r, trips, false);
      send.trips.Add(r, once, false);
      send.params[CountIndex()].Add(r, counts, false);
    }
    loop.children.push_back(std::move(send));
    return loop;
  }

  explicit Program(bool even) {
    for (const Grid& g : grids) loops.push_back(Loop(g.ranks(), even));
    for (size_t t = 0; t < grids.size(); ++t) {
      nodes.push_back(&loops[t]);
      inside.emplace_back();
      for (int64_t r = 0; r < grids[t].ranks(); ++r) {
        const Pattern p = *PatternOf(loops[t].trips.At(r));
        trips.push_back({Context(grids[t], r), p, {}, {}});
        inside.back().push_back(
            {uint64_t(loops[t].trips.At(r).Sum()), Around({}, p)});
      }
    }
  }

  const std::vector<Grid> grids{{{4}}, {{6}}, {{9}}};
  std::vector<Node> loops;
  Nodes nodes;
  std::vector<RankPattern> trips;
  Parents inside;
};

TEST(InPieces, TripsAndTheLastPieceFollowTheWhole) {
  const Program program(false);
  InPieces pieces;
  const auto trips = pieces.FindTrips(program.nodes, program.grids,
                                      program.trips, program.inside, {});
  ASSERT_TRUE(trips.has_value());
  const Nodes send = ChildOf(program.nodes, 0);
  const size_t count = Program::CountIndex();
  const auto seen = ::ranksight::online_model::PatternsOf(
      send, program.grids, count, &program.inside);
  const auto amounts = pieces.FindAmount(send, count, *seen);
  ASSERT_TRUE(amounts.has_value());
  const Grid unseen{{17}};
  const Node loop = Program::Loop(17, false);
  for (int64_t r = 0; r < 17; ++r) {
    const Context c(unseen, r);
    const Pattern visits = trips->At(c, {});
    EXPECT_EQ(visits, *PatternOf(loop.trips.At(r))) << "rank " << r;
    EXPECT_EQ(amounts->At(c, Around({}, visits)),
              *PatternOf(loop.children[0].params[count].At(r)))
        << "rank " << r;
  }
}

TEST(InPieces, MessagesOfOneSizeAreNoPieces) {
  const Program program(true);
  InPieces pieces;
  EXPECT_FALSE(pieces.FindTrips(program.nodes, program.grids, program.trips,
                                program.inside, {}));
}

}  // namespace
}  // namespace ranksight::online_model

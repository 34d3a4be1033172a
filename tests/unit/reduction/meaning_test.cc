#include "reduction/api/meaning.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "reduction/api/folder.h"

namespace ranksight::reduction {
namespace {

using Numbers = std::vector<int64_t>;

class Program {
 public:
  Program& Start(int64_t peer) {
    Event e(Call::MPI_Isend_);
    for (const int64_t v : {int64_t{4}, int64_t{1}, int64_t{1}, int64_t{0},
                            peer, int64_t{7}, int64_t{0}}) {
      e.Add(v);
    }
    return Push(&e);
  }
  // passed: references, null ones for empty slots.
  Program& Complete(Call call, const Numbers& passed) {
    Event e(call);
    e.Add(int64_t(passed.size()));
    const auto params = Info(call).params;
    for (size_t i = 1; i < params.size(); ++i) {
      if (params[i] == Param::kRequests && params[i - 1] != Param::kOpenCount) {
        e.AddArray(passed);
      } else if (IsArray(params[i])) {
        e.AddArray({});
      } else {
        e.Add(0);
      }
    }
    SetRequests(passed, &e);
    return Push(&e);
  }
  Program& Barrier() {
    Event e(Call::MPI_Barrier_);
    e.Add(0);
    return Push(&e);
  }
  Trace Finish() const { return folder_.Snapshot(0, 1); }

 private:
  Program& Push(Event* e) {
    EXPECT_TRUE(e->Complete());
    e->site = folder_.AddSite({{{module_, 16 + uint64_t(e->call())}}});
    folder_.Push(*e, 1, 1);
    return *this;
  }
  Folder folder_;
  uint32_t module_ = folder_.AddModule({"00", "program"});
};

// Where the two differ, "" where they do not.
std::string Difference(const Program& a, const Program& b) {
  const Trace trace_a = a.Finish(), trace_b = b.Finish();
  auto walk_a = MeaningWalk::Open(trace_a, 0);
  auto walk_b = MeaningWalk::Open(trace_b, 0);
  MeaningDifference difference;
  if (SameMeaning(&*walk_a, &*walk_b, &difference)) return "";
  return std::to_string(difference.position_a) + " " + difference.text_a +
         " | " + std::to_string(difference.position_b) + " " +
         difference.text_b;
}

Program ThreeSends() {
  Program p;
  p.Start(1).Start(2).Start(3);
  return p;
}

TEST(Meaning, IsTheSameHoweverOperationsAreCompleted) {
  Program all = ThreeSends();
  all.Complete(Call::MPI_Waitall_, {3, 2, 1}).Barrier();
  const std::vector<std::function<void(Program*)>> ways = {
      [](Program* p) {
        p->Complete(Call::MPI_Waitall_, {0, 1, 0, 2, 3, 0});
      },
      [](Program* p) {
        for (const int64_t k : {2, 3, 1}) p->Complete(Call::MPI_Wait_, {k});
      },
      [](Program* p) {
        for (const int64_t k : {1, 2, 3}) p->Complete(Call::MPI_Waitany_, {k});
      },
      [](Program* p) {
        p->Complete(Call::MPI_Waitsome_, {2});
        p->Complete(Call::MPI_Wait_, {0});
        p->Complete(Call::MPI_Waitsome_, {3, 1});
      },
      [](Program* p) {
        p->Complete(Call::MPI_Test_, {2});
        p->Complete(Call::MPI_Waitall_, {3, 0, 1});
      }};
  for (const auto& way : ways) {
    Program other = ThreeSends();
    way(&other);
    other.Barrier();
    EXPECT_EQ(Difference(all, other), "");
  }
}

TEST(Meaning, DiffersWhereOtherOperationsAreCompleted) {
  Program one = ThreeSends(), other = ThreeSends();
  one.Complete(Call::MPI_Wait_, {3}).Barrier();
  other.Complete(Call::MPI_Wait_, {2}).Barrier();
  EXPECT_EQ(Difference(one, other), "4 MPI_Wait n=1 | 4 MPI_Wait n=1");
}

TEST(Meaning, DiffersWhereACallStandsBetween) {
  Program one = ThreeSends(), other = ThreeSends();
  one.Complete(Call::MPI_Waitall_, {3, 2, 1}).Barrier();
  other.Complete(Call::MPI_Waitall_, {3, 2}).Barrier();
  other.Complete(Call::MPI_Wait_, {1});
  EXPECT_EQ(Difference(one, other), "4 MPI_Waitall n=3 | 4 MPI_Waitall n=2");
}

// What came first is time; that nothing is open ends its effect.
TEST(Meaning, CountsWhatWasCompletedByChance) {
  const auto rest = [](Program* p, const Numbers& left) {
    p->Barrier().Complete(Call::MPI_Waitall_, left).Barrier();
    p->Start(1).Start(2);
  };
  Program one = ThreeSends(), other = ThreeSends();
  one.Complete(Call::MPI_Waitany_, {1});
  rest(&one, {3, 2});
  other.Complete(Call::MPI_Waitany_, {3});
  rest(&other, {2, 1});
  EXPECT_EQ(Difference(one, other), "");
  one.Complete(Call::MPI_Wait_, {1});
  other.Complete(Call::MPI_Wait_, {2});
  EXPECT_EQ(Difference(one, other), "10 MPI_Wait n=1 | 10 MPI_Wait n=1");
}

TEST(Meaning, DiffersWhereOneEnds) {
  Program one = ThreeSends(), other = ThreeSends();
  one.Barrier();
  EXPECT_EQ(Difference(one, other), "4 MPI_Barrier comm=0 | 0 ");
}

}  // namespace
}  // namespace ranksight::reduction

// Traces for tests of the codec: random ones that use every part of the
// format, and the two-dimensional stencil of the size targets.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/distribution.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction::testing {

class RandomTrace {
 public:
  explicit RandomTrace(uint32_t seed) : rng_(seed) {}

  Trace Make() {
    Trace t;
    t.meta.ranks = ranks_ = 1 + Below(40);
    FillMeta(&t.meta);
    FillSites(&t.sites);
    sites_ = t.sites.sites.size();
    const int children = int(Below(4));
    for (int i = 0; i < children; ++i) t.root.children.push_back(MakeNode(3));
    if (t.meta.laws.size() > 1) FillLaws(&t.law_code);
    return t;
  }

 private:
  int64_t Below(int64_t n) { return int64_t(rng_() % uint64_t(n)); }

  std::string Word() {
    std::string s;
    for (int64_t n = Below(9); n >= 0; --n) s.push_back(char('a' + Below(26)));
    return s;
  }

  void FillMeta(Meta* m) {
    m->program = Word();
    if (Below(2) == 0) m->build_id = "00ff" + std::to_string(Below(1000));
    m->job = Word();
    if (Below(3) == 0) m->origin = Origin::kExtrapolated;
    m->start_unix_ns = int64_t(rng_()) * 1000003;
    if (Below(2) == 0) m->host_cores = 1 + Below(64);
    if (Below(2) == 0) m->host_ranks = 1 + Below(1000);
    m->own_time = Below(3) == 0;
    if (Below(2) == 0) {
      m->launch = {Word(), Word(), Word(), Below(1000), Word()};
    }
    m->complete = Below(3) != 0;
    m->complete_until_ns = -Below(5);
    for (int64_t n = Below(3); n > 0; --n) m->elapsed.Add(double(Below(1e6)));
    for (int64_t n = Below(3); n > 0; --n) {
      m->params[Word()] = Word();
      m->not_recorded[Word()] = rng_();
      m->polls[Word()] = rng_();
      m->losses[Word()] = 1 + rng_();
      m->laws.push_back(Word());
    }
    if (m->elapsed.count > 0) FillMemory(m->elapsed, &m->memory);
  }

  static void FillMemory(const Moments& seed, RunMemory* memory) {
    constexpr double kPage = 4096;
    memory->unknown = uint64_t(seed.min) % 3;
    for (Moments* m : {&memory->start, &memory->peak, &memory->end,
                       &memory->files, &memory->own}) {
      m->Add(kPage * seed.min);
      m->Add(kPage * seed.max);
    }
    for (int64_t i = 0; i < int64_t(seed.max) % 40; ++i) {
      memory->along.Add(i * MemoryTimeline::kShortestNs, uint64_t(seed.min));
    }
  }

  // Small ones, and those that take all 64 bits.
  void FillLaws(std::vector<int64_t>* numbers) {
    for (int64_t n = 1 + Below(20); n > 0; --n) {
      const auto wild = int64_t(uint64_t{rng_()} << 32 | rng_());
      numbers->push_back(Below(4) == 0 ? wild : Below(40) - 20);
    }
  }

  void FillSites(Sites* sites) {
    const int64_t modules = 1 + Below(3);
    for (int64_t i = 0; i < modules; ++i) {
      sites->modules.push_back({Below(2) == 0 ? "0badc0de" : Word(), Word()});
    }
    std::vector<Frame> path;
    for (int64_t n = 1 + Below(8); n > 0; --n) {
      path.resize(size_t(Below(int64_t(path.size()) + 1)));
      for (int64_t f = Below(10); f > 0; --f) {
        const bool wild = Below(10) == 0;
        path.push_back(
            {uint32_t(Below(modules)), wild ? (uint64_t{rng_()} << 32 | rng_())
                                            : uint64_t(Below(1 << 20))});
      }
      sites->sites.push_back({path});
    }
  }

  int64_t Value() {
    switch (Below(6)) {
      case 0:
        return kSpecialMax - Below(10);
      case 1:
        return Below(int64_t{1} << 62) * (Below(2) == 0 ? 1 : -1);
      default:
        return Below(100) - 20;
    }
  }

  Section MakeSection() {
    Section s;
    const int64_t form = Below(5);
    if (form == 0) return Section::Constant(Value(), uint64_t(1 + Below(300)));
    const int64_t n = form == 1 ? Below(200) : Below(12);
    const int64_t period = 1 + Below(5);
    for (int64_t i = 0; i < n; ++i) {
      s.Append(form <= 2 ? Below(1000) : i % period * 3 + i / period % 2);
    }
    return s;
  }

  Parameter MakeParameter() {
    Parameter p;
    if (Below(12) == 0) return p;
    if (Below(6) == 0 && !made_.empty()) {
      return made_[size_t(Below(int64_t(made_.size())))];
    }
    const bool ranked = Below(2) == 0;
    const Section same = MakeSection();
    const int64_t form = Below(3);
    for (int64_t r = 0; r < ranks_; ++r) {
      if (Below(9) == 0) continue;
      if (form == 0) p.Add(r, same, ranked);
      if (form == 1) p.Add(r, Section::Constant(r + 1, 50), ranked);
      if (form == 2) p.Add(r, MakeSection(), ranked);
    }
    made_.push_back(p);
    return p;
  }

  Parameter MakeDistribution() {
    Distribution all;
    for (int64_t r = 0; r < ranks_; ++r) {
      all.Merge(Distribution::Of(MakeSection()));
    }
    return Parameter::Of(std::move(all));
  }

  Parameter MakeTrips() {
    Parameter p;
    for (int64_t r = 0; r < ranks_; ++r) {
      if (Below(5) != 0) p.Add(r, Section::Constant(Below(4), 7), false);
    }
    return p;
  }

  Node MakeNode(int depth) {
    Node node;
    node.trips = MakeTrips();
    if (depth > 0 && Below(2) == 0) {
      for (int64_t n = Below(3); n >= 0; --n) {
        node.children.push_back(MakeNode(depth - 1));
      }
      return node;
    }
    node.kind = Node::Kind::kEvent;
    const auto calls = AllCalls();
    const CallInfo& info = calls[size_t(Below(int64_t(calls.size())))];
    node.call = info.call;
    node.site = uint32_t(Below(int64_t(sites_)));
    for (size_t i = 0; i < info.params.size(); ++i) {
      const bool kept = IsAmount(info.params[i]) && Below(6) == 0;
      node.params.push_back(kept ? MakeDistribution() : MakeParameter());
    }
    FillTimes(&node.times);
    return node;
  }

  void FillTimes(EventTimes* t) {
    for (int64_t n = Below(5); n > 0; --n) {
      t->compute.first.Add(double(Below(1e9)));
      t->call.first.Add(double(Below(1e4)));
      t->compute.ranks.Add(double(Below(1e9)) / 7);
      t->call.ranks.Add(double(Below(1e9)) / 7);
    }
    for (int64_t n = Below(3) * Below(60); n > 0; --n) {
      t->compute.rest.Add(uint64_t(Below(1 << Below(30))));
      t->call.rest.Add(uint64_t(Below(1e7)));
    }
    // As where no rank, or every rank, had more than one occurrence.
    if (Below(3) == 0) t->compute.ranks = t->compute.first;
    if (Below(3) == 0) t->call.ranks = t->call.rest.moments();
    t->first_after = MakeParts(ComputeParts::Kind::kFirst);
    t->rest_after = MakeParts(ComputeParts::Kind::kRest);
  }

  ComputeParts MakeParts(ComputeParts::Kind kind) {
    if (Below(4) == 0) return {};
    std::vector<ComputeParts::Part> parts;
    std::vector<Predecessor> sites = {kNoPredecessor};
    for (size_t s = 0; s < sites_; ++s) sites.push_back(uint32_t(s));
    std::shuffle(sites.begin(), sites.end(), rng_);
    sites.resize(size_t(Below(int64_t(std::min<size_t>(sites.size(), 8)) + 1)));
    for (const Predecessor p : sites) {
      auto& compute = parts.emplace_back(ComputeParts::Part{p, {}}).compute;
      for (int64_t n = 1 + Below(20); n > 0; --n) {
        if (kind == ComputeParts::Kind::kFirst) {
          compute.first.Add(double(Below(1e9)));
          continue;
        }
        compute.rest.Add(uint64_t(Below(1 << Below(30))));
        compute.ranks.Add(double(Below(1e9)) / 7);
      }
    }
    if (parts.empty()) parts.emplace_back();
    return ComputeParts::Of(std::move(parts));
  }

  std::mt19937 rng_;
  int64_t ranks_ = 1;
  size_t sites_ = 0;
  std::vector<Parameter> made_;
};

// 2-D five-point stencil, row-major side x side ranks: per step 4 Irecv,
// 4 Isend, Waitall(8), Allreduce. Times are drawn like real ones.
class StencilTrace {
 public:
  StencilTrace(int64_t side, uint64_t steps, bool periodic)
      : side_(side), steps_(steps), periodic_(periodic) {}

  Trace Make() {
    Trace t;
    t.meta.program = "stencil2d";
    t.meta.build_id = "3f786850e387550fdab836ed7e6dc881de23001b";
    t.meta.job = "1763688896-node0017-48213";
    t.meta.ranks = side_ * side_;
    t.meta.start_unix_ns = 1763688896123456789;
    for (int64_t r = 0; r < t.meta.ranks; ++r)
      t.meta.elapsed.Add(Nanoseconds());
    t.sites.modules = {
        {t.meta.build_id, "stencil2d"},
        {"89e604c2a6a5d4bdb8e2ab3b1c1bb6e95ad0c1f4", "libc.so.6"}};
    t.root.children.push_back(Event(&t, Call::MPI_Init_, 1, {}));
    Node loop;
    loop.trips = Same(Section::Constant(int64_t(steps_), 1));
    for (int way = 0; way < 8; ++way) loop.children.push_back(Halo(&t, way));
    Section requests;
    for (uint64_t s = 0; s < steps_; ++s) {
      for (int64_t k = 8; k >= 1; --k) requests.Append(k);
    }
    loop.children.push_back(Event(&t, Call::MPI_Waitall_, steps_,
                                  {Constant(8),
                                   Constant(8),
                                   Same(std::move(requests)),
                                   Constant(0),
                                   {},
                                   {}}));
    loop.children.push_back(
        Event(&t, Call::MPI_Allreduce_, steps_,
              {Constant(0), Constant(1), Constant(13), Constant(8), Constant(0),
               Constant(3), Constant(0)}));
    t.root.children.push_back(std::move(loop));
    t.root.children.push_back(Event(&t, Call::MPI_Finalize_, 1, {}));
    return t;
  }

 private:
  double Nanoseconds() { return double(200 + rng_() % 60000); }

  Parameter Same(const Section& s) {
    Parameter p;
    for (int64_t r = 0; r < side_ * side_; ++r) p.Add(r, s, false);
    return p;
  }
  Parameter Constant(int64_t v) { return Same(Section::Constant(v, steps_)); }

  int64_t Neighbour(int64_t r, int direction) const {
    int64_t x = r % side_, y = r / side_;
    x += direction == 0 ? -1 : direction == 1 ? 1 : 0;
    y += direction == 2 ? -1 : direction == 3 ? 1 : 0;
    if (!periodic_ && (x < 0 || x >= side_ || y < 0 || y >= side_)) {
      return kPeerNull;
    }
    return (y + side_) % side_ * side_ + (x + side_) % side_;
  }

  Node Halo(Trace* t, int way) {
    Parameter peers;
    for (int64_t r = 0; r < side_ * side_; ++r) {
      peers.Add(r, Section::Constant(Neighbour(r, way % 4), steps_), true);
    }
    const int tag = way < 4 ? (way ^ 1) : way % 4;
    return Event(t, way < 4 ? Call::MPI_Irecv_ : Call::MPI_Isend_, steps_,
                 {Constant(way % 4 < 2 ? 128 : 1), Constant(13), Constant(8),
                  Constant(0), std::move(peers), Constant(tag), Constant(0)});
  }

  Node Event(Trace* t, Call call, uint64_t occurrences,
             std::vector<Parameter> params) {
    Node node;
    node.kind = Node::Kind::kEvent;
    node.call = call;
    node.site = uint32_t(t->sites.sites.size());
    t->sites.sites.push_back({{{1, 0x2724a},
                               {0, 0x1185},
                               {0, 0x1520 + node.site / 4 * 0x31},
                               {0, 0x1890 + node.site * 0x47}}});
    node.trips = Same(Section::Constant(1, occurrences));
    node.params = std::move(params);
    FillTimes(occurrences, &node.times);
    return node;
  }

  void FillTimes(uint64_t occurrences, EventTimes* times) {
    for (int64_t r = 0; r < side_ * side_; ++r) {
      times->compute.first.Add(Nanoseconds());
      times->call.first.Add(Nanoseconds());
      times->compute.ranks.Add(Nanoseconds() / 7);
      times->call.ranks.Add(Nanoseconds() / 7);
      for (uint64_t i = 1; i < occurrences; ++i) {
        times->compute.rest.Add(uint64_t(Nanoseconds()));
        times->call.rest.Add(uint64_t(Nanoseconds()));
      }
    }
  }

  std::mt19937 rng_{7};
  int64_t side_;
  uint64_t steps_;
  bool periodic_;
};

}  // namespace ranksight::reduction::testing

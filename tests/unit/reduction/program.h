// Made-up parallel programs: nested loops, branches and calls, with trip
// counts, conditions and arguments that depend on rank and iteration. Run
// for one rank they give the raw list of events, the independent reference
// that folding and merging are compared with.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/canonical.h"
#include "reduction/api/cursor.h"
#include "reduction/api/folder.h"
#include "reduction/api/merge.h"
#include "reduction/api/trace.h"

namespace ranksight::reduction::testing {

struct Statement {
  enum class Kind { kSend, kWaitall, kLoop, kBranch };
  Kind kind = Kind::kSend;
  uint64_t address = 0;
  int form = 0;  // how arguments, trips or conditions are computed
  int amount = 1;
  std::vector<Statement> body;
};

class Program {
 public:
  explicit Program(uint32_t seed) : rng_(seed) { body_ = Block(3); }

  // Events of one rank, as canonical text, pushed into the folder as well.
  std::vector<std::string> Run(int64_t rank, int64_t ranks, Folder* folder) {
    rank_ = rank;
    ranks_ = ranks;
    folder_ = folder;
    log_.clear();
    tick_ = 0;
    module_ = folder->AddModule({"ab12", "made-up"});
    Execute(body_, 0);
    return log_;
  }

 private:
  std::vector<Statement> Block(int depth) {
    std::vector<Statement> block;
    const int n = 1 + int(rng_() % 4);
    for (int i = 0; i < n; ++i) {
      Statement s;
      const unsigned pick = rng_() % 8;
      s.kind = depth == 0 || pick < 3
                   ? (rng_() % 4 == 0 ? Statement::Kind::kWaitall
                                      : Statement::Kind::kSend)
               : pick < 6 ? Statement::Kind::kLoop
                          : Statement::Kind::kBranch;
      s.address = (next_address_ += 16) + (cold_ ? kCold : 0);
      s.form = int(rng_() % 5);
      s.amount = 1 + int(rng_() % 4);
      if (s.kind == Statement::Kind::kLoop ||
          s.kind == Statement::Kind::kBranch) {
        // What rarely runs stands elsewhere in compiled programs.
        const bool around = cold_;
        if (s.kind == Statement::Kind::kBranch) cold_ = cold_ || s.amount == 1;
        s.body = Block(depth - 1);
        cold_ = around;
      }
      block.push_back(std::move(s));
    }
    return block;
  }

  int64_t Number(const Statement& s, int64_t iteration) {
    switch (s.form) {
      case 0:
        return s.amount;
      case 1:
        return s.amount + iteration % 3;
      case 2:
        return s.amount + rank_ % 2;
      case 3:
        return (s.amount * (tick_ + 7 * rank_)) % 5;
      default:
        return rank_ == 0 ? 0 : s.amount;
    }
  }

  void Emit(const Statement& s, int64_t iteration) {
    ++tick_;
    CallSite site;
    site.frames = {{module_, 0x100}, {module_, s.address}};
    Event e;
    if (s.kind == Statement::Kind::kSend) {
      e.Reset(Call::MPI_Send_);
      e.Add(Number(s, iteration) * 8);
      e.Add(1);
      e.Add(4);
      e.Add(0);
      const int64_t to = rank_ + s.amount - 2;
      e.Add(to < 0 || to >= ranks_ ? kPeerNull : to);
      e.Add(s.amount);
      e.Add(0);
    } else {
      e.Reset(Call::MPI_Waitall_);
      const int64_t n = Number(s, iteration);
      e.Add(n);
      e.Add(n);
      std::vector<int64_t> requests;
      for (int64_t i = n; i > 0; --i) requests.push_back(i);
      e.AddArray(requests);
      e.Add(0);  // nothing matched
      e.AddArray({});
      e.AddArray({});
    }
    e.site = folder_->AddSite(site);
    folder_->Push(e, uint64_t(100 + tick_ % 7), uint64_t(10 + tick_ % 3));
    log_.push_back(CanonicalText(e));
  }

  void Execute(const std::vector<Statement>& block, int64_t iteration) {
    for (const Statement& s : block) {
      if (log_.size() > 3000) return;
      switch (s.kind) {
        case Statement::Kind::kLoop: {
          const int64_t n = Number(s, iteration);
          for (int64_t i = 0; i < n; ++i) Execute(s.body, i);
          break;
        }
        case Statement::Kind::kBranch:
          if (Number(s, iteration) % 2 == 1) Execute(s.body, iteration);
          break;
        default:
          Emit(s, iteration);
      }
    }
  }

  std::mt19937 rng_;
  std::vector<Statement> body_;
  static constexpr uint64_t kCold = 1 << 20;
  bool cold_ = false;
  uint64_t next_address_ = 0x200;
  uint32_t module_ = 0;
  int64_t rank_ = 0, ranks_ = 1, tick_ = 0;
  Folder* folder_ = nullptr;
  std::vector<std::string> log_;
};

// One rank of a trace as canonical text.
inline std::vector<std::string> Read(const Trace& trace, int64_t rank) {
  std::vector<std::string> lines;
  auto cursor = Cursor::Open(trace, rank);
  if (!cursor.ok()) return {cursor.status().message()};
  while (cursor->Next()) lines.push_back(CanonicalText(cursor->event()));
  if (!cursor->status().ok()) lines.push_back(cursor->status().message());
  return lines;
}

// The parts merged in a random order over a random tree.
inline Result<Trace> MergeAtRandom(std::vector<Trace> parts, uint32_t seed) {
  std::mt19937 rng(seed);
  while (parts.size() > 1) {
    const size_t i = rng() % parts.size();
    Trace a = std::move(parts[i]);
    parts.erase(parts.begin() + long(i));
    const Status merged = MergeInto(&parts[rng() % parts.size()], std::move(a));
    if (!merged.ok()) return merged;
  }
  return std::move(parts[0]);
}

}  // namespace ranksight::reduction::testing

#include "reduction/api/messages.h"

#include <string_view>

#include "reduction/api/call.h"
#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

class MessageMaker {
 public:
  MessageMaker(int64_t place, int64_t size, std::vector<Message>* out)
      : place_(place), size_(size), out_(out) {}

  void Send(int64_t to, int64_t bytes) {
    out_->push_back({true, to, bytes, round_});
  }
  void Receive(int64_t from, int64_t bytes) {
    out_->push_back({false, from, bytes, round_});
  }
  void NextRound() { ++round_; }

  void Dissemination() {
    for (int64_t step = 1; step < size_; step *= 2, NextRound()) {
      Send((place_ + step) % size_, 1);
      Receive((place_ + size_ - step) % size_, 1);
    }
  }
  // From the root down; up with every message reversed and the rounds, too.
  void Down(int64_t root, int64_t bytes) {
    const int64_t own = (place_ + size_ - root) % size_;
    int64_t span = 1;
    while (span < size_) span *= 2;
    for (span /= 2; span >= 1; span /= 2, NextRound()) {
      if (own % (2 * span) == 0 && own + span < size_) {
        Send((own + span + root) % size_, bytes);
      } else if (own % (2 * span) == span) {
        Receive((own - span + root) % size_, bytes);
      }
    }
  }
  void Up(int64_t root, int64_t bytes) {
    const int64_t own = (place_ + size_ - root) % size_;
    for (int64_t span = 1; span < size_; span *= 2, NextRound()) {
      if (own % (2 * span) == 0 && own + span < size_) {
        Receive((own + span + root) % size_, bytes);
      } else if (own % (2 * span) == span) {
        Send((own - span + root) % size_, bytes);
      }
    }
  }
  // f(i): bytes to or from member i.
  template <class F, class G>
  void FromAll(int64_t root, F sent, G received) {
    if (place_ != root) return Send(root, sent(root));
    for (int64_t i = 0; i < size_; ++i) {
      if (i != root) Receive(i, received(i));
    }
  }
  template <class F, class G>
  void ToAll(int64_t root, F sent, G received) {
    if (place_ != root) return Receive(root, received(root));
    for (int64_t i = 0; i < size_; ++i) {
      if (i != root) Send(i, sent(i));
    }
  }
  template <class F>
  void Ring(F block) {
    for (int64_t step = 0; step + 1 < size_; ++step, NextRound()) {
      Send((place_ + 1) % size_, block((place_ + size_ - step) % size_));
      Receive((place_ + size_ - 1) % size_,
              block((place_ + 2 * size_ - step - 1) % size_));
    }
  }
  template <class F, class G>
  void Pairs(F sent, G received) {
    for (int64_t step = 1; step < size_; ++step, NextRound()) {
      const int64_t to = (place_ + step) % size_;
      const int64_t from = (place_ + size_ - step) % size_;
      Send(to, sent(to));
      Receive(from, received(from));
    }
  }
  void Chain(int64_t bytes) {
    if (place_ > 0) Receive(place_ - 1, bytes);
    NextRound();
    if (place_ + 1 < size_) Send(place_ + 1, bytes);
  }

 private:
  int64_t place_, size_;
  std::vector<Message>* out_;
  int round_ = 0;
};

// "MPI_Ialltoallv" -> "alltoallv".
std::string_view WhatItDoes(std::string_view name) {
  name.remove_prefix(4);
  if (name.starts_with('I')) {
    name.remove_prefix(1);
  }
  return name;
}

bool Is(std::string_view family, std::string_view wanted) {
  if (family.size() != wanted.size()) return false;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if ((family[i] | 0x20) != (wanted[i] | 0x20)) return false;
  }
  return true;
}

int64_t Share(const Event& e, Param counts, Param count, Param size,
              Param sizes, int64_t i) {
  if (!e.Has(counts)) return e.Get(count) * e.Get(size);
  const auto all = e.GetArray(counts);
  const auto each = e.GetArray(sizes);
  if (i < 0 || size_t(i) >= all.size()) return 0;
  return all[size_t(i)] *
         (size_t(i) < each.size() ? each[size_t(i)] : e.Get(size));
}

}  // namespace

bool MessagesOf(const Event& e, int64_t place, int64_t size, int64_t root,
                std::vector<Message>* messages) {
  RANKSIGHT_REQUIRE(place >= 0 && place < size);
  RANKSIGHT_REQUIRE(messages != nullptr);
  messages->clear();
  if (!Info(e.call()).collective) return false;
  const std::string_view family = WhatItDoes(Info(e.call()).name);
  const auto sent = [&](int64_t i) {
    return Share(e, Param::kCounts, Param::kCount, Param::kTypeSize,
                 Param::kTypeSizes, i);
  };
  const auto received = [&](int64_t i) {
    return Share(e, Param::kRecvCounts, Param::kRecvCount, Param::kRecvTypeSize,
                 Param::kRecvTypeSizes, i);
  };
  const bool in_place = e.Get(Param::kInPlace) == 1;
  // In place the receive buffer holds what is sent.
  const auto shared = [&](int64_t i) {
    return in_place ? received(i) : sent(i);
  };
  MessageMaker make(place, size, messages);
  if (Is(family, "Barrier")) {
    make.Dissemination();
  } else if (Is(family, "Bcast")) {
    make.Down(root, sent(0));
  } else if (Is(family, "Reduce")) {
    make.Up(root, sent(0));
  } else if (Is(family, "Allreduce")) {
    make.Up(0, sent(0));
    make.Down(0, sent(0));
  } else if (Is(family, "Gather") || Is(family, "Gatherv")) {
    make.FromAll(root, sent, received);
  } else if (Is(family, "Scatter") || Is(family, "Scatterv")) {
    make.ToAll(root, sent, received);
  } else if (Is(family, "Allgather") || Is(family, "Allgatherv")) {
    make.Ring(received);
  } else if (Is(family, "Alltoall") || Is(family, "Alltoallv") ||
             Is(family, "Alltoallw")) {
    make.Pairs(shared, received);
  } else if (Is(family, "Reduce_scatter")) {
    make.Pairs(sent, [&](int64_t) { return sent(place); });
  } else if (Is(family, "Reduce_scatter_block")) {
    make.Pairs(sent, sent);
  } else if (Is(family, "Scan") || Is(family, "Exscan")) {
    make.Chain(sent(0));
  } else {
    return false;
  }
  return true;
}

}  // namespace ranksight::reduction

// Where the program has closed its standard input, output or error, a file of
// ours must not get that number: what the program or a library prints would go
// into it, and what the program opens there is to be its own.
#pragma once

namespace ranksight::runtime {

// While it lives, descriptors 0 to 2 are not given to files of ours: those that
// were closed are taken by what can be neither read nor written, as if they
// were closed still. Brief: the program gets them back.
// Thread-safety: any thread.
class ClosedStreams {
 public:
  ClosedStreams() noexcept;
  ~ClosedStreams();
  ClosedStreams(const ClosedStreams&) = delete;
  ClosedStreams& operator=(const ClosedStreams&) = delete;

 private:
  static constexpr int kStreams = 3;
  int taken_[kStreams];
  int count_ = 0;
};

// Whether any of them is closed.
bool SomeStreamIsClosed() noexcept;

}  // namespace ranksight::runtime

// Notes: what parts of a walk tell one another, each part walked by a thread
// of its own (together.h). A note is given once, in the order given of each
// part to each other one.
//
// Thread-safety: any number of threads, one for each part.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "replay_engine/progress/mailbox.h"

namespace ranksight::replay_engine {

// A message on its way to a rank of another part, or that a task of it is done.
struct Note {
  static constexpr int64_t kDone = -1;
  int64_t to = kDone;  // the rank a message goes to
  Mailbox::Id id = 0;  // of the send, or what is done
  Envelope envelope;
};

class Notes {
 public:
  explicit Notes(size_t parts) : parts_(parts) {}

  // Gives away (*out)[p] for each part p and leaves it empty; takes into *in
  // what came for `part`. waits: until something does. False when nothing will:
  // all parts wait, or Stop was called.
  bool Exchange(size_t part, bool waits, std::vector<std::vector<Note>>* out,
                std::vector<Note>* in);
  // Nobody need go on.
  void Stop();

 private:
  struct Part {
    std::vector<Note> in;
    bool waits = false;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Part> parts_;
  size_t waiting_ = 0;
  bool over_ = false;
};

}  // namespace ranksight::replay_engine

#include "runtime/front/reason.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "reduction/api/unrecorded.h"

namespace ranksight::runtime {

void JoinText(char* text, size_t room, const char* const* parts) {
  size_t length = 0;
  for (; *parts != nullptr; ++parts) {
    const size_t more = strlen(*parts);
    const size_t taken = more < room - length ? more : room - length - 1;
    memcpy(text + length, *parts, taken);
    length += taken;
  }
  text[length] = '\0';
}

namespace {

// The folder that the trace is written to, "" where that is not known.
void FindFolder(char* folder, size_t room) {
  const char* const output = getenv("RANKSIGHT_OUTPUT");
  const char* const start = getenv("RANKSIGHT_FOLDER");
  const char* const named = output == nullptr ? nullptr : strrchr(output, '/');
  const char* const parts[] = {named != nullptr   ? output
                               : start != nullptr ? start
                                                  : "",
                               nullptr};
  JoinText(folder, room, parts);
  if (named != nullptr) folder[named - output] = '\0';
}

}  // namespace

void LeaveReason(const char* reason) {
  const char* const began = getenv("RANKSIGHT_BEGAN");
  char folder[4096], path[4096 + 64];
  FindFolder(folder, sizeof folder);
  if (began == nullptr || folder[0] == '\0') return;
  const char* const parts[] = {folder,
                               "/",
                               reduction::kUnrecordedPrefix,
                               began,
                               reduction::kUnrecordedSuffix,
                               nullptr};
  JoinText(path, sizeof path, parts);
  // Of all ranks the first says it.
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return;
  const ssize_t written = write(file, reason, strlen(reason));
  close(file);
  if (written < 0) unlink(path);
}

}  // namespace ranksight::runtime

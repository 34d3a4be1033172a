// Any OTF2 archive: the reader refuses it with file and place, or gives a
// trace that encodes and decodes to itself. The archive is read as one of
// ours, with our attributes, and as anybody's. What OTF2 itself does not
// survive (`convert` reads in a process of its own) is left out.
#include <otf2/otf2.h>
#include <signal.h>
#include <sys/time.h>

#include <filesystem>

#include "adapters/api/adapter.h"
#include "adapters/otf2/apart.h"
#include "adapters/otf2/library_errors.h"
#include "adapters/otf2/otf2_adapter.h"
#include "tests/fuzz/packed.h"
#include "tests/fuzz/seeds.h"
#include "tests/unit/adapters/score_p_archive.h"

// Of the sanitizers' runtime, where there is one.
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*)());

namespace ranksight::fuzz {
namespace {

constexpr const char* kNames[] = {
    "traces.otf2",  "traces.def",   "traces/0.evt", "traces/1.evt",
    "traces/2.evt", "traces/3.evt", "traces/0.def", "traces/1.def",
    "traces/2.def", "traces/3.def"};
// Longer ones take the time of many short ones.
constexpr uint64_t kMostSeedEvents = 300;
constexpr size_t kMostRanks = 4;
// Of processor time for a few kilobytes.
constexpr long kMostMicroseconds = 200'000;

Bytes ArchiveOf(const reduction::Trace& trace) {
  const ScratchFolder folder;
  adapters::Conversion conversion;
  Require(adapters::FindAdapter("otf2")
              ->write({&trace, 1}, folder.path(), &conversion)
              .ok());
  return PackFolder(folder.path(), kNames);
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds;
  for (const bool new_records : {false, true}) {
    const ScratchFolder folder;
    Require(adapters::WriteScorePArchive(folder.path(),
                                         {.new_records = new_records}));
    seeds.push_back(PackFolder(folder.path(), kNames));
  }
  for (const Bytes& bytes : RecordedSeeds()) {
    const auto trace = reduction::Decode(bytes);
    Require(trace.ok());
    if (trace->meta.complete && trace->meta.ranks <= int64_t{kMostRanks} &&
        CountEvents(*trace) <= kMostSeedEvents) {
      seeds.push_back(ArchiveOf(*trace));
    }
  }
  Require(seeds.size() > 4);
  return seeds;
}

// Reads all that ReadArchive may read, and looks at none of it.
void ReadUnseen(const char* anchor) {
  OTF2_Reader* reader = OTF2_Reader_Open(anchor);
  if (reader == nullptr) return;
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  uint64_t read = 0;
  if (auto* names = OTF2_Reader_GetGlobalDefReader(reader)) {
    (void)OTF2_Reader_ReadAllGlobalDefinitions(reader, names, &read);
  }
  for (OTF2_LocationRef i = 0; i < kMostRanks; ++i) {
    (void)OTF2_Reader_SelectLocation(reader, i);
  }
  (void)OTF2_Reader_OpenEvtFiles(reader);
  (void)OTF2_Reader_OpenDefFiles(reader);
  for (OTF2_LocationRef i = 0; i < kMostRanks; ++i) {
    if (auto* own = OTF2_Reader_GetDefReader(reader, i)) {
      (void)OTF2_Reader_ReadAllLocalDefinitions(reader, own, &read);
      (void)OTF2_Reader_CloseDefReader(reader, own);
    }
    if (auto* events = OTF2_Reader_GetEvtReader(reader, i)) {
      (void)OTF2_Reader_ReadAllLocalEvents(reader, events, &read);
      (void)OTF2_Reader_CloseEvtReader(reader, events);
    }
  }
  (void)OTF2_Reader_Close(reader);
}

// How the library ends is no finding for libFuzzer to keep.
void EndUnseen() {
  (void)!std::freopen("/dev/null", "w", stderr);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(nullptr);
  }
  for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
    (void)::signal(signal, SIG_DFL);
  }
}

bool LibrarySurvives(const std::string& anchor) {
  const auto read = adapters::otf2::ReadApart(
      {.cpu_seconds = 1, .memory_bytes = uint64_t{1} << 30},
      [&]() -> reduction::Result<reduction::Trace> {
        EndUnseen();
        const itimerval most{{}, {0, kMostMicroseconds}};
        (void)::setitimer(ITIMER_PROF, &most, nullptr);
        const adapters::otf2::LibraryErrors unheard;
        ReadUnseen(anchor.c_str());
        return reduction::Status::No("survived");
      });
  return read.status().message() == "survived";
}

void Try(const std::map<std::string, Bytes>& files) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path() + "/traces");
  for (const auto& [name, bytes] : files) {
    folder.Put(name, AsText(bytes.data(), bytes.size()));
  }
  const std::string anchor = folder.path() + "/traces.otf2";
  if (!LibrarySurvives(anchor)) return;
  const adapters::otf2::LibraryErrors unheard;
  for (const bool ours : {true, false}) {
    const auto trace = adapters::otf2::ReadArchive(anchor, ours);
    if (!trace.ok()) {
      RequireReason(trace.status().message());
      Require(trace.status().message().starts_with(anchor + ":"));
      continue;
    }
    const auto again = reduction::Decode(
        reduction::Encode(*trace, reduction::SketchForm::kFull));
    Require(again.ok() && *again == *trace);
  }
}

}  // namespace ranksight::fuzz

// libotf2 3.0 forgets what it had of an archive that it does not open.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libopen-trace-format2.so\n";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  fuzz::Try(fuzz::UnpackFiles(data, size, fuzz::kNames));
  return 0;
}

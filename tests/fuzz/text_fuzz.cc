// Any canonical text: the reader refuses it with file and place, or gives a
// trace whose canonical text reads as the same trace again.
#include "adapters/api/adapter.h"
#include "reduction/api/canonical.h"
#include "reduction/api/codec.h"
#include "reduction/api/cursor.h"
#include "tests/fuzz/seeds.h"

namespace ranksight::fuzz {
namespace {

// Longer ones take the time of many short ones.
constexpr size_t kMostSeedBytes = 2000;

std::string TextOf(const reduction::Trace& trace) {
  std::string text;
  auto cursor = reduction::Cursor::Open(trace, 0);
  Require(cursor.ok());
  while (cursor->Next()) {
    AppendCanonicalText(cursor->event(), &text);
    text += '\n';
  }
  Require(cursor->status().ok());
  return text;
}

}  // namespace

std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds = {
      ToBytes("MPI_Init\nMPI_Finalize\n"),
      ToBytes("MPI_Send dest=1 tag=5 comm=0 bytes=800\n"
              "MPI_Recv source=any tag=any comm=0 bytes=800\n"),
      ToBytes("MPI_Irecv source=null tag=0 comm=1 bytes=8\n"
              "MPI_Waitall n=4\nMPI_Waitall n=4\nMPI_Waitall n=4\n"),
      ToBytes("MPI_Alltoallv comm=0 sendcounts=[1,2,3] recvcounts=[4,5,6]\n"),
      ToBytes("MPI_Allreduce comm=0 bytes=8 op=sum\n"
              "MPI_Comm_split comm=0 color=1 key=0 new=2\n"),
  };
  for (const Bytes& bytes : RecordedSeeds()) {
    const auto trace = reduction::Decode(bytes);
    Require(trace.ok());
    if (!trace->meta.complete) continue;
    std::string text = TextOf(*trace);
    if (text.size() > kMostSeedBytes) {
      text.resize(text.find('\n', kMostSeedBytes) + 1);
    }
    seeds.push_back(ToBytes(text));
  }
  return seeds;
}

}  // namespace ranksight::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranksight;
  static const fuzz::ScratchFolder folder;
  const adapters::Adapter* text = adapters::FindAdapter("text");
  folder.Put("0.txt", fuzz::AsText(data, size));
  const auto trace = text->read(folder.path(), {});
  if (!trace.ok()) {
    fuzz::RequireReason(trace.status().message());
    return 0;
  }
  const std::string lines = fuzz::TextOf(*trace);
  folder.Put("0.txt", lines);
  const auto again = text->read(folder.path(), {});
  fuzz::Require(again.ok() && fuzz::TextOf(*again) == lines);
  return 0;
}

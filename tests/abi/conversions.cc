#include "tests/abi/conversions.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace ranksight::abi_shim {
namespace {

// The number that `to` has where `from` has that one.
long Translate(const Constant* from, const Constant* to, Kind kind,
               long value) {
  for (size_t i = 0; i < kConstants; ++i) {
    if (from[i].kind == kind && from[i].value == value) return to[i].value;
  }
  return value;
}

int TranslateBits(const Constant* from, const Constant* to, int bits) {
  int translated = 0;
  for (size_t i = 0; i < kConstants; ++i) {
    if (from[i].kind == Kind::kMode && (bits & from[i].value) != 0) {
      translated |= int(to[i].value);
    }
  }
  return translated;
}

// MPICH and everything of its own, which calls one another and not us, whose
// names are the same.
void* OpenMpich() {
  void* const mpich =
      dlopen("libmpich_yielding.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (mpich == nullptr) {
    fprintf(stderr, "libmpi_abi.so: %s\n", dlerror());
    exit(EXIT_FAILURE);
  }
  return mpich;
}

constexpr int kNoError = -1;  // no call of MPICH leaves that in a status

// The neighbours of this rank, into it and out of it.
struct Degrees {
  int in = 0, out = 0;
};

Degrees DegreesOf(MPI_Comm comm) {
  using Ask = int (*)(MpichHandle, int*);
  static const auto topology_of = Mpich<Ask>("PMPI_Topo_test");
  static const auto dims_of = Mpich<Ask>("PMPI_Cartdim_get");
  static const auto rank_of = Mpich<Ask>("PMPI_Comm_rank");
  static const auto of_graph =
      Mpich<int (*)(MpichHandle, int, int*)>("PMPI_Graph_neighbors_count");
  static const auto of_edges = Mpich<int (*)(MpichHandle, int*, int*, int*)>(
      "PMPI_Dist_graph_neighbors_count");
  const MpichHandle mpich = HandleToMpich(comm);
  int topology = 0, weighted = 0, rank = 0;
  Degrees degrees;
  topology_of(mpich, &topology);
  switch (FromMpich(Kind::kTopology, topology)) {
    case MPI_CART:
      dims_of(mpich, &degrees.in);
      degrees.in = degrees.out = 2 * degrees.in;
      break;
    case MPI_GRAPH:
      rank_of(mpich, &rank);
      of_graph(mpich, rank, &degrees.in);
      degrees.out = degrees.in;
      break;
    case MPI_DIST_GRAPH:
      of_edges(mpich, &degrees.in, &degrees.out, &weighted);
      break;
    default:
      break;
  }
  return degrees;
}

}  // namespace

long ToMpich(Kind kind, long value) {
  return Translate(kAbiConstants, kMpichConstants, kind, value);
}

long FromMpich(Kind kind, long value) {
  return Translate(kMpichConstants, kAbiConstants, kind, value);
}

int ModeToMpich(int mode) {
  return TranslateBits(kAbiConstants, kMpichConstants, mode);
}

int ModeFromMpich(int mode) {
  return TranslateBits(kMpichConstants, kAbiConstants, mode);
}

MpichStatus StatusToMpich(const MPI_Status& status) {
  return {status.MPI_internal[0], status.MPI_internal[1],
          int(ToMpich(Kind::kRank, status.MPI_SOURCE)),
          int(ToMpich(Kind::kTag, status.MPI_TAG)),
          ErrorToMpich(status.MPI_ERROR)};
}

void StatusFromMpich(const MpichStatus& from, MPI_Status* to) {
  to->MPI_internal[0] = from.count_low;
  to->MPI_internal[1] = from.count_high;
  to->MPI_SOURCE = int(FromMpich(Kind::kRank, from.source));
  to->MPI_TAG = int(FromMpich(Kind::kTag, from.tag));
  to->MPI_ERROR = ErrorFromMpich(from.error);
}

StatusArgument::StatusArgument(MPI_Status* statuses, long count, void* ignore)
    : abi_(statuses), ignore_(ignore) {
  if (abi_ == nullptr) return;
  for (long i = 0; i < count; ++i) {
    mpich_.push_back(StatusToMpich(abi_[i]));
    mpich_.back().error = kNoError;
  }
  mpich_.reserve(1);  // an address also where there are none
}

StatusArgument::~StatusArgument() {
  if (abi_ == nullptr) return;
  for (size_t i = 0; i < mpich_.size(); ++i) {
    // A call that has no error to say there leaves what was there.
    const int error = abi_[i].MPI_ERROR;
    StatusFromMpich(mpich_[i], &abi_[i]);
    if (mpich_[i].error == kNoError) abi_[i].MPI_ERROR = error;
  }
}

const int* WeightsToMpich(const int* weights) {
  if (weights == MPI_UNWEIGHTED) {
    return *static_cast<int**>(FindInMpich("MPI_UNWEIGHTED"));
  }
  if (weights == MPI_WEIGHTS_EMPTY) {
    return *static_cast<int**>(FindInMpich("MPI_WEIGHTS_EMPTY"));
  }
  return weights;
}

std::vector<int> ConstantsToMpich(Kind kind, const int* values, long count) {
  std::vector<int> mpich(values, values + count);
  for (int& value : mpich) value = int(ToMpich(kind, value));
  mpich.reserve(1);
  return mpich;
}

long PeersOf(MPI_Comm comm) {
  using Ask = int (*)(MpichHandle, int*);
  static const auto is_inter = Mpich<Ask>("PMPI_Comm_test_inter");
  static const auto size_of = Mpich<Ask>("PMPI_Comm_size");
  static const auto remote_size_of = Mpich<Ask>("PMPI_Comm_remote_size");
  const MpichHandle mpich = HandleToMpich(comm);
  int inter = 0, size = 0;
  is_inter(mpich, &inter);
  (inter != 0 ? remote_size_of : size_of)(mpich, &size);
  return size;
}

long SourcesOf(MPI_Comm comm) { return DegreesOf(comm).in; }
long DestinationsOf(MPI_Comm comm) { return DegreesOf(comm).out; }

void* FindInMpich(const char* name) {
  static void* const mpich = OpenMpich();
  void* const found = dlsym(mpich, name);
  if (found == nullptr) {
    fprintf(stderr, "libmpi_abi.so: MPICH has no %s\n", name);
    exit(EXIT_FAILURE);
  }
  return found;
}

}  // namespace ranksight::abi_shim

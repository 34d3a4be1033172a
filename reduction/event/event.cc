#include "reduction/api/event.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "reduction/api/contract.h"

namespace ranksight::reduction {
namespace {

// Products and sums wrap rather than overflow: values of a damaged trace may
// be anything.
int64_t Product(int64_t a, int64_t b) {
  if (a == kNotKept || b == kNotKept) return kNotKept;
  if (IsSpecial(a) || IsSpecial(b)) return 0;
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

int64_t Sum(int64_t a, int64_t b) {
  if (a == kNotKept || b == kNotKept) return kNotKept;
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}

struct Side {
  Param count, size, counts, sizes;
};
constexpr Side kSend{Param::kCount, Param::kTypeSize, Param::kCounts,
                     Param::kTypeSizes};
constexpr Side kReceive{Param::kRecvCount, Param::kRecvTypeSize,
                        Param::kRecvCounts, Param::kRecvTypeSizes};

int64_t BytesOf(const Event& e, const Side& side) {
  if (!e.Has(side.counts)) {
    const int64_t bytes = Product(e.Get(side.count), e.Get(side.size));
    return Product(bytes, e.Get(Param::kPartitions, 1));
  }
  const auto counts = e.GetArray(side.counts);
  const auto sizes = e.GetArray(side.sizes);
  const int64_t size = e.Get(side.size);
  int64_t bytes = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    bytes = Sum(bytes, Product(counts[i], i < sizes.size() ? sizes[i] : size));
  }
  return bytes;
}

// Where each parameter stands among those of its call; -1: it has none.
class Places {
 public:
  Places() {
    for (auto& row : rows_) row.fill(-1);
    for (const CallInfo& info : AllCalls()) {
      auto& row = rows_[size_t(info.call)];
      for (size_t i = 0; i < info.params.size(); ++i) {
        row[size_t(info.params[i])] = int8_t(i);
      }
    }
  }
  int Of(Call call, Param p) const { return rows_[size_t(call)][size_t(p)]; }

 private:
  // Numbers of calls and parameters are frozen, and lie below these.
  static constexpr size_t kCalls = 1024, kParams = 96;
#define RANKSIGHT_FAMILY(family)
#define RANKSIGHT_CALL(id, name, roles) static_assert(id < kCalls);
#define RANKSIGHT_LOOK(name)
#include "reduction/api/calls.def"
#undef RANKSIGHT_FAMILY
#undef RANKSIGHT_CALL
#undef RANKSIGHT_LOOK
  static_assert(size_t(Param::kMatchedTags) < kParams);
  std::array<std::array<int8_t, kParams>, kCalls> rows_;
};

bool InPlace(const Event& e, std::string_view role) {
  return e.Get(Param::kInPlace) == 1 &&
         Info(e.call()).roles.find(role) != std::string_view::npos;
}

bool SendsAndReceivesInOneBuffer(Call call) {
  return call == Call::MPI_Sendrecv_replace_ ||
         call == Call::MPI_Isendrecv_replace_;
}

}  // namespace

void Event::Reset(Call call) {
  call_ = call;
  comm_size = kNotKept;
  filled_ = 0;
  offsets_[0] = 0;
  values_.clear();
}

void Event::Add(int64_t scalar) {
  values_.push_back(scalar);
  offsets_[++filled_] = static_cast<uint32_t>(values_.size());
}

void Event::AddArray(std::span<const int64_t> values) {
  values_.insert(values_.end(), values.begin(), values.end());
  offsets_[++filled_] = static_cast<uint32_t>(values_.size());
}

bool Event::Complete() const {
  const auto params = Info(call_).params;
  if (static_cast<size_t>(filled_) != params.size()) return false;
  for (int i = 0; i < filled_; ++i) {
    const Param p = params[i];
    const int64_t want = IsArray(p) ? Get(LengthOf(call_, p), -1) : 1;
    if (static_cast<int64_t>(ValuesAt(i).size()) != want) return false;
  }
  return true;
}

std::span<const int64_t> Event::ValuesAt(int index) const {
  RANKSIGHT_REQUIRE(index >= 0);
  return {values_.data() + offsets_[index],
          offsets_[index + 1] - offsets_[index]};
}

int64_t Event::Get(Param p, int64_t fallback) const {
  const int i = IndexOf(p);
  if (i < 0 || offsets_[i] == offsets_[i + 1]) return fallback;
  return values_[offsets_[i]];
}

std::span<const int64_t> Event::GetArray(Param p) const {
  const int i = IndexOf(p);
  return i < 0 ? std::span<const int64_t>() : ValuesAt(i);
}

void Event::Assign(Call call, std::span<const int64_t> values,
                   std::span<const uint32_t> offsets) {
  call_ = call;
  comm_size = kNotKept;
  values_.assign(values.begin(), values.end());
  filled_ = static_cast<int>(offsets.size()) - 1;
  std::copy(offsets.begin(), offsets.end(), offsets_.begin());
}

size_t Event::ForgetTooLarge() {
  size_t forgotten = 0;
  for (int64_t& v : values_) {
    if (v <= kLargestKept && v >= -kLargestKept) continue;
    v = kNone;
    ++forgotten;
  }
  return forgotten;
}

std::span<int64_t> Event::MutableArray(Param p) {
  const int i = IndexOf(p);
  if (i < 0) return {};
  return {values_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
}

int Event::IndexOf(Param p) const {
  static const Places places;
  const int place = places.Of(call_, p);
  return place < filled_ ? place : -1;
}

bool OnlyReceives(Call call) {
  switch (call) {
    case Call::MPI_Precv_init_:
    case Call::MPI_Get_:
    case Call::MPI_Rget_:
    case Call::MPI_Unpack_:
    case Call::MPI_Unpack_external_:
    case Call::MPI_Recv_:
    case Call::MPI_Irecv_:
    case Call::MPI_Recv_init_:
    case Call::MPI_Mrecv_:
    case Call::MPI_Imrecv_:
      return true;
    default:
      return Info(call).name.starts_with("MPI_File_read") ||
             Info(call).name.starts_with("MPI_File_iread");
  }
}

bool GivesShares(Call call) {
  return call == Call::MPI_Reduce_scatter_block_ ||
         call == Call::MPI_Ireduce_scatter_block_ ||
         call == Call::MPI_Reduce_scatter_block_init_;
}

int64_t ShareBytes(const Event& e) {
  if (OnlyReceives(e.call()) || InPlace(e, "sendinplace")) return 0;
  return BytesOf(e, kSend);
}

int64_t SendBytes(const Event& e) {
  const int64_t bytes = ShareBytes(e);
  return GivesShares(e.call()) ? Product(bytes, e.comm_size) : bytes;
}

int64_t RecvBytes(const Event& e) {
  if (OnlyReceives(e.call()) || SendsAndReceivesInOneBuffer(e.call())) {
    return BytesOf(e, kSend);
  }
  if (InPlace(e, "recvinplace")) return 0;
  return BytesOf(e, kReceive);
}

namespace {

int64_t AsMatched(const Event& e, int64_t asked, int64_t any, Param matched) {
  const auto found = e.GetArray(matched);
  const bool known = asked == any && found.size() == 1 && found[0] != kNone;
  return known ? found[0] : asked;
}

}  // namespace

int64_t ReceivedFrom(const Event& e) {
  const int64_t asked = e.Get(Param::kRecvPeer, e.Get(Param::kPeer));
  return AsMatched(e, asked, kPeerAny, Param::kMatched);
}

int64_t ReceivedTag(const Event& e) {
  const int64_t asked = e.Get(Param::kRecvTag, e.Get(Param::kTag));
  return AsMatched(e, asked, kTagAny, Param::kMatchedTags);
}

void SortRequests(std::span<const int64_t> passed,
                  std::vector<size_t>* places) {
  places->clear();
  for (size_t i = 0; i < passed.size(); ++i) {
    if (passed[i] != kRequestNull) places->push_back(i);
  }
  // References count backwards: the largest is the oldest.
  std::stable_sort(places->begin(), places->end(),
                   [&](size_t a, size_t b) { return passed[a] > passed[b]; });
}

void SetRequests(std::span<const int64_t> passed, Event* e) {
  const Event before = *e;
  std::vector<int64_t> requests(passed.begin(), passed.end());
  if (before.Has(Param::kOpenCount)) {
    // Empty slots and the order of slots are the program's and leave no trace;
    // what began first comes first.
    std::erase(requests, kRequestNull);
    std::sort(requests.begin(), requests.end(), std::greater<>());
  }
  const auto params = Info(before.call()).params;
  e->Reset(before.call());
  e->comm_size = before.comm_size;
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i] == Param::kOpenCount) {
      e->Add(int64_t(requests.size()));
    } else if (params[i] == Param::kRequests) {
      e->AddArray(requests);
    } else {
      e->AddArray(before.ValuesAt(int(i)));
    }
  }
}

}  // namespace ranksight::reduction

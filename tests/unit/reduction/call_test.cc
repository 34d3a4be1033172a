#include "reduction/api/call.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reduction/api/event.h"

namespace ranksight::reduction {
namespace {

std::vector<Param> ParamsOf(std::string_view name) {
  const CallInfo* info = FindCallByName(name);
  if (info == nullptr) return {};
  return {info->params.begin(), info->params.end()};
}

TEST(Call, EveryCallIsFoundByNumberAndByName) {
  ASSERT_GE(AllCalls().size(), 84u);
  for (const CallInfo& info : AllCalls()) {
    EXPECT_EQ(FindCall(static_cast<uint16_t>(info.call)), &info);
    EXPECT_EQ(FindCallByName(info.name), &info) << info.name;
    EXPECT_EQ(&Info(info.call), &info);
  }
}

TEST(Call, UnknownNumbersAndNamesAreNull) {
  EXPECT_EQ(FindCall(0), nullptr);
  EXPECT_EQ(FindCall(4), nullptr);
  EXPECT_EQ(FindCall(65535), nullptr);
  EXPECT_EQ(FindCallByName("MPI_Comm_rank"), nullptr);
  EXPECT_EQ(FindCallByName(""), nullptr);
  EXPECT_EQ(FindCallByName("MPI_Zzz"), nullptr);
}

TEST(Call, CallsThatReturnAtOnceNameTheirBlockingForm) {
  const std::pair<Call, Call> forms[] = {
      {Call::MPI_Ibcast_, Call::MPI_Bcast_},
      {Call::MPI_Ireduce_scatter_block_, Call::MPI_Reduce_scatter_block_},
      {Call::MPI_Irecv_, Call::MPI_Recv_},
      {Call::MPI_Improbe_, Call::MPI_Mprobe_},
      {Call::MPI_Bcast_, Call::MPI_Bcast_},
      {Call::MPI_Init_, Call::MPI_Init_},
      {Call::MPI_Intercomm_create_, Call::MPI_Intercomm_create_}};
  for (const auto& [call, blocking] : forms) {
    EXPECT_EQ(BlockingForm(call), blocking) << Info(call).name;
  }
  // Whatever has one stores the same, and a request besides.
  for (const CallInfo& info : AllCalls()) {
    if (!info.collective || BlockingForm(info.call) == info.call) continue;
    EXPECT_TRUE(info.makes_request) << info.name;
    EXPECT_FALSE(Info(BlockingForm(info.call)).makes_request) << info.name;
  }
}

TEST(Call, ProbesAreTheCallsOfThatName) {
  for (const CallInfo& info : AllCalls()) {
    EXPECT_EQ(IsProbe(info.call), info.name.ends_with("robe")) << info.name;
  }
}

TEST(Call, ASendStoresItsEnvelopeInArgumentOrder) {
  EXPECT_EQ(ParamsOf("MPI_Send"),
            (std::vector{Param::kCount, Param::kTypeKind, Param::kTypeSize,
                         Param::kTypeExcess, Param::kPeer, Param::kTag,
                         Param::kComm}));
}

TEST(Call, CountArraysBringTheirLength) {
  EXPECT_EQ(
      ParamsOf("MPI_Alltoallw"),
      (std::vector{Param::kInPlace, Param::kPeerCount, Param::kCounts,
                   Param::kTypeKinds, Param::kTypeSizes, Param::kTypeExcesses,
                   Param::kRecvPeerCount, Param::kRecvCounts,
                   Param::kRecvTypeKinds, Param::kRecvTypeSizes,
                   Param::kRecvTypeExcesses, Param::kComm}));
}

TEST(Call, SignificanceAtRootDoesNotChangeTheParameters) {
  EXPECT_EQ(ParamsOf("MPI_Gatherv"),
            (std::vector{Param::kInPlace, Param::kCount, Param::kTypeKind,
                         Param::kTypeSize, Param::kTypeExcess,
                         Param::kRecvPeerCount, Param::kRecvCounts,
                         Param::kRecvTypeKind, Param::kRecvTypeSize,
                         Param::kRecvTypeExcess, Param::kRoot, Param::kComm}));
}

TEST(Call, CompletionsStoreTheRequestsPassedAndDone) {
  EXPECT_EQ(
      ParamsOf("MPI_Wait"),
      (std::vector{Param::kRequestCount, Param::kRequests, Param::kMatchCount,
                   Param::kMatched, Param::kMatchedTags}));
  EXPECT_EQ(
      ParamsOf("MPI_Waitany"),
      (std::vector{Param::kRequestCount, Param::kOpenCount, Param::kRequests,
                   Param::kDoneCount, Param::kDone, Param::kMatchCount,
                   Param::kMatched, Param::kMatchedTags}));
  EXPECT_EQ(ParamsOf("MPI_Testsome"), ParamsOf("MPI_Waitany"));
  EXPECT_EQ(
      ParamsOf("MPI_Waitall"),
      (std::vector{Param::kRequestCount, Param::kOpenCount, Param::kRequests,
                   Param::kMatchCount, Param::kMatched, Param::kMatchedTags}));
  EXPECT_EQ(ParamsOf("MPI_Startall"),
            (std::vector{Param::kRequestCount, Param::kRequests}));
}

TEST(Call, CommunicatorMakersStoreWhatReplayNeeds) {
  EXPECT_EQ(ParamsOf("MPI_Cart_create"),
            (std::vector{Param::kComm, Param::kDimCount, Param::kDims,
                         Param::kPeriods, Param::kReorder, Param::kCommSize}));
  EXPECT_EQ(ParamsOf("MPI_Cart_sub"),
            (std::vector{Param::kComm, Param::kDimCount, Param::kRemain,
                         Param::kCommSize}));
  EXPECT_EQ(ParamsOf("MPI_Comm_create"),
            (std::vector{Param::kComm, Param::kMemberCount, Param::kMembers,
                         Param::kCommSize}));
}

TEST(Call, FlagsFollowTheRoles) {
  EXPECT_TRUE(Info(Call::MPI_Isend_).makes_request);
  EXPECT_FALSE(Info(Call::MPI_Send_).makes_request);
  EXPECT_TRUE(Info(Call::MPI_Send_init_).makes_persistent);
  EXPECT_FALSE(Info(Call::MPI_Send_init_).makes_request);
  EXPECT_TRUE(Info(Call::MPI_Comm_idup_).makes_request);
  EXPECT_TRUE(Info(Call::MPI_Comm_idup_).makes_comm);
  EXPECT_TRUE(Info(Call::MPI_Testall_).completes);
  EXPECT_FALSE(Info(Call::MPI_Start_).completes);
  EXPECT_FALSE(Info(Call::MPI_Request_free_).completes);
  EXPECT_TRUE(Info(Call::MPI_Ireduce_).rooted);
  EXPECT_FALSE(Info(Call::MPI_Allreduce_).rooted);
  EXPECT_TRUE(Info(Call::MPI_Barrier_).collective);
  EXPECT_TRUE(Info(Call::MPI_Comm_split_).collective);
  EXPECT_FALSE(Info(Call::MPI_Sendrecv_).collective);
}

// The contract of Event: scalars and arrays can be added in one pass because
// a length stands before each of its arrays.
TEST(Call, EveryLengthStandsBeforeItsArraysAndNothingTwice) {
  for (const CallInfo& info : AllCalls()) {
    EXPECT_LE(info.params.size(), size_t{Event::kMaxParams}) << info.name;
    std::set<Param> seen;
    for (const Param p : info.params) {
      EXPECT_TRUE(!IsArray(p) || seen.contains(LengthOf(info.call, p)))
          << info.name;
      EXPECT_TRUE(seen.insert(p).second) << info.name;
    }
  }
}

// What MPI's chapters say, by the names alone; the first that fits.
Family ByName(std::string_view name) {
  static const std::pair<const char*, Family> kRules[] = {
      {"(Type|Group|Info|Op|Errhandler|Attr|Keyval|Buffer)_.*"
       "|.*_(keyval|attr|errhandler)|Comm_set_info|Add_error_.*|Reduce_local"
       "|(Un)?pack.*|(Alloc|Free)_mem|Register_datarep",
       Family::kLocal},
      {"File_.*", Family::kFile},
      {"Win_.*|R?(put|get|accumulate|get_accumulate)|Fetch_and_op"
       "|Compare_and_swap",
       Family::kOneSided},
      {"(Session|Grequest)_.*|.*_(port|name)"
       "|Comm_(spawn.*|accept|connect|join)",
       Family::kProcess},
      {"I?neighbor_.*", Family::kNeighbourhood},
      {"P(send|recv)_init|Pready.*|Parrived", Family::kPartitioned},
      {"(Comm|Intercomm|Cart|Graph|Dist_graph)_.*", Family::kCommunicator},
      {"(Wait|Test).*|Request_free|Cancel", Family::kCompletion},
      {".*(send|recv|probe).*|Start(all)?", Family::kPointToPoint},
      {"Init|Finalize|Abort", Family::kEnvironment},
      {".*_init", Family::kPersistentCollective}};
  for (const auto& [names, family] : kRules) {
    const std::regex rule("MPI_(" + std::string(names) + ")",
                          std::regex::icase);
    if (std::regex_match(name.begin(), name.end(), rule)) return family;
  }
  return Family::kCollective;
}

TEST(Call, BelongsToTheFamilyThatItsNameSays) {
  for (const CallInfo& info : AllCalls()) {
    EXPECT_EQ(info.family, ByName(info.name)) << info.name;
    EXPECT_EQ(info.collective,
              info.family == Family::kCollective || info.makes_comm)
        << info.name;
  }
}

TEST(Call, EveryParameterHasAName) {
  std::set<std::string_view> names;
  int known = 0;
  for (int n = 0; n < 256; ++n) {
    if (!IsKnownParam(static_cast<uint8_t>(n))) continue;
    ++known;
    const auto name = ParamName(static_cast<Param>(n));
    EXPECT_FALSE(name.empty()) << n;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(known, 85);
  EXPECT_EQ(ParamName(Param::kPeer), "peer");
  EXPECT_EQ(ParamName(Param::kSession), "session");
  EXPECT_EQ(ParamName(static_cast<Param>(200)), "");
  // Sentences say what our own words stand for.
  for (int n = 1; n <= 200; ++n) {
    const std::string words(ParamWords(static_cast<Param>(n)));
    EXPECT_EQ(words.find("excess"), words.npos) << words;
    EXPECT_EQ(words.find("kind"), words.npos) << words;
    EXPECT_EQ(words.find("made_"), words.npos) << words;
  }
  EXPECT_EQ(ParamWords(Param::kPeer), "peer");
}

TEST(Call, RanksAreThePeersRootsAndMembers) {
  for (const Param p : {Param::kPeer, Param::kRecvPeer, Param::kRoot,
                        Param::kMembers, Param::kMatched}) {
    EXPECT_TRUE(IsRank(p)) << ParamName(p);
  }
  for (const Param p : {Param::kTag, Param::kComm, Param::kCommSize,
                        Param::kCounts, Param::kDone}) {
    EXPECT_FALSE(IsRank(p)) << ParamName(p);
  }
}

TEST(Call, CallsThatOnlyLookAreNoEvents) {
  EXPECT_GT(LookCalls().size(), 60u);
  for (const auto name : LookCalls()) {
    EXPECT_EQ(FindCallByName(name), nullptr) << name;
  }
}

// These numbers stand in trace files: a change here breaks old files.
TEST(Call, CodesOfPredefinedTypesAndOperationsAreFrozen) {
  EXPECT_EQ(TypeCodeByName("MPI_CHAR"), 1);
  EXPECT_EQ(TypeCodeByName("MPI_BYTE"), 4);
  EXPECT_EQ(TypeCodeByName("MPI_INT"), 8);
  EXPECT_EQ(TypeCodeByName("MPI_DOUBLE"), 13);
  EXPECT_EQ(TypeCodeByName("MPI_INTEGER"), 43);
  EXPECT_EQ(TypeCodeByName("MPI_UB"), 67);
  EXPECT_EQ(OpCodeByName("MPI_SUM"), 3);
  EXPECT_EQ(OpCodeByName("MPI_NO_OP"), 14);
  EXPECT_EQ(TypeCodeByName("MPI_NONSENSE"), 0);
  EXPECT_EQ(OpCodeByName(""), 0);
  EXPECT_EQ(TypeNameByCode(-1), "");
  EXPECT_EQ(TypeNameByCode(kTypeKindDerived), "");
  EXPECT_EQ(OpNameByCode(kOpUser), "");
}

TEST(Call, PredefinedNamesAndCodesAreInverse) {
  for (size_t i = 1; i < TypeNames().size(); ++i) {
    EXPECT_EQ(TypeCodeByName(TypeNames()[i]), static_cast<int64_t>(i));
    EXPECT_EQ(TypeNameByCode(static_cast<int64_t>(i)), TypeNames()[i]);
  }
  for (size_t i = 1; i < OpNames().size(); ++i) {
    EXPECT_EQ(OpCodeByName(OpNames()[i]), static_cast<int64_t>(i));
    EXPECT_EQ(OpNameByCode(static_cast<int64_t>(i)), OpNames()[i]);
  }
}

}  // namespace
}  // namespace ranksight::reduction

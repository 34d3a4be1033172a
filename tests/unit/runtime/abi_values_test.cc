// The constants of runtime/abi/mpi.h against what the standard says of them as
// a whole: no number is repeated here that a rule gives.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/abi/mpi.h"

namespace {

struct Named {
  std::string name;
  uintptr_t number;
};
#define NAMED(name) \
  Named { #name, (uintptr_t)(name) }

const std::vector<Named> kOps = {
    NAMED(MPI_OP_NULL), NAMED(MPI_SUM),     NAMED(MPI_MIN),  NAMED(MPI_MAX),
    NAMED(MPI_PROD),    NAMED(MPI_BAND),    NAMED(MPI_BOR),  NAMED(MPI_BXOR),
    NAMED(MPI_LAND),    NAMED(MPI_LOR),     NAMED(MPI_LXOR), NAMED(MPI_MINLOC),
    NAMED(MPI_MAXLOC),  NAMED(MPI_REPLACE), NAMED(MPI_NO_OP)};

const std::vector<Named> kObjects = {
    NAMED(MPI_COMM_NULL),       NAMED(MPI_COMM_WORLD),
    NAMED(MPI_COMM_SELF),       NAMED(MPI_GROUP_NULL),
    NAMED(MPI_GROUP_EMPTY),     NAMED(MPI_WIN_NULL),
    NAMED(MPI_FILE_NULL),       NAMED(MPI_SESSION_NULL),
    NAMED(MPI_MESSAGE_NULL),    NAMED(MPI_MESSAGE_NO_PROC),
    NAMED(MPI_INFO_NULL),       NAMED(MPI_INFO_ENV),
    NAMED(MPI_ERRHANDLER_NULL), NAMED(MPI_ERRORS_ARE_FATAL),
    NAMED(MPI_ERRORS_ABORT),    NAMED(MPI_ERRORS_RETURN),
    NAMED(MPI_REQUEST_NULL)};

const std::vector<Named> kMachineTypes = {NAMED(MPI_DATATYPE_NULL),
                                          NAMED(MPI_AINT),
                                          NAMED(MPI_COUNT),
                                          NAMED(MPI_OFFSET),
                                          NAMED(MPI_PACKED),
                                          NAMED(MPI_SHORT),
                                          NAMED(MPI_INT),
                                          NAMED(MPI_LONG),
                                          NAMED(MPI_LONG_LONG),
                                          NAMED(MPI_UNSIGNED_SHORT),
                                          NAMED(MPI_UNSIGNED),
                                          NAMED(MPI_UNSIGNED_LONG),
                                          NAMED(MPI_UNSIGNED_LONG_LONG),
                                          NAMED(MPI_FLOAT),
                                          NAMED(MPI_C_FLOAT_COMPLEX),
                                          NAMED(MPI_CXX_FLOAT_COMPLEX),
                                          NAMED(MPI_DOUBLE),
                                          NAMED(MPI_C_DOUBLE_COMPLEX),
                                          NAMED(MPI_CXX_DOUBLE_COMPLEX),
                                          NAMED(MPI_LOGICAL),
                                          NAMED(MPI_INTEGER),
                                          NAMED(MPI_REAL),
                                          NAMED(MPI_COMPLEX),
                                          NAMED(MPI_DOUBLE_PRECISION),
                                          NAMED(MPI_DOUBLE_COMPLEX),
                                          NAMED(MPI_CHARACTER),
                                          NAMED(MPI_LONG_DOUBLE),
                                          NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
                                          NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
                                          NAMED(MPI_FLOAT_INT),
                                          NAMED(MPI_DOUBLE_INT),
                                          NAMED(MPI_LONG_INT),
                                          NAMED(MPI_2INT),
                                          NAMED(MPI_SHORT_INT),
                                          NAMED(MPI_LONG_DOUBLE_INT),
                                          NAMED(MPI_2REAL),
                                          NAMED(MPI_2DOUBLE_PRECISION),
                                          NAMED(MPI_2INTEGER),
                                          NAMED(MPI_C_BOOL),
                                          NAMED(MPI_CXX_BOOL),
                                          NAMED(MPI_WCHAR)};

// Their bytes are those of a C type, or the number behind a Fortran name.
const std::vector<std::pair<Named, size_t>> kSizedTypes = {
    {NAMED(MPI_INT8_T), sizeof(int8_t)},
    {NAMED(MPI_UINT8_T), sizeof(uint8_t)},
    {NAMED(MPI_CHAR), sizeof(char)},
    {NAMED(MPI_SIGNED_CHAR), sizeof(signed char)},
    {NAMED(MPI_UNSIGNED_CHAR), sizeof(unsigned char)},
    {NAMED(MPI_BYTE), 1},
    {NAMED(MPI_INT16_T), sizeof(int16_t)},
    {NAMED(MPI_UINT16_T), sizeof(uint16_t)},
    {NAMED(MPI_INT32_T), sizeof(int32_t)},
    {NAMED(MPI_UINT32_T), sizeof(uint32_t)},
    {NAMED(MPI_INT64_T), sizeof(int64_t)},
    {NAMED(MPI_UINT64_T), sizeof(uint64_t)},
    {NAMED(MPI_LOGICAL1), 0},
    {NAMED(MPI_INTEGER1), 0},
    {NAMED(MPI_LOGICAL2), 0},
    {NAMED(MPI_INTEGER2), 0},
    {NAMED(MPI_REAL2), 0},
    {NAMED(MPI_LOGICAL4), 0},
    {NAMED(MPI_INTEGER4), 0},
    {NAMED(MPI_REAL4), 0},
    {NAMED(MPI_COMPLEX4), 0},
    {NAMED(MPI_LOGICAL8), 0},
    {NAMED(MPI_INTEGER8), 0},
    {NAMED(MPI_REAL8), 0},
    {NAMED(MPI_COMPLEX8), 0},
    {NAMED(MPI_LOGICAL16), 0},
    {NAMED(MPI_INTEGER16), 0},
    {NAMED(MPI_REAL16), 0},
    {NAMED(MPI_COMPLEX16), 0},
    {NAMED(MPI_COMPLEX32), 0}};

std::vector<Named> AllHandles() {
  std::vector<Named> all = kOps;
  all.insert(all.end(), kObjects.begin(), kObjects.end());
  all.insert(all.end(), kMachineTypes.begin(), kMachineTypes.end());
  for (const auto& [type, bytes] : kSizedTypes) all.push_back(type);
  return all;
}

TEST(AbiValues, HandlesAreDistinctAndLieWhereNoObjectDoes) {
  std::map<uintptr_t, std::string> seen;
  for (const Named& handle : AllHandles()) {
    EXPECT_GT(handle.number, 0u) << handle.name;
    // Ten of the twelve bits are used so far.
    EXPECT_LT(handle.number, 1u << 10) << handle.name;
    const auto [at, is_new] = seen.emplace(handle.number, handle.name);
    EXPECT_TRUE(is_new) << handle.name << " is " << at->second;
  }
}

TEST(AbiValues, TheFirstBitsOfAHandleSayOfWhatKindItIs) {
  for (const Named& op : kOps) EXPECT_EQ(op.number >> 5, 1u) << op.name;
  for (const Named& object : kObjects) {
    EXPECT_EQ(object.number >> 8, 1u) << object.name;
  }
  for (const Named& type : kMachineTypes) {
    EXPECT_EQ(type.number >> 8, 2u) << type.name;
  }
  for (const auto& [type, bytes] : kSizedTypes) {
    EXPECT_EQ(type.number >> 8, 2u) << type.name;
  }
}

// Each kind of object has eight numbers or more, and its null handle begins
// them.
TEST(AbiValues, TheNullHandleIsTheFirstOfItsKind) {
  std::set<uintptr_t> kinds;
  for (const Named& object : kObjects) {
    const bool is_null = object.name.ends_with("_NULL");
    EXPECT_EQ(object.number % 8 == 0, is_null) << object.name;
    const bool is_first = kinds.insert(object.number / 8).second;
    EXPECT_EQ(is_first, is_null) << object.name;
  }
}

TEST(AbiValues, ATypeOfOneSizeTellsItsBytes) {
  for (const auto& [type, bytes] : kSizedTypes) {
    const size_t digits = type.name.find_first_of("0123456789");
    const size_t expected =
        bytes != 0 ? bytes : std::stoul(type.name.substr(digits));
    EXPECT_EQ(size_t{1} << (type.number >> 3 & 7), expected) << type.name;
    EXPECT_NE(type.number >> 6 & 3, 0u) << type.name;
  }
  for (const Named& type : kMachineTypes) {
    EXPECT_EQ(type.number >> 6 & 3, 0u) << type.name;
  }
}

TEST(AbiValues, AStatusIsEightNumbersOfWhichAProgramSeesThree) {
  EXPECT_EQ(sizeof(MPI_Status), 8 * sizeof(int));
  EXPECT_EQ(offsetof(MPI_Status, MPI_SOURCE), 0u);
  EXPECT_EQ(offsetof(MPI_Status, MPI_TAG), sizeof(int));
  EXPECT_EQ(offsetof(MPI_Status, MPI_ERROR), 2 * sizeof(int));
  EXPECT_EQ(sizeof(MPI_Aint), sizeof(void*));
  EXPECT_EQ(sizeof(MPI_Count), 8u);
  EXPECT_EQ(sizeof(MPI_Offset), 8u);
  EXPECT_EQ(sizeof(MPI_Comm), sizeof(void*));
}

TEST(AbiValues, WhatStandsForNoRankOrTagIsNegative) {
  const std::set<int> ranks = {MPI_ANY_SOURCE, MPI_PROC_NULL, MPI_ROOT,
                               MPI_ANY_TAG, MPI_UNDEFINED};
  EXPECT_EQ(ranks.size(), 5u);
  EXPECT_LT(*ranks.rbegin(), 0);
}

TEST(AbiValues, WhatIsJoinedByBitsHasOneOfItsOwn) {
  unsigned joined = 0;
  const std::vector<unsigned> modes = {
      MPI_MODE_APPEND,     MPI_MODE_CREATE,      MPI_MODE_DELETE_ON_CLOSE,
      MPI_MODE_EXCL,       MPI_MODE_RDONLY,      MPI_MODE_RDWR,
      MPI_MODE_SEQUENTIAL, MPI_MODE_UNIQUE_OPEN, MPI_MODE_WRONLY,
      MPI_MODE_NOCHECK,    MPI_MODE_NOPRECEDE,   MPI_MODE_NOPUT,
      MPI_MODE_NOSTORE,    MPI_MODE_NOSUCCEED};
  for (const unsigned mode : modes) {
    EXPECT_EQ(mode & (mode - 1), 0u);
    EXPECT_EQ(mode & joined, 0u);
    joined |= mode;
  }
}

TEST(AbiValues, MoreOfThreadsIsGreater) {
  EXPECT_LT(MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED);
  EXPECT_LT(MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED);
  EXPECT_LT(MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE);
}

// The profiling names are the same functions.
TEST(AbiValues, AToolCallsWhatAProgramCalls) {
  const bool alike =
      std::is_same_v<decltype(&MPI_Send), decltype(&PMPI_Send)> &&
      std::is_same_v<decltype(&MPI_Win_sync), decltype(&PMPI_Win_sync)>;
  EXPECT_TRUE(alike);
}

}  // namespace

// Datatypes and reduction operators as the trace names them.
// Thread-safety: one caller at a time.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace ranksight::runtime {

struct TypeInfo {
  int64_t kind = 0;    // predefined code, or kTypeKindDerived + combiner
  int64_t size = 0;    // bytes of data
  int64_t excess = 0;  // extent - size
  // Whether it holds until the type is seen to be freed. One that was not seen
  // being made may be freed unseen, and its handle come again: Fortran's
  // mpi_f08 makes one for each call with a part of an array.
  bool lasts = true;
};

class TypeTable {
 public:
  // What is known of it; nullptr for a handle that may be no datatype.
  const TypeInfo* Find(MPI_Datatype type) const;
  // The same, asking MPI where nothing is known; until the next call of it.
  // REQUIRES: a datatype.
  const TypeInfo& Get(MPI_Datatype type);
  // The same of one just made.
  const TypeInfo& Add(MPI_Datatype type);
  // What was known of it.
  std::optional<TypeInfo> Forget(MPI_Datatype type);
  void PutBack(MPI_Datatype type, const std::optional<TypeInfo>& known);
  int64_t OpCode(MPI_Op op);

 private:
  std::unordered_map<uint64_t, TypeInfo> types_;
  TypeInfo passing_;  // that does not last
  std::unordered_map<uint64_t, int64_t> ops_;
};

}  // namespace ranksight::runtime

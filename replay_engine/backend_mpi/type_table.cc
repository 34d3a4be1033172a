#include "replay_engine/backend_mpi/type_table.h"

#include <algorithm>
#include <climits>
#include <string>

#include "reduction/api/call.h"
#include "replay_engine/backend_mpi/mpi_status.h"
#include "replay_engine/backend_mpi/predefined.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Result;
using reduction::Status;

// Elements and bytes that no message has; keeps every product in 64 bits.
constexpr int64_t kAbsurd = int64_t{1} << 46;

// count elements of `base`, one behind the other, for any count.
int MakeRepeated(int64_t count, MPI_Datatype base, MPI_Aint extent,
                 MPI_Datatype* type) {
  constexpr int64_t kBlock = int64_t{1} << 30;
  if (count < kBlock) {
    return PMPI_Type_contiguous(static_cast<int>(count), base, type);
  }
  MPI_Datatype block, parts[2];
  int code = PMPI_Type_contiguous(static_cast<int>(kBlock), base, &block);
  if (code != MPI_SUCCESS) return code;
  PMPI_Type_contiguous(static_cast<int>(count / kBlock), block, &parts[0]);
  PMPI_Type_contiguous(static_cast<int>(count % kBlock), base, &parts[1]);
  int lengths[2] = {1, 1};
  MPI_Aint places[2] = {0, MPI_Aint(count / kBlock * kBlock) * extent};
  code = PMPI_Type_create_struct(2, lengths, places, parts, type);
  PMPI_Type_free(&block);
  PMPI_Type_free(&parts[0]);
  PMPI_Type_free(&parts[1]);
  return code;
}

}  // namespace

TypeTable::TypeTable() {
  for (const std::string_view name : reduction::TypeNames()) {
    Predefined p;
    p.type = PredefinedType(name);
    if (p.type != MPI_DATATYPE_NULL) {
      int size = 0;
      MPI_Aint lower = 0, extent = 0;
      PMPI_Type_size(p.type, &size);
      PMPI_Type_get_extent(p.type, &lower, &extent);
      p.size = size;
      p.extent = extent;
    }
    predefined_.push_back(p);
  }
}

Result<Layout> TypeTable::Get(int64_t count, const TypeDescription& t) {
  if (count < 0 || count > kAbsurd || t.size < 0 || t.size > kAbsurd ||
      t.excess < -kAbsurd || t.excess > kAbsurd ||
      (t.size > 0 && count > kAbsurd / t.size)) {
    return Status::BadInput("no message has " + std::to_string(count) +
                            " elements of " + std::to_string(t.size) +
                            " bytes");
  }
  Layout layout;
  layout.extent = t.size + t.excess;
  // What goes backwards is laid out forwards: only its room matters.
  if (layout.extent < 0) layout.extent = t.size;
  // A predefined type of another size is one of another machine.
  layout.predefined = t.kind > 0 && t.kind < std::ssize(predefined_) &&
                      predefined_[size_t(t.kind)].size == t.size;
  if (layout.predefined) {
    layout.type = predefined_[size_t(t.kind)].type;
    layout.extent = predefined_[size_t(t.kind)].extent;
  } else {
    Result<MPI_Datatype> made = Derived(t.size, layout.extent);
    if (!made.ok()) return made.status();
    layout.type = *made;
  }
  const auto extent = static_cast<uint64_t>(std::max(layout.extent, t.size));
  layout.span = static_cast<uint64_t>(count) * extent;
  if (count > INT_MAX) {
    Result<MPI_Datatype> made = Large(count, layout.type, layout.extent);
    if (!made.ok()) return made.status();
    layout.type = *made;
    layout.extent = static_cast<int64_t>(layout.span);
    layout.predefined = false;
    count = 1;
  }
  layout.count = static_cast<int>(count);
  return layout;
}

Result<MPI_Datatype> TypeTable::Derived(int64_t size, int64_t extent) {
  const auto [it, added] =
      derived_.try_emplace({size, extent}, MPI_DATATYPE_NULL);
  if (!added) return it->second;
  MPI_Datatype bytes;
  int code = MakeRepeated(size, MPI_BYTE, 1, &bytes);
  if (code == MPI_SUCCESS) {
    code = PMPI_Type_create_resized(bytes, 0, extent, &it->second);
    PMPI_Type_free(&bytes);
  }
  if (code == MPI_SUCCESS) code = PMPI_Type_commit(&it->second);
  if (code != MPI_SUCCESS) return FromMpi(code);
  return it->second;
}

Result<MPI_Datatype> TypeTable::Large(int64_t count, MPI_Datatype element,
                                      int64_t extent) {
  const auto [it, added] =
      large_.try_emplace({count, element}, MPI_DATATYPE_NULL);
  if (!added) return it->second;
  int code = MakeRepeated(count, element, extent, &it->second);
  if (code == MPI_SUCCESS) code = PMPI_Type_commit(&it->second);
  if (code != MPI_SUCCESS) return FromMpi(code);
  return it->second;
}

void TypeTable::FreeAll() {
  for (auto& [key, type] : large_) {
    if (type != MPI_DATATYPE_NULL) PMPI_Type_free(&type);
  }
  for (auto& [key, type] : derived_) {
    if (type != MPI_DATATYPE_NULL) PMPI_Type_free(&type);
  }
  large_.clear();
  derived_.clear();
}

}  // namespace ranksight::replay_engine

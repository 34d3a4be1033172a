#include "runtime/capture/type_table.h"

#include <algorithm>

#include "reduction/api/call.h"
#include "runtime/capture/handle_key.h"

namespace ranksight::runtime {
namespace {

struct NamedOp {
  MPI_Op op;
  const char* name;
};

// Types made by large-count calls have no envelope of ints, and asking for it
// is an error that ends the program.
int CombinerOf(MPI_Datatype type) {
  int combiner = MPI_COMBINER_NAMED;
#if MPI_VERSION >= 4
  MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
  PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types,
                           &combiner);
#else
  int integers = 0, addresses = 0, types = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
  return combiner;
}

TypeInfo Describe(MPI_Datatype type) {
  TypeInfo info;
  if (type == MPI_DATATYPE_NULL) return info;
  MPI_Count size = 0, lower = 0, extent = 0;
  PMPI_Type_size_x(type, &size);
  PMPI_Type_get_extent_x(type, &lower, &extent);
  info.size = std::max<int64_t>(size, 0);
  info.excess = int64_t(extent) - info.size;
  const int combiner = CombinerOf(type);
  if (combiner == MPI_COMBINER_NAMED) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    PMPI_Type_get_name(type, name, &length);
    info.kind = reduction::TypeCodeByName(name);
  } else {
    info.kind = reduction::kTypeKindDerived + combiner;
  }
  return info;
}

}  // namespace

const TypeInfo* TypeTable::Find(MPI_Datatype type) const {
  static constexpr TypeInfo kNull;
  if (type == MPI_DATATYPE_NULL) return &kNull;
  const auto it = types_.find(KeyOf(type));
  return it == types_.end() ? nullptr : &it->second;
}

const TypeInfo& TypeTable::Get(MPI_Datatype type) {
  const auto it = types_.find(KeyOf(type));
  if (it != types_.end()) return it->second;
  passing_ = Describe(type);
  passing_.lasts = passing_.kind < reduction::kTypeKindDerived;
  if (!passing_.lasts) return passing_;
  return types_[KeyOf(type)] = passing_;
}

const TypeInfo& TypeTable::Add(MPI_Datatype type) {
  // Its handle may have been another type's, freed out of our sight.
  Forget(type);
  return types_[KeyOf(type)] = Describe(type);
}

std::optional<TypeInfo> TypeTable::Forget(MPI_Datatype type) {
  const auto known = types_.extract(KeyOf(type));
  if (!known) return std::nullopt;
  Meanings::Change();
  return known.mapped();
}

void TypeTable::PutBack(MPI_Datatype type,
                        const std::optional<TypeInfo>& known) {
  if (known) types_[KeyOf(type)] = *known;
}

int64_t TypeTable::OpCode(MPI_Op op) {
  if (ops_.empty()) {
    const NamedOp named[] = {
        {MPI_MAX, "MPI_MAX"},         {MPI_MIN, "MPI_MIN"},
        {MPI_SUM, "MPI_SUM"},         {MPI_PROD, "MPI_PROD"},
        {MPI_LAND, "MPI_LAND"},       {MPI_BAND, "MPI_BAND"},
        {MPI_LOR, "MPI_LOR"},         {MPI_BOR, "MPI_BOR"},
        {MPI_LXOR, "MPI_LXOR"},       {MPI_BXOR, "MPI_BXOR"},
        {MPI_MAXLOC, "MPI_MAXLOC"},   {MPI_MINLOC, "MPI_MINLOC"},
        {MPI_REPLACE, "MPI_REPLACE"}, {MPI_NO_OP, "MPI_NO_OP"}};
    for (const NamedOp& n : named) {
      ops_[KeyOf(n.op)] = reduction::OpCodeByName(n.name);
    }
  }
  const auto it = ops_.find(KeyOf(op));
  return it == ops_.end() ? reduction::kOpUser : it->second;
}

}  // namespace ranksight::runtime

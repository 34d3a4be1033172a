// Files: the same calls on scratch files of the replay's own, each made at
// MPI_File_open and gone when it is closed.
#include <unistd.h>

#include <algorithm>
#include <string>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/modes.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Result;
using reduction::Status;

// What was not there before the recorded program read it is zeros, and no
// blocks on the disk.
constexpr MPI_Offset kExisting = MPI_Offset{1} << 36;

// One name for all ranks of the communicator, nobody else's.
std::string ScratchName(MPI_Comm comm, MpiState& state) {
  long long made[2] = {getpid(), state.scratch_files++};
  PMPI_Bcast(made, 2, MPI_LONG_LONG, 0, comm);
  return state.options.scratch + "/ranksight-replay." +
         std::to_string(made[0]) + "." + std::to_string(made[1]);
}

Status Open(const Operation& operation, Arguments& a, MpiState& state) {
  const int64_t access = operation.event->Get(Param::kMode);
  // Whatever the program opened, scratch files are made, read and written.
  const int recorded = ModeBits(ModeKind::kAccess, access);
  const int mode = (recorded & (MPI_MODE_UNIQUE_OPEN | MPI_MODE_APPEND)) |
                   MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE;
  const bool existed = (recorded & (MPI_MODE_CREATE | MPI_MODE_WRONLY)) == 0;
  const std::string name = ScratchName(a.comm(), state);
  FileEntry& file = state.files.Add(operation.new_object);
  const int code =
      MPI_File_open(a.comm(), name.c_str(), mode, MPI_INFO_NULL, &file.handle);
  if (code != MPI_SUCCESS) {
    return Status::Io("no scratch file " + name + ": " +
                      FromMpi(code).message());
  }
  // Where files cannot be that large, reads find less than they did.
  if (existed) PMPI_File_set_size(file.handle, kExisting);
  return Status::Ok();
}

// Everything but data.
int Manage(const Event& e, Arguments& a, MPI_File file) {
  const MPI_Offset offset = e.Get(Param::kOffset);
  const int whence = ModeNumber(ModeKind::kWhence, e.Get(Param::kMode));
  switch (e.call()) {
    case Call::MPI_File_set_size_:
      return MPI_File_set_size(file, e.Get(Param::kSize));
    case Call::MPI_File_preallocate_:
      return MPI_File_preallocate(file, e.Get(Param::kSize));
    case Call::MPI_File_set_info_:
      return MPI_File_set_info(file, MPI_INFO_NULL);
    case Call::MPI_File_seek_:
      return MPI_File_seek(file, offset, whence);
    case Call::MPI_File_seek_shared_:
      return MPI_File_seek_shared(file, offset, whence);
    case Call::MPI_File_set_atomicity_:
      return MPI_File_set_atomicity(file, a.Int(Param::kMode));
    default:
      return MPI_File_sync(file);
  }
}

// Places are in elements of this type, so the view stays what it was.
Status SetView(const Event& e, Arguments& a, MPI_File file) {
  const MPI_Datatype element = a.Type(Param::kTypeKind);
  const MPI_Datatype pattern = a.Type(Param::kTargetTypeKind);
  if (!a.ok()) return a.status();
  // Below 0 is MPI_DISPLACEMENT_CURRENT.
  const MPI_Offset place = std::max<MPI_Offset>(0, e.Get(Param::kOffset));
  return FromMpi(MPI_File_set_view(file, place, element, pattern, "native",
                                   MPI_INFO_NULL));
}

Status Close(int64_t number, FileEntry& file, MpiState& state) {
  const int code = MPI_File_close(&file.handle);
  if (code == MPI_SUCCESS) state.files.Remove(number);
  return FromMpi(code);
}

Status Delete(MpiState& state) {
  const std::string name = ScratchName(MPI_COMM_SELF, state);
  MPI_File file = MPI_FILE_NULL;
  const int code =
      PMPI_File_open(MPI_COMM_SELF, name.c_str(),
                     MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  if (code != MPI_SUCCESS) return FromMpi(code);
  PMPI_File_close(&file);
  return FromMpi(MPI_File_delete(name.c_str(), MPI_INFO_NULL));
}

}  // namespace

Status PerformOnFile(const Operation& operation, MpiState& state) {
  const Event& e = *operation.event;
  Arguments a(operation, state);
  if (!a.ok()) return a.status();
  if (operation.new_object >= 0) return Open(operation, a, state);
  if (e.call() == Call::MPI_File_delete_) return Delete(state);
  const int64_t number = e.Get(Param::kFile);
  Result<FileEntry*> file = state.files.Find(number);
  if (!file.ok()) return file.status();
  if (e.call() == Call::MPI_File_close_) return Close(number, **file, state);
  if (e.call() == Call::MPI_File_set_view_) {
    return SetView(e, a, (*file)->handle);
  }
  if (e.call() >= Call::MPI_File_read_at_) {
    return TransferOnFile(e, a, (*file)->handle);
  }
  const int code = Manage(e, a, (*file)->handle);
  return a.ok() ? FromMpi(code) : a.status();
}

}  // namespace ranksight::replay_engine

// Reading and writing files.
#include <string_view>

#include "replay_engine/backend_mpi/families.h"
#include "replay_engine/backend_mpi/mpi_status.h"

namespace ranksight::replay_engine {
namespace {

using reduction::Call;
using reduction::Event;
using reduction::Param;
using reduction::Status;

int Blocking(const Event& e, const Payload& p, MPI_File file) {
  const MPI_Offset offset = e.Get(Param::kOffset);
  const auto at = [&](auto* f) {
    return f(file, offset, p.buffer, p.count, p.type, MPI_STATUS_IGNORE);
  };
  const auto here = [&](auto* f) {
    return f(file, p.buffer, p.count, p.type, MPI_STATUS_IGNORE);
  };
  const auto begin_at = [&](auto* f) {
    return f(file, offset, p.buffer, p.count, p.type);
  };
  const auto begin = [&](auto* f) {
    return f(file, p.buffer, p.count, p.type);
  };
  const auto end = [&](auto* f) {
    return f(file, p.buffer, MPI_STATUS_IGNORE);
  };
  switch (e.call()) {
    case Call::MPI_File_read_at_:
      return at(MPI_File_read_at);
    case Call::MPI_File_read_at_all_:
      return at(MPI_File_read_at_all);
    case Call::MPI_File_read_:
      return here(MPI_File_read);
    case Call::MPI_File_read_all_:
      return here(MPI_File_read_all);
    case Call::MPI_File_read_shared_:
      return here(MPI_File_read_shared);
    case Call::MPI_File_read_ordered_:
      return here(MPI_File_read_ordered);
    case Call::MPI_File_read_at_all_begin_:
      return begin_at(MPI_File_read_at_all_begin);
    case Call::MPI_File_read_all_begin_:
      return begin(MPI_File_read_all_begin);
    case Call::MPI_File_read_ordered_begin_:
      return begin(MPI_File_read_ordered_begin);
    case Call::MPI_File_read_at_all_end_:
      return end(MPI_File_read_at_all_end);
    case Call::MPI_File_read_all_end_:
      return end(MPI_File_read_all_end);
    case Call::MPI_File_read_ordered_end_:
      return end(MPI_File_read_ordered_end);
    case Call::MPI_File_write_at_:
      return at(MPI_File_write_at);
    case Call::MPI_File_write_at_all_:
      return at(MPI_File_write_at_all);
    case Call::MPI_File_write_:
      return here(MPI_File_write);
    case Call::MPI_File_write_all_:
      return here(MPI_File_write_all);
    case Call::MPI_File_write_shared_:
      return here(MPI_File_write_shared);
    case Call::MPI_File_write_ordered_:
      return here(MPI_File_write_ordered);
    case Call::MPI_File_write_at_all_begin_:
      return begin_at(MPI_File_write_at_all_begin);
    case Call::MPI_File_write_all_begin_:
      return begin(MPI_File_write_all_begin);
    case Call::MPI_File_write_ordered_begin_:
      return begin(MPI_File_write_ordered_begin);
    case Call::MPI_File_write_at_all_end_:
      return end(MPI_File_write_at_all_end);
    case Call::MPI_File_write_all_end_:
      return end(MPI_File_write_all_end);
    case Call::MPI_File_write_ordered_end_:
      return end(MPI_File_write_ordered_end);
    default:
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
}

int Requested(const Event& e, const Payload& p, MPI_File file,
              MPI_Request* request) {
  const MPI_Offset offset = e.Get(Param::kOffset);
  const auto at = [&](auto* f) {
    return f(file, offset, p.buffer, p.count, p.type, request);
  };
  const auto here = [&](auto* f) {
    return f(file, p.buffer, p.count, p.type, request);
  };
  switch (e.call()) {
    case Call::MPI_File_iread_at_:
      return at(MPI_File_iread_at);
    case Call::MPI_File_iread_at_all_:
      return at(MPI_File_iread_at_all);
    case Call::MPI_File_iread_:
      return here(MPI_File_iread);
    case Call::MPI_File_iread_all_:
      return here(MPI_File_iread_all);
    case Call::MPI_File_iread_shared_:
      return here(MPI_File_iread_shared);
    case Call::MPI_File_iwrite_at_:
      return at(MPI_File_iwrite_at);
    case Call::MPI_File_iwrite_at_all_:
      return at(MPI_File_iwrite_at_all);
    case Call::MPI_File_iwrite_:
      return here(MPI_File_iwrite);
    case Call::MPI_File_iwrite_all_:
      return here(MPI_File_iwrite_all);
    case Call::MPI_File_iwrite_shared_:
      return here(MPI_File_iwrite_shared);
    default:
      return MPI_ERR_UNSUPPORTED_OPERATION;
  }
}

}  // namespace

Status TransferOnFile(const Event& e, Arguments& a, MPI_File file) {
  const reduction::CallInfo& info = reduction::Info(e.call());
  const bool reads = info.name.find("read") != std::string_view::npos;
  const Payload p = a.Make(Side::kSend, reads ? Area::kReceive : Area::kSend);
  if (!a.ok()) return a.status();
  if (!info.makes_request) return FromMpi(Blocking(e, p, file));
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = Requested(e, p, file, &request);
  if (code == MPI_SUCCESS) a.MadeRequest(request);
  return FromMpi(code);
}

}  // namespace ranksight::replay_engine

#include "adapters/c_mpi/call_forms.h"

namespace ranksight::adapters::c_mpi {
namespace {

using reduction::Call;

constexpr CallForm kForms[] = {
    {Call::MPI_Send_, "MPI_Send(out, {n}, {type}, {peer}, {tag}, {comm})"},
    {Call::MPI_Bsend_, "MPI_Bsend(out, {n}, {type}, {peer}, {tag}, {comm})"},
    {Call::MPI_Ssend_, "MPI_Ssend(out, {n}, {type}, {peer}, {tag}, {comm})"},
    {Call::MPI_Rsend_, "MPI_Rsend(out, {n}, {type}, {peer}, {tag}, {comm})"},
    {Call::MPI_Recv_,
     "MPI_Recv(in, {n up}, {type}, {peer}, {tag}, {comm}, MPI_STATUS_IGNORE)"},
    {Call::MPI_Isend_,
     "MPI_Isend(out, {n}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Ibsend_,
     "MPI_Ibsend(out, {n}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Issend_,
     "MPI_Issend(out, {n}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Irsend_,
     "MPI_Irsend(out, {n}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Irecv_,
     "MPI_Irecv(in, {n up}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Send_init_,
     "MPI_Send_init(out, {n}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Bsend_init_,
     "MPI_Bsend_init(out, {n}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Ssend_init_,
     "MPI_Ssend_init(out, {n}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Rsend_init_,
     "MPI_Rsend_init(out, {n}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Recv_init_,
     "MPI_Recv_init(in, {n up}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Start_, "MPI_Start({request})"},
    {Call::MPI_Startall_, "MPI_Startall({requests})"},
    {Call::MPI_Sendrecv_,
     "MPI_Sendrecv(out, {n}, {type}, {peer}, {tag}, in, {rn up}, {rtype}, "
     "{rpeer}, {rtag}, {comm}, MPI_STATUS_IGNORE)"},
    {Call::MPI_Isendrecv_,
     "MPI_Isendrecv(out, {n}, {type}, {peer}, {tag}, in, {rn up}, {rtype}, "
     "{rpeer}, {rtag}, {comm}, {new})"},
    {Call::MPI_Sendrecv_replace_,
     "MPI_Sendrecv_replace(in, {n}, {type}, {peer}, {tag}, {rpeer}, {rtag}, "
     "{comm}, MPI_STATUS_IGNORE)"},
    {Call::MPI_Isendrecv_replace_,
     "MPI_Isendrecv_replace(in, {n}, {type}, {peer}, {tag}, {rpeer}, "
     "{rtag}, {comm}, {new})"},
    {Call::MPI_Probe_, "MPI_Probe({peer}, {tag}, {comm}, MPI_STATUS_IGNORE)"},
    {Call::MPI_Iprobe_, "iprobe({peer}, {tag}, {comm})"},
    {Call::MPI_Mprobe_, "mprobe({peer}, {tag}, {comm})"},
    {Call::MPI_Improbe_, "improbe({peer}, {tag}, {comm})"},
    {Call::MPI_Mrecv_,
     "MPI_Mrecv(in, {n up}, {type}, message(), MPI_STATUS_IGNORE)"},
    {Call::MPI_Imrecv_, "MPI_Imrecv(in, {n up}, {type}, message(), {new})"},
    {Call::MPI_Wait_, "MPI_Wait({request}, MPI_STATUS_IGNORE)"},
    {Call::MPI_Waitall_, "MPI_Waitall({requests}, MPI_STATUSES_IGNORE)"},
    {Call::MPI_Waitany_, "wait_any({done requests})"},
    {Call::MPI_Waitsome_, "wait_some({done requests})"},
    {Call::MPI_Test_, "test_one({request})"},
    {Call::MPI_Testall_, "test_all({requests})"},
    {Call::MPI_Testany_, "test_any({done requests})"},
    {Call::MPI_Testsome_, "test_some({done requests})"},
    {Call::MPI_Request_free_, "MPI_Request_free({request})"},
    {Call::MPI_Cancel_, "MPI_Cancel({request})"},
// Blocking, begun and persistent. The first of those on one group may be
// messages instead, and is a function of support/; those with a count for each
// rank, or on neighbours, are functions in all three forms.
#define RANKSIGHT_ALIKE(Name, name, arguments)                          \
  {Call::MPI_##Name##_, #name "(" arguments ")"},                       \
      {Call::MPI_I##name##_, "MPI_I" #name "(" arguments ", {new})"}, { \
    Call::MPI_##Name##_init_,                                           \
        "MPI_" #Name "_init(" arguments ", MPI_INFO_NULL, {new})"       \
  }
#define RANKSIGHT_COUNTED(Name, name, arguments)                    \
  {Call::MPI_##Name##_, #name "(" arguments ")"},                   \
      {Call::MPI_I##name##_, "i" #name "(" arguments ", {new})"}, { \
    Call::MPI_##Name##_init_, #name "_init(" arguments ", {new})"   \
  }
    RANKSIGHT_ALIKE(Barrier, barrier, "{comm}"),
    RANKSIGHT_ALIKE(Bcast, bcast, "in, {n}, {type}, {root}, {comm}"),
    RANKSIGHT_ALIKE(Reduce, reduce,
                    "{in place out}, in, {n}, {type}, {op}, {root}, {comm}"),
    RANKSIGHT_ALIKE(Allreduce, allreduce,
                    "{in place out}, in, {n}, {type}, {op}, {comm}"),
    RANKSIGHT_ALIKE(Scan, scan,
                    "{in place out}, in, {n}, {type}, {op}, {comm}"),
    RANKSIGHT_ALIKE(Exscan, exscan,
                    "{in place out}, in, {n}, {type}, {op}, {comm}"),
    RANKSIGHT_ALIKE(
        Gather, gather,
        "{in place out}, {n}, {type}, in, {rn}, {rtype}, {root}, {comm}"),
    RANKSIGHT_COUNTED(
        Gatherv, gatherv,
        "{in place out}, {n}, {type}, {receive shares}, {root}, {comm}"),
    RANKSIGHT_ALIKE(
        Scatter, scatter,
        "out, {n}, {type}, {in place in}, {rn}, {rtype}, {root}, {comm}"),
    RANKSIGHT_COUNTED(
        Scatterv, scatterv,
        "{send shares}, {in place in}, {rn}, {rtype}, {root}, {comm}"),
    RANKSIGHT_ALIKE(Allgather, allgather,
                    "{in place out}, {n}, {type}, in, {rn}, {rtype}, {comm}"),
    RANKSIGHT_COUNTED(Allgatherv, allgatherv,
                      "{in place out}, {n}, {type}, {receive shares}, {comm}"),
    RANKSIGHT_ALIKE(Alltoall, alltoall,
                    "{in place out}, {n}, {type}, in, {rn}, {rtype}, {comm}"),
    RANKSIGHT_COUNTED(Alltoallv, alltoallv,
                      "{in place}, {send shares}, {receive shares}, {comm}"),
    RANKSIGHT_COUNTED(
        Alltoallw, alltoallw,
        "{in place}, {send typed shares}, {receive typed shares}, {comm}"),
    RANKSIGHT_COUNTED(Reduce_scatter, reduce_scatter,
                      "{in place}, {reduce shares}, {op}, {comm}"),
    RANKSIGHT_ALIKE(Reduce_scatter_block, reduce_scatter_block,
                    "{in place out}, in, {n}, {type}, {op}, {comm}"),
    RANKSIGHT_COUNTED(Neighbor_allgather, neighbor_allgather,
                      "{n}, {type}, {rn}, {rtype}, {comm}"),
    RANKSIGHT_COUNTED(Neighbor_allgatherv, neighbor_allgatherv,
                      "{n}, {type}, {receive shares}, {comm}"),
    RANKSIGHT_COUNTED(Neighbor_alltoall, neighbor_alltoall,
                      "{n}, {type}, {rn}, {rtype}, {comm}"),
    RANKSIGHT_COUNTED(Neighbor_alltoallv, neighbor_alltoallv,
                      "{send shares}, {receive shares}, {comm}"),
    RANKSIGHT_COUNTED(Neighbor_alltoallw, neighbor_alltoallw,
                      "{send typed shares}, {receive typed shares}, {comm}"),
#undef RANKSIGHT_ALIKE
#undef RANKSIGHT_COUNTED
    {Call::MPI_Psend_init_,
     "psend_init({partitions}, {count}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Precv_init_,
     "precv_init({partitions}, {count}, {type}, {peer}, {tag}, {comm}, {new})"},
    {Call::MPI_Pready_, "MPI_Pready({partition}, *{request})"},
    {Call::MPI_Pready_range_,
     "MPI_Pready_range({partition}, {last partition}, *{request})"},
    {Call::MPI_Pready_list_, "MPI_Pready_list({items}, *{request})"},
    {Call::MPI_Parrived_, "parrived({request}, {partition})"},
    {Call::MPI_Grequest_start_, "grequest_start({new})"},
    {Call::MPI_Grequest_complete_, "MPI_Grequest_complete(*{request})"},
    {Call::MPI_Session_init_,
     "MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, new_session())"},
    {Call::MPI_Session_finalize_, "MPI_Session_finalize(session({session}))"},
    {Call::MPI_Comm_dup_, "MPI_Comm_dup({comm}, {new comm})"},
    {Call::MPI_Comm_split_,
     "MPI_Comm_split({comm}, {color}, {key}, {new comm})"},
    {Call::MPI_Comm_create_, "MPI_Comm_create({comm}, {group}, {new comm})"},
    {Call::MPI_Comm_free_, "MPI_Comm_free({old comm})"},
    {Call::MPI_Cart_create_,
     "MPI_Cart_create({comm}, {dims}, {reorder}, {new comm})"},
    {Call::MPI_Cart_sub_, "MPI_Cart_sub({comm}, {remain}, {new comm})"},
    {Call::MPI_Graph_create_,
     "MPI_Graph_create({comm}, {items}, {edges}, {reorder}, {new comm})"},
    {Call::MPI_Dist_graph_create_,
     "dist_graph_create({comm}, {sources}, {degrees}, {destinations}, "
     "{reorder}, {new comm})"},
    {Call::MPI_Dist_graph_create_adjacent_,
     "MPI_Dist_graph_create_adjacent({comm}, {sources}, MPI_UNWEIGHTED, "
     "{destination count}, {destinations}, MPI_UNWEIGHTED, MPI_INFO_NULL, "
     "{reorder}, {new comm})"},
    {Call::MPI_Comm_dup_with_info_,
     "MPI_Comm_dup_with_info({comm}, MPI_INFO_NULL, {new comm})"},
    {Call::MPI_Comm_idup_, "MPI_Comm_idup({comm}, {new comm}, {new})"},
    {Call::MPI_Comm_idup_with_info_,
     "MPI_Comm_idup_with_info({comm}, MPI_INFO_NULL, {new comm}, {new})"},
    {Call::MPI_Comm_create_from_group_,
     "MPI_Comm_create_from_group({group}, \"benchmark\", MPI_INFO_NULL, "
     "MPI_ERRORS_ARE_FATAL, {new comm})"},
    {Call::MPI_Comm_create_group_,
     "MPI_Comm_create_group({comm}, {group}, {tag}, {new comm})"},
    {Call::MPI_Comm_split_type_,
     "split_by_host({comm}, {first member}, {key}, {comm size}, {new comm})"},
    {Call::MPI_Comm_disconnect_, "MPI_Comm_disconnect({old comm})"},
    {Call::MPI_Intercomm_create_,
     "intercomm_create({comm}, {leader}, {peer comm}, {remote leader}, {tag}, "
     "{new comm})"},
    {Call::MPI_Intercomm_merge_,
     "MPI_Intercomm_merge({comm}, {mode}, {new comm})"},
#define RANKSIGHT_MAKES(name, ...) \
  {Call::MPI_##name##_, "stand_in_" #name "({comm or self})"},
#define RANKSIGHT_USES(name, ...) \
  {Call::MPI_##name##_, "stand_in_" #name "({comm or self})"},
#include "reduction/api/stand_ins.def"
#undef RANKSIGHT_MAKES
#undef RANKSIGHT_USES
    {Call::MPI_Pack_, "pack({n}, {type}, {comm or self})"},
    {Call::MPI_Unpack_, "unpack({n}, {type}, {comm or self})"},
    {Call::MPI_Reduce_local_, "MPI_Reduce_local(out, in, {n}, {type}, {op})"},
    {Call::MPI_Buffer_attach_, "buffer_attach({size})"},
    {Call::MPI_Buffer_detach_, "buffer_detach()"},
    {Call::MPI_Win_create_, "win_create({size}, {unit}, {comm})"},
    {Call::MPI_Win_allocate_, "win_allocate({size}, {unit}, {comm})"},
    {Call::MPI_Win_allocate_shared_,
     "win_allocate_shared({size}, {unit}, {comm})"},
    {Call::MPI_Win_create_dynamic_, "win_create_dynamic({comm})"},
    {Call::MPI_Win_attach_, "win_attach({window}, {size})"},
    {Call::MPI_Win_detach_, "win_detach({window})"},
    {Call::MPI_Win_free_, "win_free({window})"},
    {Call::MPI_Put_,
     "MPI_Put(out, {n}, {type}, {moved to}, {offset}, {tn}, {ttype}, {win})"},
    {Call::MPI_Get_,
     "MPI_Get(in, {n}, {type}, {moved to}, {offset}, {tn}, {ttype}, {win})"},
    {Call::MPI_Accumulate_,
     "MPI_Accumulate(out, {n}, {type}, {moved to}, {offset}, {tn}, {ttype}, "
     "{target op}, {win})"},
    {Call::MPI_Get_accumulate_,
     "MPI_Get_accumulate(out, {n}, {type}, in, {rn}, {rtype}, {moved to}, "
     "{offset}, {tn}, {ttype}, {target op}, {win})"},
    {Call::MPI_Fetch_and_op_,
     "MPI_Fetch_and_op(out, in, {type}, {moved to}, {offset}, {target op}, "
     "{win})"},
    {Call::MPI_Compare_and_swap_,
     "MPI_Compare_and_swap(out, out, in, {type}, {moved to}, {offset}, {win})"},
    {Call::MPI_Rput_,
     "MPI_Rput(out, {n}, {type}, {moved to}, {offset}, {tn}, {ttype}, {win}, "
     "{new})"},
    {Call::MPI_Rget_,
     "MPI_Rget(in, {n}, {type}, {moved to}, {offset}, {tn}, {ttype}, {win}, "
     "{new})"},
    {Call::MPI_Raccumulate_,
     "MPI_Raccumulate(out, {n}, {type}, {moved to}, {offset}, {tn}, {ttype}, "
     "{target op}, {win}, {new})"},
    {Call::MPI_Rget_accumulate_,
     "MPI_Rget_accumulate(out, {n}, {type}, in, {rn}, {rtype}, {moved to}, "
     "{offset}, {tn}, {ttype}, {target op}, {win}, {new})"},
    {Call::MPI_Win_fence_, "MPI_Win_fence({assertion}, {win})"},
    {Call::MPI_Win_post_, "win_post({window}, {group}, {assertion})"},
    {Call::MPI_Win_start_, "win_start({window}, {group}, {assertion})"},
    {Call::MPI_Win_complete_, "MPI_Win_complete({win})"},
    {Call::MPI_Win_wait_, "MPI_Win_wait({win})"},
    {Call::MPI_Win_test_, "win_test({window})"},
    {Call::MPI_Win_lock_,
     "MPI_Win_lock({lock type}, {target}, {assertion}, {win})"},
    {Call::MPI_Win_unlock_, "MPI_Win_unlock({target}, {win})"},
    {Call::MPI_Win_lock_all_, "MPI_Win_lock_all({assertion}, {win})"},
    {Call::MPI_Win_unlock_all_, "MPI_Win_unlock_all({win})"},
    {Call::MPI_Win_flush_, "MPI_Win_flush({target}, {win})"},
    {Call::MPI_Win_flush_all_, "MPI_Win_flush_all({win})"},
    {Call::MPI_Win_flush_local_, "MPI_Win_flush_local({target}, {win})"},
    {Call::MPI_Win_flush_local_all_, "MPI_Win_flush_local_all({win})"},
    {Call::MPI_Win_sync_, "MPI_Win_sync({win})"},
    {Call::MPI_Win_set_info_, "MPI_Win_set_info({win}, MPI_INFO_NULL)"},
    {Call::MPI_File_open_, "file_open({comm}, {access})"},
    {Call::MPI_File_close_, "MPI_File_close(&{file})"},
    {Call::MPI_File_delete_, "file_delete()"},
    {Call::MPI_File_set_size_, "MPI_File_set_size({file}, {size})"},
    {Call::MPI_File_preallocate_, "MPI_File_preallocate({file}, {size})"},
    {Call::MPI_File_set_info_, "MPI_File_set_info({file}, MPI_INFO_NULL)"},
    {Call::MPI_File_set_view_,
     "file_set_view({file}, {offset}, {type}, {ttype})"},
    {Call::MPI_File_seek_, "MPI_File_seek({file}, {offset}, {whence})"},
    {Call::MPI_File_seek_shared_,
     "MPI_File_seek_shared({file}, {offset}, {whence})"},
    {Call::MPI_File_set_atomicity_, "MPI_File_set_atomicity({file}, {mode})"},
    {Call::MPI_File_sync_, "MPI_File_sync({file})"},
// Reads and writes differ in the buffer; places, ways to wait and the two
// halves of a split call in what else they take.
#define RANKSIGHT_MOVE(name, place, buffer, rest) \
  {Call::MPI_File_##name##_,                      \
   "MPI_File_" #name "({file}, " place buffer ", {n}, {type}" rest ")"},
#define RANKSIGHT_END(name, buffer) \
  {Call::MPI_File_##name##_end_,    \
   "MPI_File_" #name "_end({file}, " buffer ", MPI_STATUS_IGNORE)"},
#define RANKSIGHT_MOVES(reads, buffer)                                        \
  RANKSIGHT_MOVE(reads##_at, "{offset}, ", buffer, ", MPI_STATUS_IGNORE")     \
  RANKSIGHT_MOVE(reads##_at_all, "{offset}, ", buffer, ", MPI_STATUS_IGNORE") \
  RANKSIGHT_MOVE(i##reads##_at, "{offset}, ", buffer, ", {new}")              \
  RANKSIGHT_MOVE(i##reads##_at_all, "{offset}, ", buffer, ", {new}")          \
  RANKSIGHT_MOVE(reads, "", buffer, ", MPI_STATUS_IGNORE")                    \
  RANKSIGHT_MOVE(reads##_all, "", buffer, ", MPI_STATUS_IGNORE")              \
  RANKSIGHT_MOVE(i##reads, "", buffer, ", {new}")                             \
  RANKSIGHT_MOVE(i##reads##_all, "", buffer, ", {new}")                       \
  RANKSIGHT_MOVE(reads##_shared, "", buffer, ", MPI_STATUS_IGNORE")           \
  RANKSIGHT_MOVE(i##reads##_shared, "", buffer, ", {new}")                    \
  RANKSIGHT_MOVE(reads##_ordered, "", buffer, ", MPI_STATUS_IGNORE")          \
  RANKSIGHT_MOVE(reads##_at_all_begin, "{offset}, ", buffer, "")              \
  RANKSIGHT_MOVE(reads##_all_begin, "", buffer, "")                           \
  RANKSIGHT_MOVE(reads##_ordered_begin, "", buffer, "")                       \
  RANKSIGHT_END(reads##_at_all, buffer)                                       \
  RANKSIGHT_END(reads##_all, buffer)                                          \
  RANKSIGHT_END(reads##_ordered, buffer)
    RANKSIGHT_MOVES(read, "in") RANKSIGHT_MOVES(write, "out")
#undef RANKSIGHT_MOVES
#undef RANKSIGHT_MOVE
#undef RANKSIGHT_END
        {Call::MPI_Finalize_, "finish()"},
};

}  // namespace

std::string_view FormOf(Call call) {
  for (const CallForm& form : kForms) {
    if (form.call == call) return form.text;
  }
  return "";
}

}  // namespace ranksight::adapters::c_mpi

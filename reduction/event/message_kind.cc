#include "reduction/api/message_kind.h"

namespace ranksight::reduction {

MessageKind MessageKindOf(Call call) {
  switch (call) {
    case Call::MPI_Send_:
    case Call::MPI_Bsend_:
    case Call::MPI_Ssend_:
    case Call::MPI_Rsend_:
    case Call::MPI_Isend_:
    case Call::MPI_Ibsend_:
    case Call::MPI_Issend_:
    case Call::MPI_Irsend_:
    case Call::MPI_Send_init_:
    case Call::MPI_Bsend_init_:
    case Call::MPI_Ssend_init_:
    case Call::MPI_Rsend_init_:
    case Call::MPI_Psend_init_:
      return MessageKind::kSend;
    case Call::MPI_Recv_:
    case Call::MPI_Irecv_:
    case Call::MPI_Recv_init_:
    case Call::MPI_Precv_init_:
    case Call::MPI_Mrecv_:
    case Call::MPI_Imrecv_:
      return MessageKind::kReceive;
    case Call::MPI_Sendrecv_:
    case Call::MPI_Sendrecv_replace_:
    case Call::MPI_Isendrecv_:
    case Call::MPI_Isendrecv_replace_:
      return MessageKind::kBoth;
    default:
      return MessageKind::kNone;
  }
}

SendMode SendModeOf(Call call) {
  switch (call) {
    case Call::MPI_Ssend_:
    case Call::MPI_Issend_:
    case Call::MPI_Ssend_init_:
      return SendMode::kSynchronous;
    case Call::MPI_Bsend_:
    case Call::MPI_Ibsend_:
    case Call::MPI_Bsend_init_:
      return SendMode::kBuffered;
    default:
      return SendMode::kStandard;
  }
}

}  // namespace ranksight::reduction

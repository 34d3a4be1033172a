/* The functions that stand before those of the MPI library. Each jumps where
 * its slot says, with all arguments, the return address and the frame as they
 * came, so no prototype matters and no frame is added: the same code serves
 * whatever MPI the process has. Until that is known the slot leads to
 * FirstCall, which asks front.cc and goes on.
 *
 * MPI_NAMES holds a line RANKSIGHT_ENTRY(number, name) for each.
 */
#if defined(__x86_64__)

.macro entry number name
  .p2align 4
  .globl \name
  .type \name, @function
\name:
  jmp *ranksight_slots + 8 * \number(%rip)
.Lfirst\number:
  pushq $\number
  jmp FirstCall
  .size \name, . - \name
  .pushsection .data.rel.local, "aw", @progbits
  .quad .Lfirst\number
  .popsection
.endm

  .text
  .type FirstCall, @function
/* On the stack: the number, the return address. */
FirstCall:
  subq $208, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movups %xmm0, 64(%rsp)
  movups %xmm1, 80(%rsp)
  movups %xmm2, 96(%rsp)
  movups %xmm3, 112(%rsp)
  movups %xmm4, 128(%rsp)
  movups %xmm5, 144(%rsp)
  movups %xmm6, 160(%rsp)
  movups %xmm7, 176(%rsp)
  movq 208(%rsp), %rdi
  call ranksight_first_call
  movq %rax, %r11
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movups 64(%rsp), %xmm0
  movups 80(%rsp), %xmm1
  movups 96(%rsp), %xmm2
  movups 112(%rsp), %xmm3
  movups 128(%rsp), %xmm4
  movups 144(%rsp), %xmm5
  movups 160(%rsp), %xmm6
  movups 176(%rsp), %xmm7
  addq $216, %rsp
  jmp *%r11
  .size FirstCall, . - FirstCall

#elif defined(__aarch64__)

.macro entry number name
  .p2align 4
  .globl \name
  .type \name, %function
\name:
  adrp x16, ranksight_slots + 8 * \number
  ldr x16, [x16, #:lo12:ranksight_slots + 8 * \number]
  br x16
.Lfirst\number:
  mov w17, #\number
  b FirstCall
  .size \name, . - \name
  .pushsection .data.rel.local, "aw", %progbits
  .quad .Lfirst\number
  .popsection
.endm

  .text
  .type FirstCall, %function
/* In w17 the number. */
FirstCall:
  sub sp, sp, #208
  stp x0, x1, [sp, #0]
  stp x2, x3, [sp, #16]
  stp x4, x5, [sp, #32]
  stp x6, x7, [sp, #48]
  stp x8, x30, [sp, #64]
  stp q0, q1, [sp, #80]
  stp q2, q3, [sp, #112]
  stp q4, q5, [sp, #144]
  stp q6, q7, [sp, #176]
  mov w0, w17
  bl ranksight_first_call
  mov x16, x0
  ldp x0, x1, [sp, #0]
  ldp x2, x3, [sp, #16]
  ldp x4, x5, [sp, #32]
  ldp x6, x7, [sp, #48]
  ldp x8, x30, [sp, #64]
  ldp q0, q1, [sp, #80]
  ldp q2, q3, [sp, #112]
  ldp q4, q5, [sp, #144]
  ldp q6, q7, [sp, #176]
  add sp, sp, #208
  br x16
  .size FirstCall, . - FirstCall

#else
#error "the front's jumps are written for x86-64 and AArch64"
#endif

  .pushsection .data.rel.local, "aw"
  .p2align 3
  .globl ranksight_slots
  .hidden ranksight_slots
ranksight_slots:
  .popsection

#define RANKSIGHT_ENTRY(number, name) entry number name
#include MPI_NAMES

  .section .note.GNU-stack, ""

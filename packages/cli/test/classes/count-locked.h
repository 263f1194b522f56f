// Counts the locked instructions that a piece of a program executes: the processor stops behind each
// instruction, and the next one is looked at.
#pragma once
#include <csignal>
#include <ucontext.h>

static long locked_instructions;

static bool is_locked(const unsigned char *at) {
  for (;; at++) {
    if (*at == 0xf0) return true;
    const bool is_prefix = *at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == 0x64 ||
                           *at == 0x2e || *at == 0x3e || (*at & 0xf0) == 0x40;
    if (!is_prefix) break;
  }
  // An exchange with memory, and a full fence.
  if (*at == 0x86 || *at == 0x87) return (at[1] & 0xc0) != 0xc0;
  return at[0] == 0x0f && at[1] == 0xae && at[2] == 0xf0;
}

static void look(int, siginfo_t *, void *context) {
  const auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  if (is_locked(reinterpret_cast<const unsigned char *>(registers[REG_RIP]))) locked_instructions++;
}

static void watch_instructions() {
  struct sigaction action = {};
  action.sa_sigaction = look;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, nullptr);
}

#define CHANGE_FLAGS(how)                                                                          \
  asm volatile("lea -128(%%rsp),%%rsp; pushfq; " how ",(%%rsp); popfq; lea 128(%%rsp),%%rsp" ::    \
                   : "memory", "cc")
#define BEGIN_COUNTING CHANGE_FLAGS("orq $0x100")
#define END_COUNTING CHANGE_FLAGS("andq $~0x100")

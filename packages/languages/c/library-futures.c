/*
 * What libstdc++'s futures call in its binary. A shared state is ready when its word is 1; the
 * highest bit of the word says that somebody waits in the kernel.
 */
struct fw_result {
  const void *const *table;
  const void *error;
};
struct fw_shared_state {
  const void *const *table;
  struct fw_result *result;
  unsigned status;
};

void fw_result_begin(struct fw_result *result) __asm__("_ZNSt13__future_base12_Result_baseC2Ev");
void fw_result_begin(struct fw_result *result) { result->error = NULL; }
void fw_result_end(struct fw_result *result) __asm__("_ZNSt13__future_base12_Result_baseD2Ev");
void fw_result_end(struct fw_result *result) {}

/*
 * A wait in the kernel until the word changes; false where a deadline has passed. Who waits has set
 * the highest bit by a locked instruction, and whoever changes the word exchanges it, and wakes all
 * if that bit was set. So every change wakes, and the wake-up itself is not modelled. Ends of waits
 * for no reason make the caller look again, and are left out, too.
 */
#define WAITING(name, symbol)                                                                      \
  _Bool name(void *self, const unsigned *word, unsigned value, _Bool is_timed, long seconds,       \
             long part)                                                                            \
      __asm__("_ZNSt28__atomic_futex_unsigned_base" symbol                                         \
              "EPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");     \
  _Bool name(void *self, const unsigned *word, unsigned value, _Bool is_timed, long seconds,       \
             long part) {                                                                          \
    int end = 0;                                                                                   \
    __fencewright_atomic_begin();                                                                  \
    if (is_timed)                                                                                  \
      end = __fencewright_wait(*word != value, 1);                                                 \
    else                                                                                           \
      __fencewright_assume(*word != value);                                                        \
    __fencewright_atomic_end();                                                                    \
    return end != 2;                                                                               \
  }
WAITING(fw_futex_wait, "19_M_futex_wait_until")
WAITING(fw_futex_wait_steady, "26_M_futex_wait_until_steady")
void fw_futex_wake(const unsigned *word)
    __asm__("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");
void fw_futex_wake(const unsigned *word) {}

/*
 * Pointers to exceptions: nobody counts them. Of those that are thrown again, only that of a broken
 * promise has a model.
 */
static const char fw_broken_promise = 0;
void fw_pointer_begin(const void **pointer, void *object)
    __asm__("_ZNSt15__exception_ptr13exception_ptrC1EPv");
void fw_pointer_begin(const void **pointer, void *object) { *pointer = object; }
void fw_pointer_copied(const void **pointer)
    __asm__("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void fw_pointer_copied(const void **pointer) {}
void fw_pointer_ended(const void **pointer)
    __asm__("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void fw_pointer_ended(const void **pointer) { *pointer = NULL; }
void fw_throw_again(const void **pointer)
    __asm__("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE");
void fw_throw_again(const void **pointer) {
  if (*pointer != &fw_broken_promise)
    __fencewright_limit("an exception that a std::exception_ptr hands over is not followed");
  fw_throw_future(4);
}

/* The promise ends without a result: its future gets the exception of a broken promise. */
void fw_break_promise(struct fw_shared_state *state, struct fw_result **given)
    __asm__("_ZNSt13__future_base13_State_baseV216_M_break_promiseESt10unique_ptrINS_12_Result_"
            "baseENS2_8_DeleterEE");
void fw_break_promise(struct fw_shared_state *state, struct fw_result **given) {
  struct fw_result *broken = *given;
  if (!broken)
    return;
  broken->error = &fw_broken_promise;
  *given = state->result;
  state->result = broken;
  __atomic_exchange_n(&state->status, 1, __ATOMIC_RELEASE);
}

/*
 * A work-stealing deque with two tasks left. The owner takes from the bottom with a plain store and
 * a look at the top, for every task. The thief takes from the top, with a heavy fence between its
 * looks at the top and at the bottom; it steals seldom.
 *
 * Robust: the owner's new bottom may wait in its buffer while it looks at the top, and the heavy
 * fence drains that buffer. Either the thief sees the new bottom, or the owner sees the new top.
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int top, bottom = 2;
static int task[2] = {7, 8}, done[3];

/* Heavy fence: drains the store buffer of every thread of the process. */
static void heavy_fence(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    abort();
}

/* Light fence: the compiler keeps the order of the accesses around it. */
static void light_fence(void) { atomic_signal_fence(memory_order_seq_cst); }

static void *owner(void *unused) {
  (void)unused;
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  light_fence();
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t < b || (t == b && atomic_compare_exchange_strong(&top, &t, t + 1)))
    done[2] = task[b];
  return NULL;
}

static void *thief(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    int t = atomic_load_explicit(&top, memory_order_acquire);
    heavy_fence();
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
      done[i] = task[t];
  }
  return NULL;
}

int main(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
    return 1;
  pthread_t o, t;
  pthread_create(&o, NULL, owner, NULL);
  pthread_create(&t, NULL, thief, NULL);
  pthread_join(o, NULL);
  pthread_join(t, NULL);
}

/*
 * User-space RCU whose readers have no fence: a reader says that it reads and takes the current
 * version. The writer publishes the next version, makes a heavy fence, waits until the reader
 * does not read, and takes the old version apart.
 *
 * Robust: the reader's word may wait in its buffer while it takes the old version, and the heavy
 * fence drains that buffer. This is the flavour of liburcu that uses membarrier.
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int versions[2] = {1, 1};
static atomic_int current, reading;
static int seen;

/* Heavy fence: drains the store buffer of every thread of the process. */
static void heavy_fence(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    abort();
}

/* Light fence: the compiler keeps the order of the accesses around it. */
static void light_fence(void) { atomic_signal_fence(memory_order_seq_cst); }

static void *reader(void *unused) {
  (void)unused;
  atomic_store_explicit(&reading, 1, memory_order_relaxed);
  light_fence();
  seen = versions[atomic_load_explicit(&current, memory_order_acquire)];
  atomic_store_explicit(&reading, 0, memory_order_release);
  return NULL;
}

static void *writer(void *unused) {
  (void)unused;
  atomic_store_explicit(&current, 1, memory_order_release);
  heavy_fence();
  while (atomic_load_explicit(&reading, memory_order_acquire) != 0)
    ;
  versions[0] = 0;
  return NULL;
}

int main(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
    return 1;
  pthread_t r, w;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
}

/*
 * The poll of a safepoint: a thread that leaves native code says so and looks whether the virtual
 * machine stops threads. The machine says that it stops, makes a heavy fence, and waits for threads
 * that run.
 *
 * Robust: the thread's word may wait in its buffer while it polls, and the heavy fence drains that
 * buffer. The JDK polls without a fence, and makes the heavy fence by FlushProcessWriteBuffers,
 * mprotect, or membarrier.
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int running, stopping;
static int heap = 1;

/* Heavy fence: drains the store buffer of every thread of the process. */
static void heavy_fence(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    abort();
}

/* Light fence: the compiler keeps the order of the accesses around it. */
static void light_fence(void) { atomic_signal_fence(memory_order_seq_cst); }

static void *thread(void *unused) {
  (void)unused;
  atomic_store_explicit(&running, 1, memory_order_relaxed);
  light_fence();
  if (atomic_load_explicit(&stopping, memory_order_acquire) == 0)
    heap = 2;
  atomic_store_explicit(&running, 0, memory_order_release);
  return NULL;
}

static void *machine(void *unused) {
  (void)unused;
  atomic_store_explicit(&stopping, 1, memory_order_relaxed);
  heavy_fence();
  while (atomic_load_explicit(&running, memory_order_acquire) != 0)
    ;
  heap = 3;
  return NULL;
}

int main(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
    return 1;
  pthread_t t, m;
  pthread_create(&t, NULL, thread, NULL);
  pthread_create(&m, NULL, machine, NULL);
  pthread_join(t, NULL);
  pthread_join(m, NULL);
}

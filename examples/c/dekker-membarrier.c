/*
 * Dekker's entry with one side that enters all the time and one that enters seldom. Each says
 * that it wants in and looks at the other; it does its work if the other does not want in.
 *
 * Robust: the frequent side has no fence, only a light one against the compiler. The heavy fence
 * of the seldom side lies between its store and its look. It drains the buffer of the frequent
 * side: that side's store is in memory, or its look comes after the store of the seldom side.
 * With a fence of its own thread in place of the heavy fence, both may be in at once.
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int frequent_in, seldom_in, inside;

/* Heavy fence: drains the store buffer of every thread of the process. */
static void heavy_fence(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    abort();
}

/* Light fence: the compiler keeps the order of the accesses around it. */
static void light_fence(void) { atomic_signal_fence(memory_order_seq_cst); }

static void *frequent(void *unused) {
  (void)unused;
  atomic_store_explicit(&frequent_in, 1, memory_order_relaxed);
  light_fence();
  if (atomic_load_explicit(&seldom_in, memory_order_relaxed) == 0)
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
  return NULL;
}

static void *seldom(void *unused) {
  (void)unused;
  atomic_store_explicit(&seldom_in, 1, memory_order_relaxed);
  heavy_fence();
  if (atomic_load_explicit(&frequent_in, memory_order_relaxed) == 0)
    atomic_store_explicit(&inside, 2, memory_order_relaxed);
  return NULL;
}

int main(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
    return 1;
  pthread_t f, s;
  pthread_create(&f, NULL, frequent, NULL);
  pthread_create(&s, NULL, seldom, NULL);
  pthread_join(f, NULL);
  pthread_join(s, NULL);
}

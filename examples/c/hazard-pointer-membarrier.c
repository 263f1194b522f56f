/*
 * A hazard pointer whose reader has no fence: it announces what it is about to read and looks
 * again. The reclaimer takes the object out, makes a heavy fence, and waits until nobody
 * announces it.
 *
 * Robust: the announcement may wait in the reader's buffer during its second look, and the heavy
 * fence drains that buffer. Either the reclaimer sees the announcement, or the reader's second
 * look comes after the object was taken out. folly reclaims in this way.
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct object {
  int alive;
};

static struct object objects[2] = {{1}, {1}};
static struct object *_Atomic shared = &objects[0], *_Atomic hazard;
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
  struct object *mine;
  do {
    mine = atomic_load_explicit(&shared, memory_order_acquire);
    atomic_store_explicit(&hazard, mine, memory_order_release);
    light_fence();
  } while (mine != atomic_load_explicit(&shared, memory_order_acquire));
  seen = mine->alive;
  atomic_store_explicit(&hazard, NULL, memory_order_release);
  return NULL;
}

static void *reclaimer(void *unused) {
  (void)unused;
  struct object *old = atomic_load_explicit(&shared, memory_order_relaxed);
  atomic_store_explicit(&shared, &objects[1], memory_order_release);
  heavy_fence();
  while (atomic_load_explicit(&hazard, memory_order_acquire) == old)
    ;
  old->alive = 0;
  return NULL;
}

int main(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
    return 1;
  pthread_t r, w;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, reclaimer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
}

/*
 * A lock that belongs to one thread: the owner takes it with a plain store and a look whether it
 * has been revoked. Whoever revokes the lock says so, makes a heavy fence, and waits for the
 * owner.
 *
 * Robust: the owner's store may wait in its buffer while it looks, and the heavy fence drains
 * that buffer. Either the revoker sees that the owner has the lock, or the owner sees that it is
 * revoked.
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int mine, revoked;
static int balance;

/* Heavy fence: drains the store buffer of every thread of the process. */
static void heavy_fence(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    abort();
}

/* Light fence: the compiler keeps the order of the accesses around it. */
static void light_fence(void) { atomic_signal_fence(memory_order_seq_cst); }

static void *owner(void *unused) {
  (void)unused;
  atomic_store_explicit(&mine, 1, memory_order_relaxed);
  light_fence();
  if (atomic_load_explicit(&revoked, memory_order_acquire) == 0)
    balance = balance + 1;
  atomic_store_explicit(&mine, 0, memory_order_release);
  return NULL;
}

static void *revoker(void *unused) {
  (void)unused;
  atomic_store_explicit(&revoked, 1, memory_order_relaxed);
  heavy_fence();
  while (atomic_load_explicit(&mine, memory_order_acquire) != 0)
    ;
  balance = balance + 1;
  return NULL;
}

int main(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
    return 1;
  pthread_t o, r;
  pthread_create(&o, NULL, owner, NULL);
  pthread_create(&r, NULL, revoker, NULL);
  pthread_join(o, NULL);
  pthread_join(r, NULL);
}

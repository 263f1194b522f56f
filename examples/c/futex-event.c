/*
 * An event over a futex: who waits says so and sleeps in the kernel for as long as the word is 0;
 * who sets the event wakes the sleepers, and saves the system call if nobody says that they wait.
 *
 * Not robust: the store to the word may be late, past the look at the sleepers. The kernel finds
 * the word still 0, so the sleeper sleeps, and nobody wakes it. A fence before the look helps.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int is_set, sleepers;

static void *waiter(void *unused) {
  (void)unused;
  atomic_fetch_add(&sleepers, 1);
  while (!atomic_load_explicit(&is_set, memory_order_acquire))
    syscall(SYS_futex, &is_set, FUTEX_WAIT_PRIVATE, 0, NULL);
  atomic_fetch_sub(&sleepers, 1);
  return NULL;
}

static void *setter(void *unused) {
  (void)unused;
  atomic_store_explicit(&is_set, 1, memory_order_release);
  if (atomic_load_explicit(&sleepers, memory_order_relaxed) != 0)
    syscall(SYS_futex, &is_set, FUTEX_WAKE_PRIVATE, 1);
  return NULL;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, waiter, NULL);
  pthread_create(&other, NULL, setter, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}

/*
 * A parker, as in a pool of threads: one says that it sleeps and looks for a permit, the other
 * gives the permit and looks for sleepers.
 *
 * Not robust: both stores may wait in the buffers while both look, and the sleeper is never woken.
 * A fence is needed in each function.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int permit, asleep, wakeups;

static void *parked(void *unused) {
  (void)unused;
  atomic_store_explicit(&asleep, 1, memory_order_release);
  if (!atomic_load_explicit(&permit, memory_order_acquire))
    while (!atomic_load_explicit(&wakeups, memory_order_acquire))
      ;
  return NULL;
}

static void *unparker(void *unused) {
  (void)unused;
  atomic_store_explicit(&permit, 1, memory_order_release);
  if (atomic_load_explicit(&asleep, memory_order_acquire))
    atomic_store_explicit(&wakeups, 1, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t p, u;
  pthread_create(&p, NULL, parked, NULL);
  pthread_create(&u, NULL, unparker, NULL);
  pthread_join(p, NULL);
  pthread_join(u, NULL);
}

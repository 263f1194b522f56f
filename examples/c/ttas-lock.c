/*
 * Test and test-and-set: look until the lock seems free, then try to take it.
 *
 * Robust: the store that frees the lock can be overtaken only by a look at the same cell.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool busy;
static int value;

static void *worker(void *unused) {
  (void)unused;
  for (int round = 0; round < 2; round++) {
    do
      while (atomic_load_explicit(&busy, memory_order_relaxed))
        ;
    while (atomic_exchange_explicit(&busy, true, memory_order_acquire));
    value = value + 1;
    atomic_store_explicit(&busy, false, memory_order_release);
  }
  return NULL;
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&workers[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(workers[i], NULL);
}

/*
 * A ring for one producer and one consumer: each side has an index of its own and looks at that of
 * the other.
 *
 * Not robust, although it is correct: the producer's store to the tail may still wait while it
 * looks at the head for its next round, and the consumer likewise. The ring then seems full to the
 * one and empty to the other, which under SC would need the indices to have stood still; nobody
 * minds. A fence in each function makes it robust; if the ring is right without, none is needed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SIZE 3

static _Alignas(64) atomic_uint head;
static _Alignas(64) atomic_uint tail;
static int slots[SIZE];

static bool offer(int value) {
  unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  unsigned next = (t + 1) % SIZE;
  if (next == atomic_load_explicit(&head, memory_order_acquire))
    return false;
  slots[t] = value;
  atomic_store_explicit(&tail, next, memory_order_release);
  return true;
}

static bool poll(int *value) {
  unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
  if (h == atomic_load_explicit(&tail, memory_order_acquire))
    return false;
  *value = slots[h];
  atomic_store_explicit(&head, (h + 1) % SIZE, memory_order_release);
  return true;
}

static void *producer(void *unused) {
  (void)unused;
  for (;;)
    offer(7);
}

static void *consumer(void *unused) {
  (void)unused;
  int value;
  for (;;)
    poll(&value);
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}

/*
 * A list of free slots: Treiber's stack of indices, with a tag that counts every change of the
 * head. Index and tag are one structure, which is compared and exchanged at once. Slots come back,
 * so that a head may be the same index again while the rest of the list is another (ABA): the tag
 * tells the two apart.
 *
 * Robust: what is stored to a slot is seen by nobody else before the exchange that gives it back.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { SLOTS = 2, NONE = SLOTS };

struct head {
  uint32_t first, tag;
};

static _Atomic struct head head;
static atomic_uint next[SLOTS] = { 1, NONE };
static int used[SLOTS];

static uint32_t take(void) {
  struct head old = atomic_load_explicit(&head, memory_order_acquire), new;
  do {
    if (old.first == NONE)
      return NONE;
    new.first = atomic_load_explicit(&next[old.first], memory_order_relaxed);
    new.tag = old.tag + 1;
  } while (!atomic_compare_exchange_weak(&head, &old, new));
  return old.first;
}

static void give(uint32_t slot) {
  struct head old = atomic_load_explicit(&head, memory_order_relaxed), new;
  do {
    atomic_store_explicit(&next[slot], old.first, memory_order_relaxed);
    new.first = slot;
    new.tag = old.tag + 1;
  } while (!atomic_compare_exchange_weak(&head, &old, new));
}

static void *worker(void *unused) {
  (void)unused;
  uint32_t slot = take();
  if (slot == NONE)
    return NULL;
  assert(used[slot] == 0);
  used[slot] = 1;
  used[slot] = 0;
  give(slot);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}

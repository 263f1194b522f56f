/*
 * A ticket lock: whoever wants in draws a number, and the lock serves numbers in turn.
 *
 * Robust: a thread stores only between its locked draw and the store that serves the next number,
 * and loads nothing after that store but by its next locked draw, which empties the buffer.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct ticket_lock {
  atomic_uint next;
  atomic_uint serving;
};

static struct ticket_lock lock;
static int in_use;

static unsigned take(struct ticket_lock *l) {
  unsigned mine = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&l->serving, memory_order_acquire) != mine)
    ;
  return mine;
}

static void release(struct ticket_lock *l, unsigned mine) {
  atomic_store_explicit(&l->serving, mine + 1, memory_order_release);
}

static void *user(void *unused) {
  (void)unused;
  unsigned mine = take(&lock);
  in_use = 1;
  assert(in_use == 1);
  in_use = 0;
  release(&lock, mine);
  return NULL;
}

int main(void) {
  pthread_t users[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&users[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(users[i], NULL);
}

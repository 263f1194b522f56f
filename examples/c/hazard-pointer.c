/*
 * A hazard pointer: a reader announces what it is about to read and looks again; whoever takes an
 * object out waits until nobody announces it.
 *
 * Not robust: the announcement may wait in the buffer during the second look, and the object is
 * taken apart while it is read. One fence, between the two; the reclaimer has its exchange.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct object {
  int alive;
};

static struct object objects[2] = {{1}, {1}};
static struct object *_Atomic shared = &objects[0], *_Atomic hazard;
static int seen;

static void *reader(void *unused) {
  (void)unused;
  struct object *mine;
  do {
    mine = atomic_load_explicit(&shared, memory_order_acquire);
    atomic_store_explicit(&hazard, mine, memory_order_release);
  } while (mine != atomic_load_explicit(&shared, memory_order_acquire));
  seen = mine->alive;
  atomic_store_explicit(&hazard, NULL, memory_order_release);
  return NULL;
}

static void *reclaimer(void *unused) {
  (void)unused;
  struct object *old = atomic_exchange(&shared, &objects[1]);
  while (atomic_load_explicit(&hazard, memory_order_acquire) == old)
    ;
  old->alive = 0;
  return NULL;
}

int main(void) {
  pthread_t r, w;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, reclaimer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
}

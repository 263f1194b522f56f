/*
 * Peterson's lock with release stores and acquire loads, which is what people write who know C11
 * but not x86.
 *
 * Not robust: release and acquire are free on x86, and so both threads may look at the other's flag
 * while their own waits in the buffer; both get in. One fence in lock(), after the store to turn.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static int inside;

static void lock(int me) {
  atomic_store_explicit(&flag[me], 1, memory_order_release);
  atomic_store_explicit(&turn, 1 - me, memory_order_release);
  while (atomic_load_explicit(&flag[1 - me], memory_order_acquire) == 1 &&
         atomic_load_explicit(&turn, memory_order_acquire) == 1 - me)
    ;
}

static void unlock(int me) { atomic_store_explicit(&flag[me], 0, memory_order_release); }

static void *user(void *argument) {
  int me = (int)(long)argument;
  lock(me);
  inside = me;
  assert(inside == me);
  unlock(me);
  return NULL;
}

int main(void) {
  pthread_t users[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&users[i], NULL, user, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(users[i], NULL);
}

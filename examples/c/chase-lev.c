/*
 * The work-stealing deque of Chase and Lev: the owner takes at the bottom what thieves steal at
 * the top.
 *
 * Not robust: while its store to the bottom waits, the owner looks at the top. With two tasks and two
 * thefts, owner and thief both get the last one. The published code has a fence between the two.
 */
#include <pthread.h>
#include <stdatomic.h>

#define EMPTY (-1)

static atomic_int top, bottom, buffer[4];
static int sum;

static void push(int task) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&buffer[b % 4], task, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return EMPTY;
  }
  int task = atomic_load_explicit(&buffer[b % 4], memory_order_relaxed);
  if (t == b) {
    if (!atomic_compare_exchange_strong(&top, &t, t + 1))
      task = EMPTY;
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return task;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b)
    return EMPTY;
  int task = atomic_load_explicit(&buffer[t % 4], memory_order_relaxed);
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? task : EMPTY;
}

static void *owner(void *unused) {
  (void)unused;
  push(1);
  push(2);
  sum = take();
  sum = take();
  return NULL;
}

static void *thief(void *unused) {
  (void)unused;
  steal();
  steal();
  return NULL;
}

int main(void) {
  pthread_t o, t;
  pthread_create(&o, NULL, owner, NULL);
  pthread_create(&t, NULL, thief, NULL);
  pthread_join(o, NULL);
  pthread_join(t, NULL);
}

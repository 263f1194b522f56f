/*
 * A sequence lock, as for the time of day in a kernel: the writer makes the number odd, writes, and
 * makes it even; a reader that saw an odd or two different numbers starts again.
 *
 * Robust on x86: there is one writer, and it loads nothing that anybody else stores; the readers
 * store nothing that is shared. The release and acquire fences are for the compiler only.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int seconds, nanoseconds;

static void *writer(void *unused) {
  (void)unused;
  unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&seconds, 1, memory_order_relaxed);
  atomic_store_explicit(&nanoseconds, 1, memory_order_relaxed);
  atomic_store_explicit(&sequence, s + 2, memory_order_release);
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  unsigned before, after;
  int s, n;
  do {
    before = atomic_load_explicit(&sequence, memory_order_acquire);
    s = atomic_load_explicit(&seconds, memory_order_relaxed);
    n = atomic_load_explicit(&nanoseconds, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    after = atomic_load_explicit(&sequence, memory_order_relaxed);
  } while (before != after || before % 2 == 1);
  assert(s == n);
  return NULL;
}

int main(void) {
  pthread_t w, r[2];
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r[0], NULL, reader, NULL);
  pthread_create(&r[1], NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r[0], NULL);
  pthread_join(r[1], NULL);
}

/*
 * The lock of Craig, Landin and Hagersten: wait on the node of whoever came before, and keep that
 * node for the next time.
 *
 * Robust: the store that marks the own node is followed by an exchange, and the store that releases
 * it is the last but for the next round, which begins with a store and an exchange.
 */
#include <pthread.h>
#include <stdatomic.h>

struct node {
  atomic_int pending;
};

static struct node free_node, own[2];
static struct node *_Atomic tail = &free_node;
static int work;

static void *worker(void *argument) {
  struct node *mine = argument;
  for (int round = 0; round < 2; round++) {
    atomic_store_explicit(&mine->pending, 1, memory_order_relaxed);
    struct node *before = atomic_exchange(&tail, mine);
    while (atomic_load_explicit(&before->pending, memory_order_acquire))
      ;
    work = work + 1;
    atomic_store_explicit(&mine->pending, 0, memory_order_release);
    mine = before;
  }
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, worker, &own[0]);
  pthread_create(&other, 0, worker, &own[1]);
  pthread_join(one, 0);
  pthread_join(other, 0);
}

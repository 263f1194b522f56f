/*
 * The queue of Michael and Scott, with a dummy node in front: who adds links its node behind the
 * last and then moves the tail, or helps another to do so.
 *
 * Robust: its own node is only known to others by the compare-exchange that links it; up to there
 * an enqueuing thread looks at cells of others, but nobody can look at what it has stored.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int value;
  struct node *_Atomic next;
};

static struct node nodes[3];
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];

static void enqueue(struct node *fresh) {
  fresh->value = 5;
  for (;;) {
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
    if (next != NULL) {
      atomic_compare_exchange_strong(&tail, &last, next);
    } else if (atomic_compare_exchange_strong(&last->next, &next, fresh)) {
      atomic_compare_exchange_strong(&tail, &last, fresh);
      return;
    }
  }
}

static int dequeue(void) {
  for (;;) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next == NULL)
      return 0;
    if (first == last) {
      atomic_compare_exchange_strong(&tail, &last, next);
      continue;
    }
    int value = next->value;
    if (atomic_compare_exchange_strong(&head, &first, next))
      return value;
  }
}

static void *producer(void *argument) {
  enqueue(argument);
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  return dequeue() == 5 ? &nodes[0] : NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, producer, &nodes[1]);
  pthread_create(&threads[1], NULL, producer, &nodes[2]);
  pthread_create(&threads[2], NULL, consumer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}

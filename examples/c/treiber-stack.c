/*
 * Treiber's stack, with nodes from malloc that are never given back.
 *
 * Robust: what a push prepares in its node reaches memory with the compare-exchange of the head,
 * and the only load that it has after a store is by that locked instruction.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *_Atomic head;

static void *producer(void *unused) {
  (void)unused;
  struct node *fresh = malloc(sizeof *fresh);
  struct node *top = atomic_load_explicit(&head, memory_order_relaxed);
  fresh->value = 7;
  do
    fresh->next = top;
  while (!atomic_compare_exchange_strong(&head, &top, fresh));
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  struct node *top = atomic_load_explicit(&head, memory_order_acquire);
  while (top != NULL && !atomic_compare_exchange_strong(&head, &top, top->next))
    ;
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 2; i++) {
    pthread_create(&threads[i], NULL, producer, NULL);
    pthread_create(&threads[2 + i], NULL, consumer, NULL);
  }
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
}

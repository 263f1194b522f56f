/*
 * The queue lock of Mellor-Crummey and Scott: each thread waits on a flag in its own node, and who
 * leaves hands the lock to the node behind.
 *
 * Robust: what a thread prepares in its node reaches memory with the exchange of the tail. Who has
 * to wait then stores a link and looks at its flag, which nobody changes before the link is seen.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  struct node *_Atomic next;
  atomic_bool waits;
};

static struct node *_Atomic tail;
static struct node nodes[2];
static int protected_value;

static void take(struct node *mine) {
  atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&mine->waits, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (before == NULL)
    return;
  atomic_store_explicit(&before->next, mine, memory_order_release);
  while (atomic_load_explicit(&mine->waits, memory_order_acquire))
    ;
}

static void release(struct node *mine) {
  struct node *after = atomic_load_explicit(&mine->next, memory_order_acquire);
  if (after == NULL) {
    struct node *last = mine;
    if (atomic_compare_exchange_strong(&tail, &last, NULL))
      return;
    do
      after = atomic_load_explicit(&mine->next, memory_order_acquire);
    while (after == NULL);
  }
  atomic_store_explicit(&after->waits, 0, memory_order_release);
}

static void *user(void *argument) {
  struct node *mine = argument;
  take(mine);
  protected_value = 1;
  release(mine);
  return NULL;
}

int main(void) {
  pthread_t users[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&users[i], NULL, user, &nodes[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(users[i], NULL);
}

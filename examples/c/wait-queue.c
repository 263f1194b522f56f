/*
 * A wait queue of the kernel. wake_up takes the lock of the queue, so whoever wakes others often
 * looks first whether anybody is there.
 *
 * Not robust: waitqueue_active has no barrier, so the store to the condition may be late. The
 * waiter adds itself to the queue, finds the condition false and sleeps, and nobody wakes it. The
 * kernel asks for smp_mb() before waitqueue_active.
 */
#include <linux/wait.h>
#include <pthread.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int is_done;

static void *waiter(void *unused) {
  (void)unused;
  wait_event(queue, READ_ONCE(is_done));
  return NULL;
}

static void *waker(void *unused) {
  (void)unused;
  WRITE_ONCE(is_done, 1);
  if (waitqueue_active(&queue))
    wake_up(&queue);
  return NULL;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, waiter, NULL);
  pthread_create(&other, NULL, waker, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}

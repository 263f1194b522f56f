/*
 * A service that is made when it is first asked for: look, lock, look again.
 *
 * Robust: whoever makes it stores, publishes, and then unlocks, which is a locked instruction.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct service {
  int port;
};

static struct service storage;
static struct service *_Atomic instance;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static struct service *get(void) {
  struct service *found = atomic_load_explicit(&instance, memory_order_acquire);
  if (found != NULL)
    return found;
  pthread_mutex_lock(&guard);
  found = atomic_load_explicit(&instance, memory_order_relaxed);
  if (found == NULL) {
    found = &storage;
    found->port = 80;
    atomic_store_explicit(&instance, found, memory_order_release);
  }
  pthread_mutex_unlock(&guard);
  return found;
}

static void *client(void *unused) {
  (void)unused;
  assert(get()->port == 80);
  return NULL;
}

int main(void) {
  pthread_t clients[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&clients[i], NULL, client, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(clients[i], NULL);
}

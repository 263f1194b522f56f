/*
 * Read-copy-update in the style of the Linux kernel: a new version is made aside and published with
 * one store; readers follow the pointer that they find.
 *
 * Robust: this is message passing. The updater loads nothing, the readers store nothing shared.
 */
#include <linux/rcupdate.h>
#include <pthread.h>

struct config {
  int timeout;
  int retries;
};

static struct config versions[2] = {{10, 1}, {0, 0}};
static struct config *current_config = &versions[0];

static void *updater(void *unused) {
  struct config *fresh = &versions[1];

  (void)unused;
  fresh->timeout = 20;
  fresh->retries = 2;
  rcu_assign_pointer(current_config, fresh);
  return NULL;
}

static void *reader(void *unused) {
  struct config *config;

  (void)unused;
  rcu_read_lock();
  config = rcu_dereference(current_config);
  BUG_ON(config->timeout != 10 * config->retries);
  rcu_read_unlock();
  return NULL;
}

int main(void) {
  pthread_t u, r[2];

  pthread_create(&u, NULL, updater, NULL);
  pthread_create(&r[0], NULL, reader, NULL);
  pthread_create(&r[1], NULL, reader, NULL);
  pthread_join(u, NULL);
  pthread_join(r[0], NULL);
  pthread_join(r[1], NULL);
}

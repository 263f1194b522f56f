#ifndef FENCEWRIGHT_LINUX_COMPLETION_H
#define FENCEWRIGHT_LINUX_COMPLETION_H
/* Completions, with the accesses of the kernel. Of several that wait any may be woken. */
#include <linux/wait.h>

struct completion {
  unsigned done;
  struct wait_queue_head wait;
};
#define COMPLETION_INITIALIZER(name) { 0, { { 0 }, 0, 0, 0 } }
#define COMPLETION_INITIALIZER_ONSTACK COMPLETION_INITIALIZER
#define DECLARE_COMPLETION(name) struct completion name = COMPLETION_INITIALIZER(name)
#define DECLARE_COMPLETION_ONSTACK DECLARE_COMPLETION
#define FW_DONE_FOR_ALL 0xffffffffu
#define init_completion(x) ((void)((x)->done = 0), init_waitqueue_head(&(x)->wait))
#define reinit_completion(x) ((void)((x)->done = 0))

/* Under the lock of the queue: whoever is woken leaves it, whether it had slept already or not. */
static inline void __fw_complete(struct completion *x, unsigned done, int is_all) {
  spin_lock(&x->wait.lock);
  if (x->done != FW_DONE_FOR_ALL)
    x->done = done ? done : x->done + 1;
  int left = READ_ONCE(x->wait.sleepers);
#define __FW_COMPLETE(thread)                                                              \
  if ((left & (1 << (thread))) &&                                                        \
      (is_all || (left & (left - 1)) == 0 || __fencewright_nondet(0, 1))) {                \
    wake_up_process(&fw_tasks[thread]);                                                    \
    __fw_unqueue(&x->wait, 1 << (thread));                                                 \
    left = is_all ? left & ~(1 << (thread)) : 0;                                           \
  }
  __FW_EACH(__FW_COMPLETE)
  __fencewright_assume(left == 0);
  spin_unlock(&x->wait.lock);
}
static inline void complete(struct completion *x) { __fw_complete(x, 0, 0); }
static inline void complete_all(struct completion *x) { __fw_complete(x, FW_DONE_FOR_ALL, 1); }

static inline long __fw_wait_for(struct completion *x, long timeout, int is_timed,
                                 unsigned state) {
  struct wait_queue_entry entry = { 0 };
  spin_lock(&x->wait.lock);
  if (!x->done) {
    do {
      if (fw_signal_pending_state(state)) {
        timeout = -ERESTARTSYS;
        break;
      }
      __fw_queue(&x->wait, &entry);
      __set_current_state(state);
      spin_unlock(&x->wait.lock);
      timeout = fw_schedule_for(timeout, is_timed);
      spin_lock(&x->wait.lock);
    } while (!x->done && timeout);
    __set_current_state(TASK_RUNNING);
    if (READ_ONCE(x->wait.sleepers) & __fencewright_waiter())
      __fw_unqueue(&x->wait, __fencewright_waiter());
  }
  if (x->done) {
    if (x->done != FW_DONE_FOR_ALL)
      x->done = x->done - 1;
    timeout = timeout ? timeout : 1;
  }
  spin_unlock(&x->wait.lock);
  return timeout;
}
#define wait_for_completion(x)                                                             \
  ((void)__fw_wait_for((x), MAX_SCHEDULE_TIMEOUT, 0, TASK_UNINTERRUPTIBLE))
#define wait_for_completion_io wait_for_completion
#define wait_for_completion_timeout(x, timeout)                                            \
  ((unsigned long)__fw_wait_for((x), (timeout), 1, TASK_UNINTERRUPTIBLE))
#define wait_for_completion_interruptible(x)                                               \
  ((int)(__fw_wait_for((x), MAX_SCHEDULE_TIMEOUT, 0, TASK_INTERRUPTIBLE) == -ERESTARTSYS        \
             ? -ERESTARTSYS                                                              \
             : 0))
#define wait_for_completion_killable(x)                                                    \
  ((int)(__fw_wait_for((x), MAX_SCHEDULE_TIMEOUT, 0, TASK_KILLABLE) == -ERESTARTSYS             \
             ? -ERESTARTSYS                                                              \
             : 0))
static inline bool try_wait_for_completion(struct completion *x) {
  bool is_done = true;
  if (!READ_ONCE(x->done))
    return false;
  spin_lock(&x->wait.lock);
  if (!x->done)
    is_done = false;
  else if (x->done != FW_DONE_FOR_ALL)
    x->done = x->done - 1;
  spin_unlock(&x->wait.lock);
  return is_done;
}
static inline bool completion_done(struct completion *x) {
  if (!READ_ONCE(x->done))
    return false;
  spin_lock(&x->wait.lock);
  spin_unlock(&x->wait.lock);
  return true;
}
#endif

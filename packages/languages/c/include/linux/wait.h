#ifndef FENCEWRIGHT_LINUX_WAIT_H
#define FENCEWRIGHT_LINUX_WAIT_H
/*
 * Wait queues, with the accesses of the kernel: a lock, and for each thread a bit that says that it
 * is in the queue, where the kernel has a list. Of several exclusive waiters any may be woken.
 */
#include <linux/sched.h>

#define WQ_FLAG_EXCLUSIVE 1
/* Who was added by add_wait_queue stays in the queue when it is woken. */
#define FW_WQ_STAYS 2
struct wait_queue_head {
  spinlock_t lock;
  int sleepers, fw_exclusive, fw_staying;
};
typedef struct wait_queue_head wait_queue_head_t;
struct wait_queue_entry {
  unsigned flags;
};
typedef struct wait_queue_entry wait_queue_entry_t;
#define __WAIT_QUEUE_HEAD_INITIALIZER(name) { { 0 }, 0, 0, 0 }
#define DECLARE_WAIT_QUEUE_HEAD(name) struct wait_queue_head name = { { 0 }, 0, 0, 0 }
#define DECLARE_WAIT_QUEUE_HEAD_ONSTACK DECLARE_WAIT_QUEUE_HEAD
#define DEFINE_WAIT(name) struct wait_queue_entry name = { 0 }
#define DECLARE_WAITQUEUE(name, task) struct wait_queue_entry name = { FW_WQ_STAYS }
#define init_wait(entry) ((void)((entry)->flags = 0))
#define init_wait_entry(entry, set) ((void)((entry)->flags = (set)))
#define init_waitqueue_head(queue)                                                         \
  ((void)((queue)->lock.locked = (queue)->sleepers = 0),                                   \
   (void)((queue)->fw_exclusive = (queue)->fw_staying = 0))

/* No barrier: who calls it needs one before it. */
#define waitqueue_active(queue) (READ_ONCE((queue)->sleepers) != 0)
#define wq_has_sleeper(queue) ({ smp_mb(); waitqueue_active(queue); })

/* What follows is done under the lock of the queue. */
static inline void __fw_queue(struct wait_queue_head *queue, struct wait_queue_entry *entry) {
  int bit = __fencewright_waiter();
  if (READ_ONCE(queue->sleepers) & bit)
    return;
  WRITE_ONCE(queue->sleepers, READ_ONCE(queue->sleepers) | bit);
  if (entry->flags & WQ_FLAG_EXCLUSIVE)
    queue->fw_exclusive = queue->fw_exclusive | bit;
  if (entry->flags & FW_WQ_STAYS)
    queue->fw_staying = queue->fw_staying | bit;
}
static inline void __fw_unqueue(struct wait_queue_head *queue, int bit) {
  WRITE_ONCE(queue->sleepers, READ_ONCE(queue->sleepers) & ~bit);
  if (queue->fw_exclusive & bit)
    queue->fw_exclusive = queue->fw_exclusive & ~bit;
  if (queue->fw_staying & bit)
    queue->fw_staying = queue->fw_staying & ~bit;
}

static inline void add_wait_queue(struct wait_queue_head *queue, struct wait_queue_entry *entry) {
  spin_lock(&queue->lock);
  __fw_queue(queue, entry);
  spin_unlock(&queue->lock);
}
static inline void add_wait_queue_exclusive(struct wait_queue_head *queue,
                                            struct wait_queue_entry *entry) {
  entry->flags |= WQ_FLAG_EXCLUSIVE;
  add_wait_queue(queue, entry);
}
static inline void remove_wait_queue(struct wait_queue_head *queue,
                                     struct wait_queue_entry *entry) {
  (void)entry;
  spin_lock(&queue->lock);
  __fw_unqueue(queue, __fencewright_waiter());
  spin_unlock(&queue->lock);
}
static inline void prepare_to_wait(struct wait_queue_head *queue, struct wait_queue_entry *entry,
                                   unsigned state) {
  spin_lock(&queue->lock);
  __fw_queue(queue, entry);
  set_current_state(state);
  spin_unlock(&queue->lock);
}
static inline void prepare_to_wait_exclusive(struct wait_queue_head *queue,
                                             struct wait_queue_entry *entry, unsigned state) {
  entry->flags |= WQ_FLAG_EXCLUSIVE;
  prepare_to_wait(queue, entry, state);
}
static inline long prepare_to_wait_event(struct wait_queue_head *queue,
                                         struct wait_queue_entry *entry, unsigned state) {
  long result = 0;
  spin_lock(&queue->lock);
  if (fw_signal_pending_state(state)) {
    __fw_unqueue(queue, __fencewright_waiter());
    result = -ERESTARTSYS;
  } else {
    __fw_queue(queue, entry);
    set_current_state(state);
  }
  spin_unlock(&queue->lock);
  return result;
}
/* Who is not in the queue any more needs no lock to see that. */
static inline void finish_wait(struct wait_queue_head *queue, struct wait_queue_entry *entry) {
  (void)entry;
  __set_current_state(TASK_RUNNING);
  if (!(READ_ONCE(queue->sleepers) & __fencewright_waiter()))
    return;
  spin_lock(&queue->lock);
  __fw_unqueue(queue, __fencewright_waiter());
  spin_unlock(&queue->lock);
}

#define ___wait_event(queue, condition, state, exclusive, result, command)                 \
  ({                                                                                     \
    __label__ __fw_out;                                                                  \
    struct wait_queue_entry __wq_entry = { (exclusive) ? WQ_FLAG_EXCLUSIVE : 0 };          \
    long __ret = (result);                                                               \
    for (;;) {                                                                           \
      long __int = prepare_to_wait_event(&(queue), &__wq_entry, (state));                  \
      if (condition)                                                                     \
        break;                                                                           \
      if (((state) & (TASK_INTERRUPTIBLE | TASK_WAKEKILL)) && __int) {                     \
        __ret = __int;                                                                   \
        goto __fw_out;                                                                   \
      }                                                                                  \
      command;                                                                           \
    }                                                                                    \
    finish_wait(&(queue), &__wq_entry);                                                    \
  __fw_out:                                                                              \
    __ret;                                                                               \
  })
#define wait_event(queue, condition)                                                       \
  do {                                                                                   \
    if (condition)                                                                       \
      break;                                                                             \
    (void)___wait_event(queue, condition, TASK_UNINTERRUPTIBLE, 0, 0, schedule());         \
  } while (0)
#define io_wait_event wait_event
#define wait_event_idle(queue, condition)                                                  \
  do {                                                                                   \
    if (!(condition))                                                                    \
      (void)___wait_event(queue, condition, TASK_IDLE, 0, 0, schedule());                  \
  } while (0)
#define fw_wait_event_or_signal(queue, condition, state, exclusive)                        \
  ({                                                                                     \
    int __fw_result = 0;                                                                 \
    if (!(condition))                                                                    \
      __fw_result = (int)___wait_event(queue, condition, state, exclusive, 0, schedule()); \
    __fw_result;                                                                         \
  })
#define wait_event_interruptible(queue, condition)                                         \
  fw_wait_event_or_signal(queue, condition, TASK_INTERRUPTIBLE, 0)
#define wait_event_interruptible_exclusive(queue, condition)                               \
  fw_wait_event_or_signal(queue, condition, TASK_INTERRUPTIBLE, 1)
#define wait_event_killable(queue, condition)                                              \
  fw_wait_event_or_signal(queue, condition, TASK_KILLABLE, 0)
#define fw_wait_cond_timeout(condition)                                                    \
  ({                                                                                     \
    int __cond = !!(condition);                                                          \
    if (__cond && !__ret)                                                                \
      __ret = 1;                                                                         \
    __cond || !__ret;                                                                    \
  })
#define fw_wait_event_timeout(queue, condition, timeout, state)                            \
  ({                                                                                     \
    long __ret = (timeout);                                                              \
    if (!fw_wait_cond_timeout(condition))                                                \
      __ret = ___wait_event(queue, fw_wait_cond_timeout(condition), state, 0, timeout,     \
                            __ret = fw_schedule_for(__ret, (timeout) != MAX_SCHEDULE_TIMEOUT)); \
    __ret;                                                                               \
  })
#define wait_event_timeout(queue, condition, timeout)                                      \
  fw_wait_event_timeout(queue, condition, timeout, TASK_UNINTERRUPTIBLE)
#define wait_event_interruptible_timeout(queue, condition, timeout)                        \
  fw_wait_event_timeout(queue, condition, timeout, TASK_INTERRUPTIBLE)

/*
 * Wakes those in the queue: of the exclusive ones so many, all if it is 0. Who is woken leaves the
 * queue, unless it stays there.
 */
static inline void __wake_up(struct wait_queue_head *queue, unsigned states, int exclusive) {
  spin_lock(&queue->lock);
  int left = READ_ONCE(queue->sleepers), woken = 0;
#define __FW_WAKE(thread)                                                                  \
  if (left & (1 << (thread))) {                                                          \
    int is_exclusive = (queue->fw_exclusive & (1 << (thread))) != 0;                       \
    int is_due = !is_exclusive || exclusive == 0 || exclusive > 30 ||                    \
                 (woken < exclusive && __fencewright_nondet(0, 1));                        \
    if (is_due && wake_up_state(&fw_tasks[thread], states)) {                              \
      if (is_exclusive)                                                                  \
        woken = woken + 1;                                                               \
      if (!(queue->fw_staying & (1 << (thread))))                                          \
        __fw_unqueue(queue, 1 << (thread));                                                \
      left = left & ~(1 << (thread));                                                    \
    } else if (is_due)                                                                   \
      left = left & ~(1 << (thread));                                                    \
  }
#define __FW_EACH(act)                                                                     \
  act(0) act(1) act(2) act(3) act(4) act(5) act(6) act(7) act(8) act(9) act(10) act(11)      \
  act(12) act(13) act(14) act(15) act(16) act(17) act(18) act(19) act(20) act(21) act(22)    \
  act(23) act(24) act(25) act(26) act(27) act(28) act(29) act(30)
  __FW_EACH(__FW_WAKE)
  /* Who is left is exclusive, and others have been woken in its place. */
  __fencewright_assume(left == 0 || woken == exclusive);
  spin_unlock(&queue->lock);
}
#define wake_up(queue) __wake_up(queue, TASK_NORMAL, 1)
#define wake_up_nr(queue, number) __wake_up(queue, TASK_NORMAL, number)
#define wake_up_all(queue) __wake_up(queue, TASK_NORMAL, 0)
#define wake_up_interruptible(queue) __wake_up(queue, TASK_INTERRUPTIBLE, 1)
#define wake_up_interruptible_nr(queue, number) __wake_up(queue, TASK_INTERRUPTIBLE, number)
#define wake_up_interruptible_all(queue) __wake_up(queue, TASK_INTERRUPTIBLE, 0)
#endif

#ifndef FENCEWRIGHT_LINUX_SCHED_H
#define FENCEWRIGHT_LINUX_SCHED_H
/*
 * Tasks that sleep and are woken, with the accesses of the kernel. A task is the entry of its
 * thread in a table: threads beyond the table, and threads in any number, only sleep for a while.
 */
#include <errno.h>
#include <lkmm.h>

#define TASK_RUNNING 0x0000
#define TASK_INTERRUPTIBLE 0x0001
#define TASK_UNINTERRUPTIBLE 0x0002
#define TASK_PARKED 0x0040
#define TASK_WAKEKILL 0x0100
#define TASK_NOLOAD 0x0400
#define TASK_KILLABLE (TASK_WAKEKILL | TASK_UNINTERRUPTIBLE)
#define TASK_IDLE (TASK_UNINTERRUPTIBLE | TASK_NOLOAD)
#define TASK_NORMAL (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define MAX_SCHEDULE_TIMEOUT __LONG_MAX__
#define HZ 250
#define msecs_to_jiffies(time) ((long)(time) / (1000 / HZ))
#ifndef ERESTARTSYS
#define ERESTARTSYS 512
#endif

struct task_struct {
  unsigned __state;
  /* The lock that who wakes the task takes, in the kernel pi_lock. */
  int fw_lock;
  int fw_has_signal;
  /* For kthread.h. */
  unsigned long fw_flags, fw_thread;
  unsigned fw_parked;
};
enum { fw_most_tasks = 31 };
extern struct task_struct fw_tasks[fw_most_tasks];
#define current (&fw_tasks[__fencewright_thread_self() - 1])

#define __set_current_state(state) WRITE_ONCE(current->__state, (state))
#define set_current_state(state) smp_store_mb(current->__state, (state))
#define get_current_state() READ_ONCE(current->__state)
#define task_is_running(task) (READ_ONCE((task)->__state) == TASK_RUNNING)
/* Signals come to who sleeps and can be interrupted, if nobody can count on them. */
#define signal_pending(task) READ_ONCE((task)->fw_has_signal)
#define fw_signal_pending_state(state) \
  (((state) & (TASK_INTERRUPTIBLE | TASK_WAKEKILL)) != 0 && signal_pending(current))
static inline void set_special_state(unsigned state) {
  __fw_lock(&current->fw_lock);
  __set_current_state(state);
  smp_store_release(&current->fw_lock, 0);
}

/* Whether the task was not woken before its time was over, if there is one. */
static inline int fw_schedule(int is_timed) {
  if (!__fencewright_waiter())
    return is_timed;
  __fencewright_atomic_begin();
  unsigned state = READ_ONCE(current->__state);
  int end = __fencewright_wait(state == TASK_RUNNING, is_timed);
  if (end != 0)
    WRITE_ONCE(current->__state, TASK_RUNNING);
  if (end == 1 && (state & (TASK_INTERRUPTIBLE | TASK_WAKEKILL)) != 0)
    current->fw_has_signal = __fencewright_nondet(0, 1);
  __fencewright_atomic_end();
  return end == 2;
}
#define schedule() ((void)fw_schedule(0))
#define schedule_preempt_disabled schedule
#define io_schedule schedule
/* How much time is left: none, or one jiffy. */
static inline long fw_schedule_for(long timeout, int is_timed) {
  int is_over = fw_schedule(is_timed);
  if (!is_timed)
    return timeout;
  return is_over ? 0 : __fencewright_nondet(0, 1);
}
#define schedule_timeout(timeout)                                                          \
  fw_schedule_for((timeout), (timeout) != MAX_SCHEDULE_TIMEOUT)
#define schedule_timeout_interruptible(timeout)                                            \
  (__set_current_state(TASK_INTERRUPTIBLE), schedule_timeout(timeout))
#define schedule_timeout_uninterruptible(timeout)                                          \
  (__set_current_state(TASK_UNINTERRUPTIBLE), schedule_timeout(timeout))

static inline int wake_up_state(struct task_struct *task, unsigned states) {
  int is_woken = 0;
  __fw_lock(&task->fw_lock);
  if (READ_ONCE(task->__state) & states) {
    WRITE_ONCE(task->__state, TASK_RUNNING);
    is_woken = 1;
  }
  smp_store_release(&task->fw_lock, 0);
  return is_woken;
}
#define wake_up_process(task) wake_up_state(task, TASK_NORMAL)

#include <linux/wait.h>
#endif

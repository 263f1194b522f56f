#ifndef FENCEWRIGHT_LINUX_KTHREAD_H
#define FENCEWRIGHT_LINUX_KTHREAD_H
/* Threads of the kernel that are asked to stop, or to wait at a place. */
#include <linux/sched.h>

#define FW_SHOULD_STOP 1
#define FW_SHOULD_PARK 2
#define IS_ERR(pointer) 0
static inline struct task_struct *fw_kthread(void *thread) {
  struct task_struct *task = &fw_tasks[(unsigned long)thread - 1];
  task->fw_thread = (unsigned long)thread;
  return task;
}
/* An int comes back as a pointer; both are numbers to the reader. */
#define kthread_run(body, argument, ...)                                                   \
  fw_kthread((void *)__fencewright_thread_create((void *(*)(void *))(body), (argument)))
#define kthread_create(...) \
  (__fencewright_refuse("kthread_create has no model: write kthread_run"), (struct task_struct *)0)

#define kthread_should_stop() test_bit(FW_SHOULD_STOP, &current->fw_flags)
#define kthread_should_park() test_bit(FW_SHOULD_PARK, &current->fw_flags)
static inline void kthread_unpark(struct task_struct *task) {
  if (!test_bit(FW_SHOULD_PARK, &task->fw_flags))
    return;
  clear_bit(FW_SHOULD_PARK, &task->fw_flags);
  wake_up_state(task, TASK_PARKED);
}
static inline int kthread_stop(struct task_struct *task) {
  set_bit(FW_SHOULD_STOP, &task->fw_flags);
  kthread_unpark(task);
  wake_up_process(task);
  return (int)(long)__fencewright_thread_join(task->fw_thread);
}
/* The place where a thread waits that is to park; who parks it waits until it is there. */
static inline void kthread_parkme(void) {
  for (;;) {
    set_special_state(TASK_PARKED);
    if (!kthread_should_park())
      break;
    __atomic_fetch_add(&current->fw_parked, 1, __ATOMIC_SEQ_CST);
    schedule();
  }
  __set_current_state(TASK_RUNNING);
}
static inline int kthread_park(struct task_struct *task) {
  set_bit(FW_SHOULD_PARK, &task->fw_flags);
  wake_up_process(task);
  __fencewright_atomic_begin();
  __fencewright_assume(task->fw_parked > 0);
  task->fw_parked = task->fw_parked - 1;
  __fencewright_atomic_end();
  return 0;
}
#endif

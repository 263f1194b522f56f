/*
 * The process and the machine under it: its environment, signals, numbers, counters of time, and
 * where threads run. None of these is a fence.
 */
char *getenv(const char *name) {
  __fencewright_take_for_granted("environment");
  return NULL;
}
char *secure_getenv(const char *name) { return getenv(name); }
/* The number of main's thread is that of the process, as on Linux. */
int getpid(void) {
  __fencewright_take_for_granted("threadNumbers");
  return 1;
}
int gettid(void) {
  __fencewright_take_for_granted("threadNumbers");
  return (int)__fencewright_thread_self();
}

/* Signals: none comes. */
int sigaction(int signal, const void *action, void *old) {
  if (old)
    __fencewright_refuse("sigaction has a model where nobody asks for the old action");
  __fencewright_take_for_granted("signals");
  return 0;
}
void *signal(int number, void *handler) {
  __fencewright_take_for_granted("signals");
  return NULL;
}
unsigned alarm(unsigned seconds) {
  __fencewright_take_for_granted("signals");
  return 0;
}
int pthread_sigmask(int how, const void *set, void *old) {
  if (old)
    __fencewright_refuse("pthread_sigmask has a model where nobody asks for the old signals");
  return 0;
}
int sigprocmask(int how, const void *set, void *old) { return pthread_sigmask(how, set, old); }
int sigemptyset(void *set) { return 0; }
int sigfillset(void *set) { return 0; }
int sigaddset(void *set, int signal) { return 0; }
int sigdelset(void *set, int signal) { return 0; }

/* A sleep; what select says of files has no model. */
int fw_select(int count, void *read, void *write, void *except, void *most) __asm__("select");
int fw_select(int count, void *read, void *write, void *except, void *most) {
  if (read || write || except)
    __fencewright_refuse("select has a model without sets of files, as a sleep");
  return may_fail(__fencewright_outside("select"));
}
int fw_poll(void *files, unsigned long count, int most) __asm__("poll");
int fw_poll(void *files, unsigned long count, int most) {
  if (count != 0)
    __fencewright_refuse("poll has a model without files, as a sleep");
  return may_fail(__fencewright_outside("poll"));
}
/* Says by itself how it ended, and errno stays. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration,
                    struct timespec *left) {
  int is_interrupted = __fencewright_nondet(0, 1);
  enum { timer_abstime = 1 };
  if (flags != timer_abstime)
    tell_left(is_interrupted, left);
  return is_interrupted ? EINTR : 0;
}
int clock_getres(clockid_t clock, struct timespec *to) {
  if (to) {
    to->tv_sec = 0;
    to->tv_nsec = __fencewright_nondet(1, 999999999);
  }
  return 0;
}
long lrand48(void) { return __fencewright_outside_long("lrand48"); }
void srand48(long seed) {}

/* A counter of the processor, which instructions of a thread read in any order. */
long fw_counter(void) __asm__("__fencewright_x86_rdtsc");
long fw_counter(void) { return __fencewright_outside_long("rdtsc"); }
/* With the number of the processor. */
struct fw_counted {
  long counter;
  int processor;
};
struct fw_counted __fencewright_x86_rdtscp(void) {
  struct fw_counted counted = {__fencewright_outside_long("rdtsc"),
                               __fencewright_outside("sched_getcpu")};
  return counted;
}
long fw_cycles(void) __asm__("__fencewright_readcyclecounter");
long fw_cycles(void) { return __fencewright_outside_long("rdtsc"); }

/* Random bytes: numbers of one cell. */
static int fw_random(void) { return __fencewright_nondet(-2147483647 - 1, 2147483647); }
long getrandom(void *to, size_t size, unsigned flags) {
  __fencewright_never_fails("getrandom");
  switch (size) {
  case 1:
    *(char *)to = (char)__fencewright_nondet(-128, 127);
    return 1;
  case 2:
    *(short *)to = (short)__fencewright_nondet(-32768, 32767);
    return 2;
  case 4:
    *(int *)to = fw_random();
    return 4;
  case 8:
    *(long *)to = (long)fw_random() << 32 | (unsigned)fw_random();
    return 8;
  default:
    __fencewright_refuse("getrandom has a model for numbers of 1, 2, 4 and 8 bytes");
    return -1;
  }
}
int getentropy(void *to, size_t size) { return getrandom(to, size, 0) < 0 ? -1 : 0; }

/* How many processors there are, and how threads share them. */
int get_nprocs(void) { return (int)__fencewright_outside_long("sysconf"); }
int get_nprocs_conf(void) { return (int)__fencewright_outside_long("sysconf"); }
/* Of Linux: the policies 1 and 2 have priorities. */
int sched_get_priority_max(int policy) { return policy == 1 || policy == 2 ? 99 : 0; }
int sched_get_priority_min(int policy) { return policy == 1 || policy == 2 ? 1 : 0; }
int sched_setscheduler(int process, int policy, const void *parameter) { return 0; }
int sched_setparam(int process, const void *parameter) { return 0; }
int pthread_setschedparam(pthread_t thread, int policy, const void *parameter) { return 0; }
int pthread_setschedprio(pthread_t thread, int priority) { return 0; }
int pthread_setconcurrency(int level) { return 0; }
int pthread_attr_setscope(pthread_attr_t *attributes, int scope) { return 0; }
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) { return 0; }
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int how) { return 0; }
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) { return 0; }
int pthread_attr_setschedparam(pthread_attr_t *attributes, const void *parameter) { return 0; }
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const void *set) {
  return 0;
}

/*
 * Time, and names of threads: what programs do around their threads. Functions of glibc, by
 * their names there; none of them is a fence.
 */

/* What time it is, nobody knows. */
struct fw_time {
  long seconds, part;
};
static void fw_now(struct fw_time *to, long seconds, int most) {
  to->seconds = seconds;
  to->part = __fencewright_nondet(0, most);
}
int clock_gettime(clockid_t clock, struct timespec *to) {
  fw_now((struct fw_time *)to, __fencewright_outside_long("clock_gettime"), 999999999);
  return 0;
}
int fw_timespec_get(void *to, int base) __asm__("timespec_get");
int fw_timespec_get(void *to, int base) {
  if (base != TIME_UTC)
    return 0;
  fw_now(to, __fencewright_outside_long("clock_gettime"), 999999999);
  return base;
}
int fw_gettimeofday(void *to, void *zone) __asm__("gettimeofday");
int fw_gettimeofday(void *to, void *zone) {
  fw_now(to, __fencewright_outside_long("gettimeofday"), 999999);
  return 0;
}
time_t time(time_t *to) {
  time_t now = __fencewright_outside_long("time");
  if (to)
    *to = now;
  return now;
}
clock_t clock(void) { return __fencewright_outside_long("clock"); }
#define NOW(id, symbol)                                                                            \
  long id(void) __asm__(symbol);                                                                   \
  long id(void) {                                                                                  \
    struct fw_time now;                                                                            \
    fw_now(&now, __fencewright_outside_long("clock_gettime"), 999999999);                          \
    return now.seconds * 1000000000 + now.part;                                                    \
  }
NOW(fw_steady_now, "_ZNSt6chrono3_V212steady_clock3nowEv")
NOW(fw_system_now, "_ZNSt6chrono3_V212system_clock3nowEv")

int fw_clock_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int clock, const void *until)
    __asm__("pthread_cond_clockwait");
int fw_clock_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int clock, const void *until) {
  return wait_until(condition, mutex, until);
}
/*
 * Waits of std::condition_variable up to a deadline: 1 if the time is over, which it may be for one
 * that was woken, too, and is not for one that nobody woke before the deadline.
 */
#define WAIT_UNTIL(id, clock)                                                                      \
  int id(pthread_cond_t *condition, pthread_mutex_t **lock, const void *until)                     \
      __asm__("_ZNSt18condition_variable17__wait_until_implINSt6chrono8durationIlSt5ratioILl1EL"   \
              "l1000000000EEEEEESt9cv_statusRSt11unique_lockISt5mutexERKNS1_10time_pointINS1_3_V2" \
              clock "ET_EE");                                                                      \
  int id(pthread_cond_t *condition, pthread_mutex_t **lock, const void *until) {                   \
    return wait_for(condition, *lock, 1) != 0 || __fencewright_nondet(0, 1);                       \
  }
WAIT_UNTIL(fw_wait_until_steady, "12steady_clock")
WAIT_UNTIL(fw_wait_until_system, "12system_clock")

/* Names of threads, where they run, and with how much of the machine: nothing is to be seen of it. */
int pthread_setname_np(pthread_t thread, const char *name) { return 0; }
int pthread_setaffinity_np(pthread_t thread, size_t size, const void *set) { return 0; }
int fw_sched_setaffinity(int thread, size_t size, const void *set) __asm__("sched_setaffinity");
int fw_sched_setaffinity(int thread, size_t size, const void *set) { return 0; }
int sched_getcpu(void) { return __fencewright_outside("sched_getcpu"); }
/* The numbers of Linux and glibc. */
enum { pr_set_name = 15 };
enum { sc_clock_ticks = 2, sc_page_size = 30, sc_configured = 83, sc_processors = 84 };
enum { sc_line_1 = 190, sc_line_2 = 196, sc_line_3 = 199 };
int prctl(int operation, ...) {
  if (operation != pr_set_name)
    __fencewright_refuse("of prctl, PR_SET_NAME has a model");
  return 0;
}
long sysconf(int name) {
  switch (name) {
  case sc_clock_ticks:
    return 100;
  case sc_page_size:
    return page_size;
  case sc_line_1:
  case sc_line_2:
  case sc_line_3:
    return 64;
  case sc_processors:
  case sc_configured:
    return __fencewright_outside_long("sysconf");
  default:
    __fencewright_refuse("of sysconf, _SC_PAGESIZE, _SC_NPROCESSORS_ONLN, _SC_NPROCESSORS_CONF, "
                         "_SC_CLK_TCK and the sizes of cache lines have a model");
    return -1;
  }
}
int getpagesize(void) { return page_size; }

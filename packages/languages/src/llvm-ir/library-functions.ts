/**
 * The origin of a library function's result. `program`: the program determines the result. `free`:
 * an input; every number from `low` to `high` that makes a difference is tried. `assumed`: an
 * input, assumed to report success; verdicts mention the assumption if the program uses the result.
 */
export type ResultSource =
  | { readonly kind: 'program' }
  | { readonly kind: 'free'; readonly low: number; readonly high: number }
  | { readonly kind: 'assumed' };

const most = 2_147_483_647;

const free: Readonly<Record<string, readonly [low: number, high: number]>> = {
  rand: [0, most],
  rand_r: [0, most],
  random: [0, most],
  printf: [-1, most],
  fprintf: [-1, most],
  vprintf: [-1, most],
  vfprintf: [-1, most],
  vsnprintf: [-1, most],
  puts: [-1, most],
  fputs: [-1, most],
  fflush: [-1, 0],
  sleep: [0, most],
  usleep: [-1, 0],
  nanosleep: [-1, 0],
  thrd_sleep: [-2, 0],
  errno: [0, 133],
  hardware_concurrency: [0, most],
  time: [0, most],
  clock: [-1, most],
  clock_gettime: [0, most],
  gettimeofday: [0, most],
  sched_getcpu: [-1, 1023],
  sysconf: [1, most],
  select: [-1, 0],
  poll: [-1, 0],
  lrand48: [0, most],
  rdtsc: [0, most],
};

const assumed: readonly string[] = [
  ...['malloc', 'calloc', 'realloc', 'aligned_alloc', 'posix_memalign', '_Znwm', '_Znam'],
  ...['_ZnwmSt11align_val_t', '_ZnamSt11align_val_t', '_ZnwmRKSt9nothrow_t'],
  ...['_ZnamRKSt9nothrow_t', '_ZnwmSt11align_val_tRKSt9nothrow_t'],
  ...['_ZnamSt11align_val_tRKSt9nothrow_t'],
  ...[
    'pthread_create',
    'thrd_create',
    'atexit',
    '__cxa_atexit',
    'putchar',
    'fputc',
    'putc',
    'fwrite',
  ],
  ...['pthread_attr_init', 'pthread_mutexattr_init', 'pthread_mutex_init', 'mtx_init'],
  ...['pthread_cond_init', 'cnd_init', 'pthread_rwlock_init', 'pthread_barrier_init'],
  ...['pthread_spin_init', 'sem_init', 'pthread_setspecific', 'tss_set'],
  ...['pthread_key_create', 'tss_create', 'pthread_attr_setstacksize', 'pthread_rwlock_rdlock'],
  ...['eventfd', 'pthread_setname_np', 'pthread_setaffinity_np', 'sched_setaffinity'],
  ...['mmap', 'memalign', 'valloc', 'reallocarray', 'strdup', 'mlock', 'mlockall', 'getrandom'],
  ...['getentropy', 'sched_setscheduler', 'sched_setparam', 'pthread_setschedparam'],
  ...['pthread_setschedprio', 'pthread_attr_setaffinity_np', 'pthread_mutexattr_setprotocol'],
];

/** Functions whose results follow from the program's own actions. */
const ofProgram: readonly string[] = [
  ...['pthread_join', 'pthread_detach', 'pthread_exit', 'pthread_self', 'pthread_equal'],
  ...['pthread_attr_destroy', 'pthread_attr_setdetachstate'],
  ...['pthread_yield', 'pthread_mutexattr_destroy', 'pthread_mutexattr_settype'],
  ...['pthread_mutexattr_gettype', 'pthread_mutex_destroy', 'pthread_mutex_lock'],
  ...['pthread_mutex_trylock', 'pthread_mutex_unlock', 'pthread_cond_destroy'],
  ...['pthread_cond_wait', 'pthread_cond_timedwait', 'pthread_cond_signal'],
  ...['pthread_cond_broadcast', 'pthread_rwlock_destroy'],
  ...['pthread_rwlock_tryrdlock', 'pthread_rwlock_wrlock', 'pthread_rwlock_trywrlock'],
  ...['pthread_rwlock_unlock', 'pthread_barrier_destroy', 'pthread_barrier_wait'],
  ...['pthread_spin_destroy', 'pthread_spin_lock', 'pthread_spin_trylock', 'pthread_spin_unlock'],
  ...['pthread_once', 'pthread_key_delete', 'pthread_getspecific'],
  ...['thrd_join', 'thrd_detach', 'thrd_exit', 'thrd_current', 'thrd_equal', 'thrd_yield'],
  ...['mtx_destroy', 'mtx_lock', 'mtx_trylock', 'mtx_unlock', 'cnd_destroy', 'cnd_wait'],
  ...['cnd_signal', 'cnd_broadcast', 'call_once', 'tss_get'],
  ...['sem_destroy', 'sem_wait', 'sem_trywait', 'sem_post', 'sem_getvalue'],
  ...['free', 'abort', 'exit', '_Exit', '_exit', 'srand', 'srandom', 'abs', 'labs', 'atoi'],
  ...['membarrier', 'FlushProcessWriteBuffers'],
  ...['syscall', 'sched_yield', 'perror', '__errno_location', '__assert_fail', 'reach_error'],
  'assert',
  ...['memset', 'memcpy', 'memmove', 'memcmp', 'strlen', 'strcmp'],
  ...['strncmp', 'strchr', 'strcpy', 'strncpy', 'strcat', 'strerror', 'strncat', 'strnlen'],
  ...['strrchr', 'strstr', 'memchr', 'strtol', 'strtoul', 'strtoll', 'strtoull', 'atol', 'atoll'],
  ...['munmap', 'mprotect', 'madvise', 'munlock', 'munlockall', 'getenv', 'secure_getenv'],
  ...['getpid', 'gettid', 'alarm', 'pthread_sigmask', 'sigprocmask', 'sigemptyset', 'sigfillset'],
  ...['sigaddset', 'sigdelset', 'clock_getres', 'srand48', 'get_nprocs', 'get_nprocs_conf'],
  ...['sched_get_priority_max', 'sched_get_priority_min', 'pthread_setconcurrency'],
  ...['pthread_condattr_destroy', 'pthread_condattr_setclock', 'pthread_condattr_setpshared'],
  ...['pthread_mutexattr_setpshared', 'pthread_mutexattr_setrobust', 'pthread_rwlockattr_destroy'],
  ...['pthread_rwlockattr_setpshared', 'pthread_barrierattr_destroy'],
  ...['pthread_barrierattr_setpshared', 'pthread_mutex_timedlock', 'pthread_mutex_clocklock'],
  ...['mtx_timedlock', 'cnd_timedwait', 'pthread_rwlock_timedrdlock', 'pthread_rwlock_timedwrlock'],
  ...['pthread_rwlock_clockrdlock', 'pthread_rwlock_clockwrlock', 'sem_timedwait'],
  ...['sem_clockwait', 'clock_nanosleep', 'sigaction', 'signal', 'pthread_attr_setschedparam'],
  ...['pthread_attr_setinheritsched', 'pthread_attr_setschedpolicy', 'pthread_attr_setscope'],
  ...['pthread_attr_setguardsize', 'pthread_condattr_init', 'pthread_rwlockattr_init'],
  ...['pthread_barrierattr_init'],
  ...['snprintf', 'sprintf', 'timespec_get', 'getpagesize', 'prctl', 'pthread_cond_clockwait'],
  ...['read', 'write', 'close', 'eventfd_read', 'eventfd_write'],
  ...['GetLastError', 'WaitOnAddress', 'WakeByAddressSingle', 'WakeByAddressAll'],
  ...['_ZdlPv', '_ZdaPv', '_ZdlPvm', '_ZdaPvm', '_ZdlPvRKSt9nothrow_t', '_ZdaPvRKSt9nothrow_t'],
  ...['_ZdlPvSt11align_val_t', '_ZdaPvSt11align_val_t'],
  ...['_ZdlPvmSt11align_val_t', '_ZdaPvmSt11align_val_t'],
];

/** Library functions that access the caller's memory, except locks and the like. */
export const givingToCaller: ReadonlySet<string> = new Set([
  ...['memset', 'memcpy', 'memmove', 'posix_memalign', 'sem_getvalue', 'pthread_join', 'thrd_join'],
  ...['clock_gettime', 'gettimeofday', 'timespec_get', 'time', 'snprintf', 'sprintf'],
  ...['strcpy', 'strncpy', 'strcat', 'strncat', 'strchr', 'strrchr', 'strstr', 'memchr'],
  ...['strtol', 'strtoul', 'strtoll', 'strtoull', 'clock_getres', 'getrandom', 'getentropy'],
  ...['__atomic_load', '__atomic_store', '__atomic_exchange', '__atomic_compare_exchange'],
]);

/** The origin of the result of each library function, and of `errno`. */
export const libraryFunctions: ReadonlyMap<string, ResultSource> = new Map<string, ResultSource>([
  ...ofProgram.map((name): [string, ResultSource] => [name, { kind: 'program' }]),
  ...assumed.map((name): [string, ResultSource] => [name, { kind: 'assumed' }]),
  ...Object.entries(free).map(([name, [low, high]]): [string, ResultSource] => [
    name,
    { kind: 'free', low, high },
  ]),
]);

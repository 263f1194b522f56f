/** The keywords of C, and of GNU C, the default of compilers. */
const keywords =
  'alignas alignof asm auto bool break case char const constexpr continue default do double else ' +
  'enum extern false float for goto i386 if inline int linux long nullptr register restrict return ' +
  'short signed sizeof static static_assert struct switch thread_local true typedef typeof union ' +
  'unix unsigned void volatile while assert errno offsetof NULL EOF BUFSIZ';

/**
 * Names built into compilers or declared by the headers: a variable with such a name is an error,
 * or causes a warning.
 */
const library =
  'a64l abort abs access acct acos acosh alarm aligned_alloc alloca arc4random ' +
  'arc4random_buf arc4random_uniform asctime asin asinh at_quick_exit atan atan2 ' +
  'atanh atexit atof atoi atol atoll bcmp bcopy brk bsearch bzero cabs cacos calloc ' +
  'carg casin catan cbrt ccos ceil cexp char chdir chown chroot cimag clearenv clearerr ' +
  'clearerr_unlocked clock clock_getcpuclockid clock_getres clock_gettime clock_nanosleep ' +
  'clock_settime clog close closefrom confstr conj const copysign cos cosh cpow cproj ' +
  'creal crypt csin csqrt ctan ctermid ctime daemon daylight dcgettext dgettext difftime ' +
  'div double dprintf drand48 drem dup dup2 dysize ecvt endusershell enum erand48 erf ' +
  'erfc execl execle execlp execv execve execvp exit exp exp10 exp2 expm1 extern fabs ' +
  'faccessat fchdir fchown fchownat fclose fcvt fd_mask fd_set fdatasync fdim fdopen ' +
  'feof feof_unlocked ferror ferror_unlocked fexecve fflush fflush_unlocked ffs fgetc ' +
  'fgetc_unlocked fgetpos fgets fileno fileno_unlocked finite float flockfile floor ' +
  'fma fmax fmemopen fmin fmod fopen fork fpathconf fprintf fputc fputc_unlocked fputs ' +
  'fread fread_unlocked free freopen frexp fscanf fseek fseeko fsetpos fsync ftell ftello ' +
  'ftruncate ftrylockfile funlockfile fwrite fwrite_unlocked gamma gcvt getc getc_unlocked ' +
  'getchar getchar_unlocked getcwd getdelim getdomainname getdtablesize getegid getentropy ' +
  'getenv geteuid getgid getgroups gethostid gethostname getline getloadavg getlogin ' +
  'getopt getpagesize getpass getpgid getpgrp getpid getppid getsid getsubopt gettext ' +
  'getuid getusershell getw getwd gmtime hypot ilogb imaxabs index initstate int isalnum ' +
  'isalpha isascii isatty isblank iscntrl isdigit isgraph isinf islower isnan isprint ' +
  'ispunct isspace isupper isxdigit j0 j1 jn jrand48 l64a labs lchown lcong48 ldexp ' +
  'ldiv lgamma link linkat llabs lldiv llrint llround localtime lockf log log10 log1p ' +
  'log2 logb long lrand48 lrint lround lseek malloc mblen mbstowcs mbtowc memchr memcmp ' +
  'memcpy memmove mempcpy memset mkdtemp mkstemp mkstemps mktemp mktime modf mrand48 nan ' +
  'nanosleep nearbyint nextafter nexttoward nice nrand48 on_exit open_memstream optarg ' +
  'opterr optind optopt pathconf pause pclose perror pipe popen posix_memalign pow pow10 ' +
  'pread printf profil pselect putc putc_unlocked putchar putchar_unlocked putenv puts putw ' +
  'pwrite qecvt qfcvt qgcvt qsort quick_exit rand random read readlink readlinkat realloc ' +
  'reallocarray realpath remainder remove remquo rename renameat return revoke rewind ' +
  'rindex rint rmdir round rpmatch sbrk scalb scalbln scalbn scanf seed48 select setbuf ' +
  'setbuffer setdomainname setegid setenv seteuid setgid sethostid sethostname setlinebuf ' +
  'setlogin setpgid setpgrp setregid setreuid setsid setstate setuid setusershell setvbuf ' +
  'short signal signbit signed significand sin sincos sinh sizeof sleep snprintf sprintf ' +
  'sqrt srand srand48 srandom sscanf static stderr stdin stdout stpcpy stpncpy strcat ' +
  'strchr strcmp strcpy strcspn strdup strftime strftime_l strlen strncat strncmp strncpy ' +
  'strndup strpbrk strrchr strspn strstr strtod strtof strtol strtold strtoll strtoq ' +
  'strtoul strtoull strtouq struct symlink symlinkat sync syscall sysconf system tan tanh ' +
  'tcgetpgrp tcsetpgrp tempnam tgamma time timegm timelocal timer_create timer_delete ' +
  'timer_getoverrun timer_gettime timer_settime timespec_get timezone tmpfile tmpnam ' +
  'toascii tolower toupper trunc truncate ttyname ttyslot typedef tzname tzset u_char ' +
  'u_int u_long u_short ualarm uint ulong ungetc union unlink unlinkat unsetenv unsigned ' +
  'ushort usleep va_list valloc vdprintf vfork vfprintf vfscanf vhangup void volatile ' +
  'vprintf vscanf vsnprintf vsprintf vsscanf wcstombs wctomb write y0 y1 yn';

/** Names declared by the printed text. */
const own =
  'main threads argument memory fault at_index at_address in_domain shift_left shift_right ' +
  'wrap_add wrap_sub wrap_mul wrap_div wrap_rem wrap_shl wrap_shr is_below is_at_most is_above ' +
  'is_at_least to_i8 to_u8 to_i16 to_u16 ' +
  'remainder_of choose old is_same seed_choices bus holds_bus BUS end';

const words: ReadonlySet<string> = new Set(`${keywords} ${library} ${own}`.split(' '));
const families = /^(_|pthread|PTHREAD|sched_|SCHED_|atomic|ATOMIC|memory_order|CLOCK_)|_t$/;

/** Whether a word has, or may have, a fixed meaning in the printed text. */
export function isReservedInC(word: string): boolean {
  // Functions on numbers come in three widths.
  const plain = /^(.*?)[fl]?$/.exec(word)?.[1] ?? word;
  return words.has(word) || words.has(plain) || families.test(word);
}

/* No guard: NDEBUG counts anew each time. */
#include <fencewright.h>
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) __fencewright_assert((condition) ? 1 : 0, #condition)
#endif
#if !defined __cplusplus && !defined static_assert
#define static_assert _Static_assert
#endif

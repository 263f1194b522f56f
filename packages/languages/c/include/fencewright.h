/* What only the reader knows: see docs/c.md. Everything else is C on top of these. */
#ifndef FENCEWRIGHT_H
#define FENCEWRIGHT_H
#ifdef __cplusplus
extern "C" {
#endif
/* The thread can always come here again, or to its end: a claim of that name, see docs/c.md. */
void fencewright_progress(const char *name);
unsigned long __fencewright_thread_create(void *(*start)(void *), void *argument);
void *__fencewright_thread_join(unsigned long thread);
void __fencewright_thread_exit(void *value) __attribute__((noreturn));
unsigned long __fencewright_thread_self(void);
void __fencewright_assume(int condition);
/*
 * 0 once the condition holds; before that, at any time, 1 by chance, on which nobody can count; and
 * 2, if the wait is timed, since its time is over.
 */
int __fencewright_wait(int condition, int is_timed);
/* Where those are counted who wait for an address; libstdc++ has 128 bytes for it. */
void *__fencewright_waiters(const void *address);
/* The bit of the calling thread among those that wait; 0 where threads have no numbers. */
int __fencewright_waiter(void);
void __fencewright_cut_off_unless(int condition);
void __fencewright_assert(int condition, const char *text);
void __fencewright_exit(int code) __attribute__((noreturn));
/* Runs a function behind main; refuses where one is to run and the process ends in another way. */
int __fencewright_run_last(void (*last)(void *), void *argument, void (*running)(int));
void __fencewright_need_no_last(void);
/* Drains the store buffers of all threads. */
void __fencewright_heavy_fence(void);
/* A heavy fence that does nothing: a warning. */
void __fencewright_vain_fence(const char *why);
void __fencewright_atomic_begin(void);
/* Refuses where the thread is in such a section already. */
void __fencewright_need_no_section(void);
/* Like it, where what follows is one read-modify-write of one cell, with an order of C11. */
void __fencewright_update_begin(int order);
void __fencewright_atomic_end(void);
int __fencewright_nondet(int least, int most);
/* A value from outside of the program: the table library-functions.ts says what it may be. */
int __fencewright_outside(const char *name);
long __fencewright_outside_long(const char *name);
/* The answer says that this is taken for granted never to fail. */
void __fencewright_never_fails(const char *what);
/* The answer says that this is taken for granted: a key of libraryAssumptions. */
void __fencewright_take_for_granted(const char *what);
/* Whether the value is the same in all executions and known to the reader. */
int __fencewright_is_known(long value);
/* Bytes that have no known value from here on. */
void __fencewright_forget_text(char *text, unsigned long size);
/* Prints, or reads only, the arguments of a list (va_list) by a format. */
void __fencewright_print_list(const char *format, const void *list);
void __fencewright_read_list(const char *format, const void *list);
/* A text of the function that nobody knows: only its address is. */
char *__fencewright_unknown_text(const char *function);
void *__fencewright_malloc(unsigned long size);
void *__fencewright_malloc_aligned(unsigned long alignment, unsigned long size);
/* A block of zeros. */
void *__fencewright_malloc_zero(unsigned long alignment, unsigned long size);
void __fencewright_free(void *block);
/* Whether a block of this size begins here. */
int __fencewright_is_block(void *block, unsigned long size);
/* The number of bytes that were requested for a block. */
unsigned long __fencewright_block_size(void *block);
/* Copies all bytes of a block. */
void __fencewright_copy_block(void *to, void *block);
/* What std::cout prints: reach keeps it. */
void __fencewright_print_number(long number);
void __fencewright_print_unsigned(unsigned long number);
void __fencewright_print_text(const char *text);
void __fencewright_print_pointer(const void *pointer);
/* Like an assertion, behind which the program goes on. */
void __fencewright_warn(int condition, const char *text);
/* The library has no more room: the model ends here, and the program goes on. */
void __fencewright_limit(const char *what) __attribute__((noreturn));
/* The whole program is refused. */
void __fencewright_refuse(const char *what);
/* An error of the program that ends it, where C++ has std::terminate. */
void __fencewright_terminate(const char *why) __attribute__((noreturn));
#ifdef __cplusplus
}
#endif
#endif

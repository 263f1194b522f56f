#ifndef FENCEWRIGHT_STDLIB_H
#define FENCEWRIGHT_STDLIB_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **block, size_t alignment, size_t size);
void free(void *block);
void abort(void) __attribute__((noreturn));
void exit(int code) __attribute__((noreturn));
void _Exit(int code) __attribute__((noreturn));
int atexit(void (*last)(void));
int rand(void);
int rand_r(unsigned *seed);
long random(void);
void srand(unsigned seed);
void srandom(unsigned seed);
int abs(int value);
long labs(long value);
int atoi(const char *text);
#ifdef __cplusplus
}
#endif
#endif

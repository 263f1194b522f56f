#ifndef FENCEWRIGHT_STDIO_H
#define FENCEWRIGHT_STDIO_H
#include <stdarg.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct { int unused; } FILE;
extern FILE *const stdin, *const stdout, *const stderr;
#define EOF (-1)
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int sprintf(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int vprintf(const char *format, va_list rest);
int vfprintf(FILE *file, const char *format, va_list rest);
int vsnprintf(char *to, size_t size, const char *format, va_list rest);
int puts(const char *text);
int putchar(int character);
int fputs(const char *text, FILE *file);
int fputc(int character, FILE *file);
int putc(int character, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int fflush(FILE *file);
void perror(const char *text);
#ifdef __cplusplus
}
#endif
#endif

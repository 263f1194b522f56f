#ifndef FENCEWRIGHT_STRING_H
#define FENCEWRIGHT_STRING_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memset(void *to, int value, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
int memcmp(const void *one, const void *other, size_t size);
size_t strlen(const char *text);
int strncmp(const char *one, const char *other, size_t size);
char *strchr(const char *text, int character);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strerror(int error);
int strcmp(const char *one, const char *other);
#ifdef __cplusplus
}
#endif
#endif

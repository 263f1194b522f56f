/*
 * Memory by pages, and a few forms of malloc. A mapping is a block that begins with zeros, at a
 * page; the kernel gives its address to a later mapping once it is gone.
 */
enum { page_size = 4096 };
/* The numbers of Linux on x86-64. */
enum { prot_read_write = 3, map_private = 2, map_fixed = 0x100010, map_anonymous = 0x20 };
static void *const map_failed = (void *)-1;
static size_t in_pages(size_t size) { return (size + page_size - 1) & ~(size_t)(page_size - 1); }
static void *fw_map(size_t size) {
  __fencewright_never_fails("mmap");
  return __fencewright_malloc_zero(page_size, in_pages(size));
}
void *mmap(void *wish, size_t size, int protection, int flags, int descriptor, long offset) {
  if (!(flags & map_anonymous))
    __fencewright_refuse("of mmap, anonymous memory has a model: MAP_ANONYMOUS");
  if (flags & map_fixed)
    __fencewright_refuse("mmap has a model for addresses that the kernel chooses: no MAP_FIXED, no "
                         "MAP_FIXED_NOREPLACE");
  if ((protection & prot_read_write) != prot_read_write)
    __fencewright_refuse("mmap has a model for memory to read and write: PROT_READ | PROT_WRITE");
  if (size == 0) {
    errno = EINVAL;
    return map_failed;
  }
  return fw_map(size);
}
int munmap(void *start, size_t size) {
  if (size == 0) {
    errno = EINVAL;
    return -1;
  }
  if (!__fencewright_is_block(start, in_pages(size)))
    __fencewright_limit("munmap has a model for whole mappings");
  __fencewright_free(start);
  return 0;
}
int mprotect(void *start, size_t size, int protection) {
  if ((protection & prot_read_write) != prot_read_write)
    __fencewright_refuse("mprotect has a model for memory to read and write");
  return 0;
}
/* Advice changes contents where it frees pages. */
int madvise(void *start, size_t size, int advice) {
  enum { normal = 0, will_need = 3, mergeable = 12, no_dump = 17 };
  if (advice > will_need && !(advice >= mergeable && advice <= no_dump))
    __fencewright_refuse("madvise has a model for advice that keeps the contents of memory");
  return 0;
}
int mlock(const void *start, size_t size) { return 0; }
int munlock(const void *start, size_t size) { return 0; }
int mlockall(int flags) { return 0; }
int munlockall(void) { return 0; }

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
void *valloc(size_t size) { return aligned_alloc(page_size, size); }
void *reallocarray(void *block, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, total);
}

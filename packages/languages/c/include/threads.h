#ifndef FENCEWRIGHT_THREADS_H
#define FENCEWRIGHT_THREADS_H
#include <pthread.h>
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef pthread_t thrd_t;
typedef int (*thrd_start_t)(void *);
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef pthread_once_t once_flag;
typedef pthread_key_t tss_t;
typedef void (*tss_dtor_t)(void *);
#define ONCE_FLAG_INIT 0
#ifndef __cplusplus
#define thread_local _Thread_local
#endif
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
int thrd_join(thrd_t thread, int *value);
int thrd_detach(thrd_t thread);
void thrd_exit(int value) __attribute__((noreturn));
thrd_t thrd_current(void);
int thrd_equal(thrd_t one, thrd_t other);
void thrd_yield(void);
int thrd_sleep(const struct timespec *duration, struct timespec *left);
int mtx_init(mtx_t *mutex, int kind);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
int cnd_init(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
void call_once(once_flag *once, void (*first)(void));
int tss_create(tss_t *key, tss_dtor_t destroy);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);
#ifdef __cplusplus
}
#endif
#endif

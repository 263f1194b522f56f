#ifndef FENCEWRIGHT_LINUX_SEQLOCK_H
#define FENCEWRIGHT_LINUX_SEQLOCK_H
/* Sequence counters, with the accesses of the kernel: the barriers are none on x86. */
#include <lkmm.h>

typedef struct seqcount { unsigned sequence; } seqcount_t;
typedef seqcount_t seqcount_spinlock_t, seqcount_raw_spinlock_t, seqcount_mutex_t;
typedef struct { seqcount_t seqcount; spinlock_t lock; } seqlock_t;
#define SEQCNT_ZERO(name) { 0 }
#define SEQCNT_SPINLOCK_ZERO(name, lock) { 0 }
#define __SEQLOCK_UNLOCKED(name) { { 0 }, { 0 } }
#define DEFINE_SEQLOCK(name) seqlock_t name = { { 0 }, { 0 } }
#define seqcount_init(s) ((void)((s)->sequence = 0))
#define seqcount_spinlock_init(s, lock) seqcount_init(s)
#define seqlock_init(s) ((void)((s)->seqcount.sequence = 0, (s)->lock.locked = 0))

static inline unsigned fw_read_seqbegin(const seqcount_t *s) {
  unsigned seen;
  while ((seen = READ_ONCE(s->sequence)) & 1)
    cpu_relax();
  smp_rmb();
  return seen;
}
static inline int fw_read_seqretry(const seqcount_t *s, unsigned start) {
  smp_rmb();
  return READ_ONCE(s->sequence) != start;
}
static inline void fw_write_seqbegin(seqcount_t *s) {
  WRITE_ONCE(s->sequence, READ_ONCE(s->sequence) + 1);
  smp_wmb();
}
static inline void fw_write_seqend(seqcount_t *s) {
  smp_wmb();
  WRITE_ONCE(s->sequence, READ_ONCE(s->sequence) + 1);
}
#define read_seqcount_begin(s) fw_read_seqbegin(s)
#define __read_seqcount_begin(s) fw_read_seqbegin(s)
#define raw_read_seqcount_begin(s) fw_read_seqbegin(s)
#define raw_read_seqcount(s) READ_ONCE((s)->sequence)
#define raw_seqcount_begin(s) (READ_ONCE((s)->sequence) & ~1u)
#define read_seqcount_retry(s, start) fw_read_seqretry(s, start)
#define __read_seqcount_retry(s, start) (READ_ONCE((s)->sequence) != (start))
#define write_seqcount_begin(s) fw_write_seqbegin(s)
#define write_seqcount_end(s) fw_write_seqend(s)
#define raw_write_seqcount_begin(s) fw_write_seqbegin(s)
#define raw_write_seqcount_end(s) fw_write_seqend(s)
#define read_seqbegin(s) fw_read_seqbegin(&(s)->seqcount)
#define read_seqretry(s, start) fw_read_seqretry(&(s)->seqcount, start)
static inline void write_seqlock(seqlock_t *s) {
  spin_lock(&s->lock);
  fw_write_seqbegin(&s->seqcount);
}
static inline void write_sequnlock(seqlock_t *s) {
  fw_write_seqend(&s->seqcount);
  spin_unlock(&s->lock);
}
#define write_seqlock_irq write_seqlock
#define write_sequnlock_irq write_sequnlock
#define write_seqlock_irqsave(s, flags) ((void)((flags) = 0), write_seqlock(s))
#define write_sequnlock_irqrestore(s, flags) ((void)(flags), write_sequnlock(s))
#define read_seqlock_excl(s) spin_lock(&(s)->lock)
#define read_sequnlock_excl(s) spin_unlock(&(s)->lock)
#endif

#ifndef FENCEWRIGHT_LINUX_LIST_H
#define FENCEWRIGHT_LINUX_LIST_H
/* Doubly linked rings, with the stores of the kernel's. */
#include <lkmm.h>

struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *list) {
  WRITE_ONCE(list->next, list);
  WRITE_ONCE(list->prev, list);
}
static inline void __list_add(struct list_head *new, struct list_head *prev, struct list_head *next) {
  next->prev = new;
  new->next = next;
  new->prev = prev;
  WRITE_ONCE(prev->next, new);
}
static inline void __list_add_rcu(struct list_head *new, struct list_head *prev,
                                  struct list_head *next) {
  new->next = next;
  new->prev = prev;
  smp_store_release(&prev->next, new);
  next->prev = new;
}
static inline void list_add(struct list_head *new, struct list_head *head) {
  __list_add(new, head, head->next);
}
static inline void list_add_tail(struct list_head *new, struct list_head *head) {
  __list_add(new, head->prev, head);
}
static inline void list_add_rcu(struct list_head *new, struct list_head *head) {
  __list_add_rcu(new, head, head->next);
}
static inline void list_add_tail_rcu(struct list_head *new, struct list_head *head) {
  __list_add_rcu(new, head->prev, head);
}
static inline void __list_del(struct list_head *prev, struct list_head *next) {
  next->prev = prev;
  WRITE_ONCE(prev->next, next);
}
#define LIST_POISON1 ((void *)0x100)
#define LIST_POISON2 ((void *)0x122)
static inline void list_del(struct list_head *entry) {
  __list_del(entry->prev, entry->next);
  entry->next = LIST_POISON1;
  entry->prev = LIST_POISON2;
}
static inline void list_del_rcu(struct list_head *entry) {
  __list_del(entry->prev, entry->next);
  entry->prev = LIST_POISON2;
}
static inline void list_del_init(struct list_head *entry) {
  __list_del(entry->prev, entry->next);
  INIT_LIST_HEAD(entry);
}
static inline int list_empty(const struct list_head *head) { return READ_ONCE(head->next) == head; }
#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_entry_rcu(pointer, type, member) container_of(READ_ONCE(pointer), type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_for_each(at, head) for (at = (head)->next; at != (head); at = at->next)
#define list_for_each_entry(at, head, member)                                            \
  for (at = list_entry((head)->next, __typeof__(*at), member); &at->member != (head);    \
       at = list_entry(at->member.next, __typeof__(*at), member))
#define list_for_each_entry_rcu(at, head, member, ...)                                   \
  for (at = list_entry_rcu((head)->next, __typeof__(*at), member); &at->member != (head); \
       at = list_entry_rcu(at->member.next, __typeof__(*at), member))
#define list_for_each_entry_safe(at, then, head, member)                                 \
  for (at = list_entry((head)->next, __typeof__(*at), member),                           \
      then = list_entry(at->member.next, __typeof__(*at), member);                       \
       &at->member != (head);                                                            \
       at = then, then = list_entry(then->member.next, __typeof__(*then), member))
#endif

/*
 * The functions of libstdc++ behind std::list, std::unordered_map and std::unordered_set.
 */
struct fw_link {
  struct fw_link *next, *previous;
};

void fw_list_hook(struct fw_link *link, struct fw_link *before)
    __asm__("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void fw_list_hook(struct fw_link *link, struct fw_link *before) {
  link->next = before;
  link->previous = before->previous;
  before->previous->next = link;
  before->previous = link;
}

void fw_list_unhook(struct fw_link *link)
    __asm__("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void fw_list_unhook(struct fw_link *link) {
  struct fw_link *next = link->next, *previous = link->previous;
  previous->next = next;
  next->previous = previous;
}

/* Moves the links from `first` up to the one in front of `last` to the place in front of `before`. */
void fw_list_transfer(struct fw_link *before, struct fw_link *first, struct fw_link *last)
    __asm__("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void fw_list_transfer(struct fw_link *before, struct fw_link *first, struct fw_link *last) {
  if (before == last)
    return;
  struct fw_link *final = last->previous, *in_front = first->previous;
  in_front->next = last;
  last->previous = in_front;
  struct fw_link *left = before->previous;
  left->next = first;
  first->previous = left;
  final->next = before;
  before->previous = final;
}

void fw_list_reverse(struct fw_link *list)
    __asm__("_ZNSt8__detail15_List_node_base10_M_reverseEv");
void fw_list_reverse(struct fw_link *list) {
  struct fw_link *link = list;
  do {
    struct fw_link *next = link->next;
    link->next = link->previous;
    link->previous = next;
    link = next;
  } while (link != list);
}

/* Lets the neighbours of a list's end, which was copied here, point to it. */
static void fw_list_adopt(struct fw_link *list, const struct fw_link *from) {
  if (list->next == from) {
    list->next = list;
    list->previous = list;
  } else {
    list->next->previous = list;
    list->previous->next = list;
  }
}
void fw_list_swap(struct fw_link *one, struct fw_link *other)
    __asm__("_ZNSt8__detail15_List_node_base4swapERS0_S1_");
void fw_list_swap(struct fw_link *one, struct fw_link *other) {
  struct fw_link *next = one->next, *previous = one->previous;
  one->next = other->next;
  one->previous = other->previous;
  other->next = next;
  other->previous = previous;
  fw_list_adopt(one, other);
  fw_list_adopt(other, one);
}

/*
 * How many buckets a hash table has: a prime, and at least as many as elements. The largest load is
 * a floating-point number, of which only the usual 1 is followed.
 */
struct fw_hashing {
  int load;
  unsigned long room;
};
struct fw_rehash {
  _Bool is_needed;
  unsigned long buckets;
};
static void fw_usual_load(const struct fw_hashing *hashing) {
  if (hashing->load != 0x3f800000)
    __fencewright_refuse("a hash table whose largest load is not 1 has no model");
}

unsigned long fw_next_buckets(struct fw_hashing *hashing, unsigned long least)
    __asm__("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm");
unsigned long fw_next_buckets(struct fw_hashing *hashing, unsigned long least) {
  fw_usual_load(hashing);
  if (least == 0)
    return 1;
#define PRIME(prime)                                                                               \
  if (least <= prime) {                                                                            \
    hashing->room = prime;                                                                         \
    return prime;                                                                                  \
  }
#define EACH_PRIME(act)                                                                            \
  act(2) act(3) act(5) act(7) act(11) act(13) act(17) act(19) act(23) act(29) act(31) act(37)      \
  act(41) act(43) act(47) act(53) act(59) act(61) act(67) act(71) act(73) act(79) act(83) act(89)
  EACH_PRIME(PRIME)
  __fencewright_limit("hash tables have room for 89 buckets here");
  return 0;
}

struct fw_rehash fw_need_rehash(struct fw_hashing *hashing, unsigned long buckets,
                                unsigned long elements, unsigned long added)
    __asm__("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");
struct fw_rehash fw_need_rehash(struct fw_hashing *hashing, unsigned long buckets,
                                unsigned long elements, unsigned long added) {
  struct fw_rehash answer = {0, 0};
  if (elements + added <= hashing->room)
    return answer;
  fw_usual_load(hashing);
  unsigned long least = elements + added;
  if (hashing->room == 0 && least < 11)
    least = 11;
  if (least < buckets) {
    hashing->room = buckets;
    return answer;
  }
  answer.is_needed = 1;
  answer.buckets =
      fw_next_buckets(hashing, least + 1 > 2 * buckets ? least + 1 : 2 * buckets);
  return answer;
}

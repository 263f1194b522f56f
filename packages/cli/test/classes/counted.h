// Programs that say numbers: compiled natively they print them, and for the tool they claim that the
// numbers are the expected ones.
#pragma once
#ifdef NATIVE
#include <cstdio>
#define SAY_NUMBERED(number, value) std::printf("%d %ld\n", number, static_cast<long>(value))
#define SAY(value) SAY_NUMBERED(__COUNTER__, value)
#else
#include <cassert>
#include <expected.h>
#define PASTE(one, other) one##other
#define SAY_NUMBERED(number, value) assert(static_cast<long>(value) == PASTE(EXPECTED_, number))
#define SAY(value) SAY_NUMBERED(__COUNTER__, value)
#endif
#include <thread>

// What has been done to objects: two digits for each kind of operation.
inline long counted;
enum : long {
  made = 1,
  copied = 100,
  moved = 10000,
  assigned = 1000000,
  move_assigned = 100000000,
  destroyed = 10000000000
};

// Can be copied and moved; whether a move may throw is a parameter.
template <bool NeverThrows> struct Object {
  int value;
  Object(int v = 0) : value(v) { counted += made; }
  Object(const Object &other) : value(other.value) { counted += copied; }
  Object(Object &&other) noexcept(NeverThrows) : value(other.value) {
    other.value = -1;
    counted += moved;
  }
  Object &operator=(const Object &other) {
    value = other.value;
    counted += assigned;
    return *this;
  }
  Object &operator=(Object &&other) noexcept(NeverThrows) {
    value = other.value;
    other.value = -1;
    counted += move_assigned;
    return *this;
  }
  ~Object() { counted += destroyed; }
  bool operator==(const Object &other) const { return value == other.value; }
};
typedef Object<true> Counted;
typedef Object<false> Throwing;

// Says what the program says, before there are threads and in one.
template <class F> int say_twice(F say) {
  counted = 0;
  say();
  counted = 0;
  std::thread other(say);
  other.join();
  return 0;
}

// The same, before there are threads only.
template <class F> int say_once(F say) {
  counted = 0;
  say();
  std::thread([] {}).join();
  return 0;
}

/*
 * Dekker's entry with std::atomic as it is by default: every store is sequentially consistent.
 *
 * Robust: on x86 such a store is an exchange, which leaves nothing in the buffer.
 */
#include <atomic>
#include <thread>

static std::atomic<int> wants[2];
static std::atomic<int> entered;

template <int me> static void enter() {
  wants[me] = 1;
  if (wants[1 - me] == 0)
    entered.fetch_add(1);
  wants[me] = 0;
}

int main() {
  std::thread one(enter<0>), other(enter<1>);
  one.join();
  other.join();
}

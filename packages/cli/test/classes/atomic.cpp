#include "counted.h"
#include <atomic>
#include <climits>
#include <cstddef>

enum class Colour : unsigned char { Red, Green, Blue };
int main() {
  return say_once([] {
    std::atomic<int> number{3};
    SAY(number++);
    SAY(++number);
    SAY(number--);
    SAY(--number);
    SAY(number += 4);
    SAY(number -= 2);
    SAY(number |= 8);
    SAY(number &= 12);
    SAY(number ^= 5);
    SAY(number.exchange(7));
    int seen = 8;
    SAY(number.compare_exchange_strong(seen, 1));
    SAY(seen);
    SAY(number.compare_exchange_strong(seen, 1, std::memory_order_acq_rel));
    number = INT_MAX;
    SAY(++number == INT_MIN);
    SAY(number -= 1);
    std::memory_order order = std::memory_order_release;
    number.store(5, order);
    SAY(number.load(std::memory_order_relaxed));
    SAY(std::atomic_fetch_add(&number, 2));
    SAY(std::atomic_load_explicit(&number, std::memory_order_acquire));
    std::atomic<unsigned char> small{255};
    SAY(++small);
    SAY(small -= 1);
    std::atomic<Colour> colour{Colour::Red};
    colour = Colour::Blue;
    SAY(colour.exchange(Colour::Green) == Colour::Blue);
    SAY(static_cast<int>(colour.load()));
    int places[3] = {1, 2, 3};
    std::atomic<int *> pointer{places};
    SAY(*pointer++);
    SAY(*++pointer);
    SAY(*(pointer -= 2));
    std::atomic<bool> flag{false};
    SAY(flag.exchange(true));
    SAY(flag);
    std::atomic_flag lock = ATOMIC_FLAG_INIT;
    SAY(lock.test_and_set());
    SAY(lock.test_and_set(std::memory_order_acquire));
    lock.clear(std::memory_order_release);
    SAY(lock.test_and_set());
    SAY(number.is_lock_free());
  });
}

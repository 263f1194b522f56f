/*
 * Waiting for an atomic object, as since C++20. libstdc++ counts who waits, and notify_one does
 * nothing if the count is 0.
 *
 * Not robust: libstdc++ loads the count behind the store without a fence. The store may be late:
 * notify_one sees nobody, and the waiter sees the old value and sleeps for ever. A store with
 * memory_order_seq_cst, or a fence behind the store, is enough.
 */
#include <atomic>
#include <thread>

static std::atomic<int> told;

static void tell() {
  told.store(1, std::memory_order_release);
  told.notify_one();
}

static void listen() { told.wait(0, std::memory_order_acquire); }

int main() {
  std::thread teller(tell), listener(listen);
  teller.join();
  listener.join();
}

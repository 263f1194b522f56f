/*
 * A producer sets a flag and looks whether somebody waits; a consumer says that it waits and looks
 * at the flag. Somebody thought that release and acquire would do.
 *
 * Not robust: it is store buffering, and the wake-up can get lost. A fence is needed on each side,
 * or memory_order_seq_cst in both stores.
 */
#include <atomic>
#include <thread>

static std::atomic<bool> ready, waiting, notified;

static void produce() {
  ready.store(true, std::memory_order_release);
  if (waiting.load(std::memory_order_acquire))
    notified.store(true, std::memory_order_release);
}

static void consume() {
  waiting.store(true, std::memory_order_release);
  if (!ready.load(std::memory_order_acquire))
    while (!notified.load(std::memory_order_acquire))
      std::this_thread::yield();
}

int main() {
  std::thread producer(produce), consumer(consume);
  producer.join();
  consumer.join();
}

#include "counted.h"
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

// Says which lock was called.
struct Lock {
  int number;
  bool is_free;
  long *told;
  void lock() { *told = *told * 10 + number; }
  bool try_lock() {
    *told = *told * 10 + number;
    if (is_free) return true;
    is_free = true;
    *told = *told * 10 + 9;
    return false;
  }
  void unlock() { *told = *told * 10 + 5 + number; }
};

int main() {
  return say_once([] {
    long told = 0;
    Lock one{1, true, &told}, two{2, true, &told}, three{3, true, &told};
    {
      std::scoped_lock both(one, two, three);
    }
    SAY(told);
    told = 0;
    three.is_free = false;
    std::lock(one, two, three);
    SAY(told);
    told = 0;
    two.is_free = false;
    {
      std::scoped_lock both(one, two);
      std::lock_guard adopted(three, std::adopt_lock);
    }
    SAY(told);
    told = 0;
    {
      std::unique_lock held(one), later(two, std::defer_lock);
      SAY(held.owns_lock() * 10 + later.owns_lock());
      later = std::move(held);
      SAY(held.owns_lock() * 10 + later.owns_lock());
      SAY(later.mutex() == &one);
      std::unique_lock went(std::move(later));
      went.unlock();
      SAY(went.try_lock());
      SAY(went ? 1 : 0);
      SAY(went.release() == &one);
    }
    SAY(told);
    std::mutex mutex;
    SAY(mutex.try_lock());
    mutex.unlock();
    {
      std::unique_lock<std::mutex> held(mutex, std::try_to_lock);
      SAY(held.owns_lock());
    }
    std::recursive_mutex recursive;
    recursive.lock();
    SAY(recursive.try_lock());
    recursive.unlock();
    recursive.unlock();
    std::shared_mutex shared;
    {
      std::shared_lock reader(shared), other(shared, std::try_to_lock);
      SAY(reader.owns_lock() * 10 + other.owns_lock());
      SAY(shared.try_lock());
      std::shared_lock went(std::move(reader));
      SAY(reader.owns_lock());
    }
    SAY(shared.try_lock());
    SAY(shared.try_lock_shared());
    shared.unlock();
    std::once_flag once;
    int calls = 0;
    for (int i = 0; i < 2; i++) std::call_once(once, [&calls](int by) { calls += by; }, 3);
    SAY(calls);
    std::condition_variable condition;
    std::unique_lock<std::mutex> held(mutex);
    condition.notify_all();
    condition.wait(held, [&calls] { return calls == 3; });
    SAY(held.owns_lock());
  });
}

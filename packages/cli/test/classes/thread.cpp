#include "counted.h"
#include <functional>
#include <memory>
#include <utility>
#include <vector>

static int got;
// No block comes again: in a thread with so many calls that give some, which do is not followed.
void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}

struct Body {
  Counted held;
  void operator()(Counted &&argument) { got = argument.value; }
};
struct Host {
  int calls = 0;
  void call(int by) { calls += by; }
};
static Counted outside;
static int sum;
static void add(int by, const Counted &object) { sum += by + object.value; }

int main() {
  counted = 0;
  Counted one(1), two(2);
  SAY(counted);
  Body body{Counted(3)};
  SAY(counted);
  std::thread first(body, one);
  first.join();
  SAY(got);
  SAY(counted);
  std::thread second(std::move(body), std::move(two));
  second.join();
  SAY(got);
  SAY(counted);
  SAY(two.value);
  std::thread third(add, 4, std::ref(one));
  SAY(third.joinable());
  std::thread fourth(std::move(third));
  SAY(third.joinable());
  third = std::move(fourth);
  SAY(third.joinable());
  SAY(fourth.joinable());
  third.join();
  SAY(third.joinable());
  SAY(sum);
  SAY(counted);
  Host host;
  std::thread fifth(&Host::call, &host, 2);
  fifth.join();
  std::thread sixth(&Host::call, std::ref(host), 3);
  sixth.join();
  SAY(host.calls);
  auto shared = std::make_shared<Counted>(5);
  {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) threads.emplace_back([shared] {});
    for (auto &each : threads) each.join();
  }
  SAY(shared.use_count());
  SAY(counted);
  auto last = std::make_unique<Counted>(6);
  std::thread seventh([object = std::move(last)] {});
  seventh.join();
  SAY(!last);
  SAY(counted);
}

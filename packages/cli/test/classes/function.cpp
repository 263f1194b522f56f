#include "counted.h"
#include <functional>
#include <memory>

// No block comes again: in a thread with so many calls that give some, which do is not followed.
void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}

struct Body {
  Counted held;
  int operator()(int n) const { return n + held.value; }
};
static int twice(int n) { return 2 * n; }
int main() {
  return say_twice([] {
    {
      Body body{Counted(1)};
      SAY(counted);
      std::function<int(int)> one(body);
      SAY(counted);
      SAY(one(3));
      std::function<int(int)> two(std::move(body));
      SAY(counted);
      std::function<int(int)> copy(one), went(std::move(two));
      SAY(counted);
      SAY(two ? 1 : 0);
      SAY(went(4) + copy(5));
      copy = went;
      SAY(counted);
      copy = std::move(went);
      SAY(counted);
      copy = Body{Counted(6)};
      SAY(counted);
      SAY(copy(1));
      copy = nullptr;
      SAY(counted);
      SAY(copy == nullptr);
      copy = twice;
      SAY(copy(4));
      std::function<void()> nothing;
      SAY(!nothing);
      int seen = 0;
      nothing = [&seen] { return seen = 3; };
      nothing();
      SAY(seen);
      std::function<int(Counted)> taking = [](Counted object) { return object.value; };
      SAY(taking(Counted(7)));
      SAY(counted);
      std::reference_wrapper<int> wrapped = std::ref(seen);
      wrapped.get() = 5;
      SAY(seen);
      SAY(std::invoke(twice, 4));
      SAY(std::ref(body)(2));
    }
    SAY(counted);
    auto owned = std::make_shared<int>(5);
    {
      std::function<int()> holds = [owned] { return *owned; };
      std::function<int()> also = holds;
      SAY(owned.use_count());
      SAY(also());
    }
    SAY(owned.use_count());
  });
}

#include "counted.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

struct Both {
  operator int() const { return 3; }
};
int main() {
  return say_once([] {
    {
      std::pair<Counted, Counted> two(Counted(1), Counted(2));
      SAY(counted);
      auto made_pair = std::make_pair(Counted(3), two.second);
      SAY(counted);
      std::pair<Counted, int> braces{Counted(4), 5};
      SAY(counted);
      two = made_pair;
      SAY(counted);
      two = std::move(made_pair);
      SAY(counted);
      auto [first, second] = two;
      SAY(first.value * 10 + second.value);
      SAY(counted);
      std::swap(first, second);
      SAY(counted);
      SAY(std::exchange(first, Counted(6)).value);
      SAY(counted);
      SAY(std::make_pair(1, 2) == std::make_pair(1, 2));
      SAY((std::pair<int, long>(Both(), 1).first));
    }
    SAY(counted);
    counted = 0;
    {
      std::array<Counted, 3> some{Counted(1), Counted(2), Counted(3)};
      SAY(counted);
      std::array<Counted, 3> copy = some;
      SAY(counted);
      copy.fill(some[0]);
      SAY(counted);
      SAY(copy.back().value * 10 + copy.size());
      SAY(std::find(some.begin(), some.end(), Counted(2)) - some.begin());
      int sum = 0;
      std::for_each(some.begin(), some.end(), [&sum](const Counted &each) { sum += each.value; });
      SAY(sum);
      SAY(std::max(some[0].value, some[1].value));
    }
    SAY(counted);
    SAY(std::numeric_limits<int>::max());
    SAY(std::numeric_limits<int>::min());
    SAY(std::numeric_limits<signed char>::min());
    SAY(std::numeric_limits<unsigned short>::max());
    SAY(std::numeric_limits<unsigned long>::max() == ~0UL);
    SAY(std::numeric_limits<long>::min() < std::numeric_limits<long>::max());
    SAY(std::is_nothrow_move_constructible_v<Counted>);
    SAY(std::is_nothrow_move_constructible_v<Throwing>);
    using namespace std::chrono_literals;
    SAY(std::chrono::nanoseconds(5ms).count());
    SAY(std::chrono::milliseconds(std::chrono::seconds(2)).count());
    SAY(sizeof(std::chrono::seconds) * 100 + sizeof(std::string_view) * 10 + sizeof(std::string));
  });
}

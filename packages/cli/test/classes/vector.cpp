#include "counted.h"
#include <vector>

int main() {
  return say_once([] {
    {
      std::vector<Counted> some;
      SAY(some.capacity());
      some.emplace_back(1);
      SAY(some.capacity() * 100 + some.size());
      SAY(counted);
      some.push_back(Counted(2));
      SAY(some.capacity() * 100 + some.size());
      SAY(counted);
      Counted three(3);
      some.push_back(three);
      SAY(some.capacity() * 100 + some.size());
      SAY(counted);
      some.push_back(some[0]);
      some.push_back(some[1]);
      SAY(some.capacity() * 100 + some.size());
      SAY(counted);
      SAY(some[0].value * 100 + some.back().value * 10 + some.front().value);
      some.pop_back();
      SAY(counted);
      some.erase(some.begin() + 1);
      SAY(counted);
      SAY(some[1].value);
      std::vector<Counted> copy(some);
      SAY(copy.capacity());
      SAY(counted);
      std::vector<Counted> taken(std::move(copy));
      SAY(copy.size() * 10 + taken.size());
      SAY(counted);
      copy = taken;
      SAY(counted);
      taken.resize(2);
      SAY(counted);
      copy = taken;
      SAY(counted);
      taken = std::move(some);
      SAY(counted);
      SAY(some.empty());
      taken.reserve(9);
      SAY(taken.capacity());
      SAY(counted);
      taken.clear();
      SAY(taken.capacity());
    }
    SAY(counted);
    counted = 0;
    {
      std::vector<Counted> some(3);
      SAY(counted);
      some.resize(4);
      SAY(some.capacity());
      SAY(counted);
      std::vector<Counted> same(2, some[0]);
      SAY(counted);
      std::vector<Counted> listed{Counted(1), Counted(2)};
      SAY(counted);
      SAY(listed[1].value);
    }
    SAY(counted);
    counted = 0;
    {
      std::vector<Throwing> some;
      for (int i = 0; i < 3; i++) some.emplace_back(i);
      SAY(counted);
      some.reserve(5);
      SAY(counted);
    }
    SAY(counted);
    std::vector<int> numbers(2);
    numbers.push_back(3);
    int sum = 0;
    for (int each : numbers) sum = 10 * sum + each;
    SAY(sum);
  });
}

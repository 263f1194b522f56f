#include "counted.h"
#include <deque>
#include <queue>

int main() {
  return say_twice([] {
    {
      std::deque<Counted> some;
      some.emplace_back(1);
      some.push_back(Counted(2));
      SAY(counted);
      Counted three(3);
      some.push_front(three);
      SAY(counted);
      SAY(some.front().value * 100 + some[1].value * 10 + some.back().value);
      some.pop_front();
      SAY(counted);
      std::deque<Counted> copy(some);
      SAY(counted);
      copy.pop_back();
      SAY(copy.size() * 10 + copy.back().value);
      some.clear();
      SAY(some.empty());
      SAY(counted);
    }
    SAY(counted);
    counted = 0;
    {
      std::queue<Counted> waiting;
      waiting.push(Counted(1));
      waiting.emplace(2);
      SAY(counted);
      SAY(waiting.front().value * 10 + waiting.back().value);
      waiting.pop();
      SAY(waiting.size());
      SAY(counted);
    }
    SAY(counted);
  });
}

#include "counted.h"
#include <string>
#include <vector>

int main() {
  return say_twice([] {
    {
      std::vector<Counted> some;
      some.emplace_back(1);
      some.push_back(Counted(2));
      SAY(counted);
      some.push_back(some[0]);
      SAY(some.capacity() * 100 + some.size());
      SAY(counted);
      SAY(some[0].value * 100 + some[1].value * 10 + some[2].value);
    }
    SAY(counted);
    std::string text = std::to_string(7);
    SAY(text == "7");
    text += 'a';
    std::string other(text);
    other[0] = 'b';
    SAY(text == "7a");
    SAY(other == "ba");
  });
}

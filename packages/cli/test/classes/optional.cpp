#include "counted.h"
#include <optional>

static std::optional<Counted> none() { return std::nullopt; }
static std::optional<Counted> some(int value) { return Counted(value); }
int main() {
  return say_twice([] {
    {
      std::optional<Counted> one, two(Counted(2)), three(std::in_place, 3), four(4);
      SAY(counted);
      one = two;
      SAY(counted);
      one = three;
      SAY(counted);
      one = std::move(two);
      SAY(counted);
      SAY(two.has_value());
      SAY(two->value);
      one = Counted(5);
      SAY(counted);
      one = 6;
      SAY(counted);
      one = none();
      SAY(counted);
      one = 7;
      SAY(counted);
      one.emplace(8);
      SAY(counted);
      std::optional<Counted> copy(one), went(std::move(one));
      SAY(counted);
      SAY(copy->value * 10 + went.value().value);
      SAY(one.has_value());
      SAY(copy == went);
      SAY(one == std::nullopt);
      copy = std::nullopt;
      SAY(counted);
      SAY(copy.value_or(Counted(9)).value);
      SAY(counted);
      SAY(went.value_or(Counted(9)).value);
      SAY(counted);
      SAY(std::move(went).value_or(1).value);
      SAY(counted);
      copy = some(3);
      SAY(counted);
      SAY((*copy).value);
      four.reset();
      SAY(counted);
      SAY(std::make_optional(5).value());
    }
    SAY(counted);
  });
}

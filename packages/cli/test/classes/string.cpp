#include "counted.h"
#include <string>
#include <string_view>

int main() {
  return say_once([] {
    char text[] = "abc";
    std::string copied(text), other = copied;
    text[0] = 'x';
    SAY(copied == "abc");
    other[1] = 'y';
    SAY(copied == "abc");
    SAY(other == "ayc");
    SAY(copied < other);
    SAY(copied.size() * 100 + copied.capacity());
    other += "0123456789";
    SAY(other.size() * 100 + other.capacity());
    other += copied;
    SAY(other.size() * 100 + other.capacity());
    SAY(other == "ayc0123456789abc");
    std::string went(std::move(other));
    SAY(other.size());
    SAY(went.size());
    other = went;
    SAY(other.capacity());
    other = "de";
    other.push_back('f');
    SAY(other == "def");
    SAY(other.capacity());
    SAY(other.substr(1) + "g" == "efg");
    SAY(std::to_string(7) == "7");
    SAY(std::to_string(-120) == "-120");
    SAY(std::to_string(18446744073709551615u) == "18446744073709551615");
    SAY(std::string(3, 'z') == "zzz");
    std::string_view view = went;
    SAY(view.size() * 1000 + view[3]);
    SAY(std::string_view("ab") == "ab");
    other.clear();
    SAY(other.empty());
    SAY(other.c_str()[0]);
    other.swap(went);
    SAY(went.size() * 100 + other.size());
    int sum = 0;
    for (char each : copied) sum += each;
    SAY(sum);
  });
}

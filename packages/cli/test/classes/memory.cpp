#include "counted.h"
#include <memory>

struct Base {
  virtual ~Base() { counted += made; }
};
struct Derived : Base {
  Counted held;
  ~Derived() override { counted += copied; }
};
struct Self : std::enable_shared_from_this<Self> {
  int value = 4;
};
static int deleted;
struct Deleter {
  Counted held;
  void operator()(int *object) {
    deleted += *object;
    delete object;
  }
};

int main() {
  return say_once([] {
    {
      std::unique_ptr<Counted> one = std::make_unique<Counted>(1), other;
      SAY(counted);
      other = std::move(one);
      SAY(!one && other->value == 1);
      other.reset(new Counted(2));
      SAY(counted);
      Counted *raw = other.release();
      SAY(raw->value);
      one.reset(raw);
      std::unique_ptr<Base> base = std::make_unique<Derived>();
      SAY(counted);
      base = nullptr;
      SAY(counted);
      std::unique_ptr<Counted[]> many = std::make_unique<Counted[]>(3);
      SAY(many[2].value);
    }
    SAY(counted);
    counted = deleted = 0;
    {
      std::unique_ptr<int, Deleter> with(new int(5));
      SAY(counted);
      std::unique_ptr<int, Deleter> next(std::move(with));
      SAY(counted);
      with = std::move(next);
      SAY(counted);
    }
    SAY(deleted);
    SAY(counted);
    counted = 0;
    {
      std::shared_ptr<Counted> one = std::make_shared<Counted>(1), other(one);
      SAY(counted);
      SAY(one.use_count());
      other = one;
      SAY(one.use_count());
      std::shared_ptr<Counted> taken(std::move(other));
      SAY(one.use_count() * 10 + other.use_count());
      std::weak_ptr<Counted> weak(one), same(weak);
      SAY(weak.use_count());
      std::weak_ptr<Counted> went(std::move(weak));
      SAY(weak.use_count() * 10 + went.use_count());
      SAY(weak.expired() * 10 + went.expired());
      SAY(went.lock()->value);
      SAY(went.lock().use_count());
      taken.reset();
      one = nullptr;
      SAY(counted);
      SAY(went.expired());
      SAY(!went.lock());
      one.reset(new Counted(2));
      went = one;
      same = went;
      SAY(same.lock() == one);
      one = std::make_shared<Counted>(3);
      SAY(counted);
      SAY(same.expired());
    }
    SAY(counted);
    counted = deleted = 0;
    {
      std::shared_ptr<Base> base = std::make_shared<Derived>();
      SAY(counted);
      std::shared_ptr<Base> next(std::static_pointer_cast<Derived>(base));
      SAY(base.use_count());
      std::shared_ptr<Derived> derived(new Derived);
      base = derived;
      SAY(counted);
      base = std::move(derived);
      SAY(base.use_count());
      next = std::make_unique<Derived>();
      SAY(counted);
    }
    SAY(counted);
    counted = 0;
    {
      std::shared_ptr<int> with(new int(6), Deleter());
      SAY(counted);
      std::shared_ptr<int> next(with);
      with.reset();
      SAY(deleted);
      next.reset();
      SAY(deleted);
    }
    SAY(counted);
    auto self = std::make_shared<Self>();
    SAY(self.use_count());
    auto again = self->shared_from_this();
    SAY(self.use_count());
    SAY(again->value);
    std::weak_ptr<Self> weak = self->weak_from_this();
    self.reset();
    SAY(weak.use_count());
    std::shared_ptr<int> part(again, &again->value);
    again.reset();
    SAY(*part * 10 + weak.use_count());
  });
}

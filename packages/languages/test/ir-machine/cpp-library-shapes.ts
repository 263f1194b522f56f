import type { CppShape } from './cpp-shape.js';

const locked = (statement: string): string =>
  `{ std::lock_guard<std::mutex> l(kept_lock); ${statement} }`;
const lock = ['static std::mutex kept_lock;'];

/**
 * Random program parts for each class of the C++ headers that holds, points or computes; shared
 * objects are under a lock.
 */
export const libraryShapes: readonly CppShape[] = [
  {
    kind: 'e: array',
    headers: ['array'],
    declared: ['std::array<std::atomic<int>, 2> slots{};'],
    statements: [
      'slots[0].store(1, std::memory_order_relaxed);',
      'r = slots.at(1).load(std::memory_order_relaxed);',
      'slots.back().store(2, std::memory_order_release);',
      '{ std::array<int, 3> own{}; own.fill(2); own[1] = y.load(std::memory_order_relaxed); s = own[0] + own[1] + int(own.size()); }',
    ],
    observed: ['slots[0].load()', 'slots[1].load()'],
  },
  {
    kind: 'e: vector',
    headers: ['vector', 'mutex'],
    declared: [...lock, 'std::vector<int> list;'],
    starts: ['list.reserve(4);'],
    statements: [
      locked('list.push_back(2);'),
      locked('r = list.empty() ? 0 : list.back();'),
      '{ std::vector<int> own{1, 2}; own.push_back(y.load(std::memory_order_relaxed)); s = own[2] + int(own.size()); }',
      '{ std::vector<int> own(2, 3); own.resize(1); for (int each : own) s += each; }',
    ],
    observed: ['int(list.size())'],
  },
  {
    kind: 'e: vector of threads',
    headers: ['vector', 'thread'],
    declared: ['std::atomic<int> done_count{0};'],
    statements: [],
    of: [
      [
        '{ std::vector<std::thread> crew; for (int i = 0; i < 1; i++) crew.emplace_back([] { done_count.fetch_add(1, std::memory_order_relaxed); }); for (auto &each : crew) each.join(); }',
      ],
      ['s = done_count.load(std::memory_order_relaxed);'],
    ],
    observed: ['done_count.load()'],
  },
  {
    kind: 'e: deque',
    headers: ['deque', 'mutex'],
    declared: [...lock, 'std::deque<int> both_ends;'],
    statements: [
      locked('both_ends.push_back(1);'),
      locked('both_ends.push_front(2);'),
      locked('if (!both_ends.empty()) { r = both_ends.front(); both_ends.pop_front(); }'),
      '{ std::deque<int> own; own.push_back(x.load(std::memory_order_relaxed)); s = own.back(); }',
    ],
    observed: ['int(both_ends.size())'],
  },
  {
    kind: 'e: queue',
    headers: ['queue', 'mutex'],
    declared: [...lock, 'std::queue<int> todo;'],
    statements: [
      locked('todo.push(3);'),
      locked('if (!todo.empty()) { r = todo.front(); todo.pop(); }'),
      '{ std::queue<int> own; own.push(y.load(std::memory_order_relaxed)); s = own.front(); }',
    ],
    observed: ['int(todo.size())'],
  },
  {
    kind: 'e: optional',
    headers: ['optional', 'mutex'],
    declared: [...lock, 'std::optional<int> maybe;'],
    statements: [
      locked('maybe = 4;'),
      locked('r = maybe.value_or(9);'),
      locked('maybe.reset();'),
      '{ std::optional<int> own; if (y.load(std::memory_order_relaxed)) own = 2; s = own ? *own : 5; }',
      '{ std::optional<int> own(std::in_place, 3); own.emplace(x.load(std::memory_order_relaxed)); s = *own; }',
    ],
    observed: ['maybe.value_or(8)'],
  },
  {
    kind: 'e: pair and utility',
    headers: ['utility'],
    declared: ['std::pair<int, int> two{0, 0};'],
    statements: [
      'two.first = 1;',
      'r = two.second;',
      '{ auto own = std::make_pair(y.load(std::memory_order_relaxed), 2); s = own.first + own.second; }',
      '{ int old = 1; s = std::exchange(old, 3) + old; std::swap(r, s); }',
    ],
    observed: ['two.first', 'two.second'],
  },
  {
    kind: 'e: string',
    headers: ['string'],
    declared: [],
    statements: [
      '{ std::string own("ab"); own += "c"; r = int(own.size()) + (own == "abc"); }',
      '{ std::string own(3, char(97 + (y.load(std::memory_order_relaxed) & 1))); s = own[1] - 97; }',
      '{ std::string own = "abcdefghijklmnopqrst"; s = int(own.size()) - 18; }',
      '{ std::string own = std::to_string(12); r = own[1] - 48; }',
    ],
  },
  {
    kind: 'e: string_view',
    headers: ['string_view'],
    statements: [
      '{ std::string_view own("abc"); r = int(own.size()); }',
      '{ std::string_view own("ab"); s = own == "ab" ? own[0] - 96 : 0; }',
      '{ std::string_view own("xyz", 2); s = own.empty() + int(own.size()); }',
    ],
  },
  {
    kind: 'e: function',
    headers: ['functional'],
    declared: ['static int twice(int v) { return 2 * v; }'],
    statements: [
      '{ std::function<int()> own = [] { return x.load(std::memory_order_relaxed); }; r = own(); }',
      '{ std::function<int(int)> own = twice; s = own(2); }',
      '{ int by = 1; std::function<void(int)> own = [by](int v) { y.store(v + by, std::memory_order_relaxed); }; own(1); }',
      '{ std::function<int()> own; r = bool(own); own = [] { return 3; }; auto copy = own; s = copy(); }',
    ],
  },
  {
    kind: 'e: reference_wrapper',
    headers: ['functional'],
    declared: ['int referred;'],
    statements: [
      '{ auto own = std::ref(x); own.get().store(2, std::memory_order_relaxed); }',
      '{ int local = 1; auto own = std::ref(local); own.get() = y.load(std::memory_order_relaxed); s = local; }',
      '{ auto own = std::cref(y); r = own.get().load(std::memory_order_acquire); }',
      's = std::invoke([](int v) { return v + 1; }, r);',
    ],
  },
  {
    kind: 'e: initializer_list and algorithm',
    headers: ['initializer_list', 'algorithm'],
    declared: [
      'static int sum(std::initializer_list<int> all) { int total = 0; for (int each : all) total += each; return total; }',
    ],
    statements: [
      'r = sum({1, y.load(std::memory_order_relaxed), 2});',
      's = std::max(r, 2) + std::min(s, 1);',
      '{ int row[3]; std::fill(row, row + 3, 2); row[1] = x.load(std::memory_order_relaxed); s = int(std::find(row, row + 3, 1) - row); }',
      '{ int row[2] = {1, 2}; std::for_each(row, row + 2, [&](int v) { r += v; }); }',
    ],
  },
  {
    kind: 'e: iostream',
    headers: ['iostream'],
    statements: [
      'std::cout << r << "\\n";',
      'std::cerr << "s=" << s << std::endl;',
      'std::cout << 1 << std::flush;',
    ],
  },
  {
    kind: 'e: limits and type_traits',
    headers: ['limits', 'type_traits'],
    declared: [
      'template <class T> static int kind() { if constexpr (std::is_signed_v<T>) return y.load(std::memory_order_relaxed); else return 2; }',
    ],
    statements: [
      'r = kind<int>() + kind<unsigned>();',
      's = std::numeric_limits<int>::max() > 5 ? x.load(std::memory_order_relaxed) : 0;',
      's = std::numeric_limits<short>::min() < 0;',
    ],
  },
  {
    kind: 'e: unique_ptr',
    headers: ['memory'],
    declared: [
      'struct Held { int value; explicit Held(int v) : value(v) {} ~Held() { y.store(value, std::memory_order_relaxed); } };',
      'struct Drop { void operator()(int *p) const { x.store(*p, std::memory_order_relaxed); delete p; } };',
    ],
    statements: [
      '{ auto own = std::make_unique<Held>(2); r = own->value; }',
      '{ std::unique_ptr<int, Drop> own(new int(3)); s = *own; }',
      '{ std::unique_ptr<Held> own(new Held(1)); auto other = std::move(own); r = !own; }',
      '{ auto own = std::make_unique<int[]>(2); own[1] = 1; s = own[0] + own[1]; }',
    ],
  },
  {
    kind: 'e: shared_ptr',
    headers: ['memory'],
    declared: ['std::shared_ptr<int> shared_cell;'],
    starts: ['shared_cell = std::make_shared<int>(3);'],
    statements: [
      '{ std::shared_ptr<int> own = shared_cell; r = *own; }',
      '{ auto own = std::make_shared<int>(y.load(std::memory_order_relaxed)); auto copy = own; s = *copy; }',
      '{ std::shared_ptr<int> own(new int(4)); r = int(own.use_count()) + *own; }',
    ],
    observed: ['int(shared_cell.use_count())'],
  },
  {
    kind: 'e: weak_ptr',
    headers: ['memory'],
    declared: ['std::shared_ptr<int> strong;', 'std::weak_ptr<int> weak;'],
    starts: ['strong = std::make_shared<int>(2);', 'weak = strong;'],
    statements: [
      'if (auto own = weak.lock()) r = *own; else r = 7;',
      '{ std::weak_ptr<int> own = weak; s = own.expired(); }',
    ],
    of: [['strong.reset();'], []],
  },
  {
    kind: 'e: enable_shared_from_this',
    headers: ['memory'],
    declared: [
      'struct Self : std::enable_shared_from_this<Self> { int value = 2; std::shared_ptr<Self> me() { return shared_from_this(); } };',
    ],
    statements: [
      '{ auto own = std::make_shared<Self>(); auto again = own->me(); r = int(again.use_count()); }',
      '{ auto own = std::make_shared<Self>(); own->value = x.load(std::memory_order_relaxed); s = own->me()->value; }',
    ],
  },
  {
    kind: 'e: new in a place',
    headers: ['new'],
    declared: [
      'struct Built { int value; explicit Built(int v) : value(v) {} ~Built() { y.store(value, std::memory_order_relaxed); } };',
    ],
    statements: [
      '{ alignas(Built) char room[sizeof(Built)]; Built *made = new (room) Built(2); r = made->value; made->~Built(); }',
      '{ int *made = new int[2]{1, 2}; s = made[1]; delete[] made; }',
    ],
  },
  {
    kind: 'e: exception',
    headers: ['exception'],
    statements: [
      'if (r == 2 && s == 2) std::terminate();',
      'if (x.load(std::memory_order_relaxed) > 9) std::terminate();',
    ],
  },
  {
    kind: 'e: headers of C',
    headers: ['cstdlib', 'cstring', 'cstdint', 'climits', 'cstddef', 'cerrno'],
    statements: [
      '{ int one[2] = {1, y.load(std::memory_order_relaxed)}, two[2]; std::memcpy(two, one, sizeof one); r = two[1]; }',
      's = int(std::strlen("abc")) + (INT_MAX > 3);',
      '{ std::int64_t wide = x.load(std::memory_order_relaxed); s = int(wide + std::abs(-2)); }',
      'r = std::strcmp("ab", "ab") == 0;',
    ],
  },
];

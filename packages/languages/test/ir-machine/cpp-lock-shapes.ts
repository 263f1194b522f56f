import type { CppShape } from './cpp-shape.js';

/**
 * Random program parts for each class of the C++ headers that makes threads wait, and for the
 * creation and moves of threads.
 */
export const lockShapes: readonly CppShape[] = [
  {
    kind: 'e: mutex and unique_lock',
    headers: ['mutex'],
    declared: ['std::mutex gate;', 'int inside;'],
    statements: [
      '{ std::unique_lock<std::mutex> l(gate); inside += 1; l.unlock(); r = y.load(std::memory_order_relaxed); }',
      '{ std::unique_lock<std::mutex> l(gate, std::defer_lock); l.lock(); s = inside; }',
      '{ std::unique_lock<std::mutex> l(gate, std::try_to_lock); if (l.owns_lock()) inside = 5; else s = 1; }',
      'if (gate.try_lock()) { r = inside; gate.unlock(); }',
    ],
    observed: ['inside'],
  },
  {
    kind: 'e: recursive_mutex',
    headers: ['mutex'],
    declared: ['std::recursive_mutex nested;', 'int deep;'],
    statements: [
      '{ std::lock_guard<std::recursive_mutex> a(nested); std::lock_guard<std::recursive_mutex> b(nested); deep += 1; }',
      '{ std::lock_guard<std::recursive_mutex> a(nested); r = deep; }',
    ],
    observed: ['deep'],
  },
  {
    kind: 'e: scoped_lock',
    headers: ['mutex'],
    declared: ['std::mutex left, right;', 'int both;'],
    statements: [
      '{ std::scoped_lock l(left, right); both += 1; }',
      '{ std::scoped_lock l(right, left); r = both; }',
      '{ std::scoped_lock l(left); s = x.load(std::memory_order_relaxed); }',
    ],
    observed: ['both'],
  },
  {
    kind: 'e: once_flag',
    headers: ['mutex'],
    declared: ['std::once_flag begun;', 'int begins;'],
    statements: [
      'std::call_once(begun, [] { begins += 1; });',
      'std::call_once(begun, [](int by) { begins += by; }, 2); r = begins;',
    ],
    observed: ['begins'],
  },
  {
    kind: 'e: shared_mutex and shared_lock',
    headers: ['shared_mutex', 'mutex'],
    declared: ['std::shared_mutex table_lock;', 'int entry;'],
    statements: [
      '{ std::shared_lock<std::shared_mutex> l(table_lock); r = entry; }',
      '{ std::unique_lock<std::shared_mutex> l(table_lock); entry += 1; }',
      '{ std::lock_guard<std::shared_mutex> l(table_lock); entry = 4; }',
      'if (table_lock.try_lock_shared()) { s = entry; table_lock.unlock_shared(); }',
    ],
    observed: ['entry'],
  },
  {
    kind: 'e: condition_variable',
    headers: ['condition_variable', 'mutex'],
    declared: ['std::mutex waiting;', 'std::condition_variable changed;', 'bool is_set = false;'],
    statements: ['r = x.load(std::memory_order_relaxed);'],
    of: [
      ['{ { std::lock_guard<std::mutex> l(waiting); is_set = true; } changed.notify_one(); }'],
      [
        '{ std::unique_lock<std::mutex> l(waiting); changed.wait(l, [] { return is_set; }); s = 2; }',
      ],
    ],
    observed: ['is_set'],
  },
  {
    kind: 'e: condition_variable_any',
    headers: ['condition_variable', 'mutex', 'shared_mutex'],
    declared: [
      'std::mutex any_lock;',
      'std::condition_variable_any any_changed;',
      'bool any_set = false;',
    ],
    statements: ['r = x.load(std::memory_order_relaxed);'],
    of: [
      [
        '{ { std::lock_guard<std::mutex> l(any_lock); any_set = true; } any_changed.notify_all(); }',
      ],
      [
        '{ std::unique_lock<std::mutex> l(any_lock); while (!any_set) any_changed.wait(l); s = 3; }',
      ],
    ],
    observed: ['any_set'],
  },
  {
    kind: 'j: wait and notify of an int',
    declared: ['std::atomic<int> told{0};'],
    statements: ['told.notify_one();'],
    of: [
      [
        'told.store(1, std::memory_order_release); told.notify_one();',
        'told.store(1); told.notify_all();',
        'told = 1; told.notify_one();',
      ],
      ['told.wait(0); s = 2;', 'told.wait(0, std::memory_order_acquire);'],
    ],
    observed: ['told.load()'],
  },
  {
    kind: 'j: wait and notify of a bool',
    declared: ['std::atomic<bool> is_told{false};'],
    statements: ['is_told.notify_one();'],
    of: [
      ['is_told.store(true, std::memory_order_release); is_told.notify_one();'],
      ['is_told.wait(false, std::memory_order_acquire); s = 2;'],
    ],
    observed: ['is_told.load()'],
  },
  {
    kind: 'j: binary_semaphore',
    headers: ['semaphore'],
    declared: ['std::binary_semaphore baton{0};'],
    statements: ['s = baton.try_acquire();'],
    of: [['baton.release();'], ['baton.acquire();']],
  },
  {
    kind: 'j: latch',
    headers: ['latch'],
    declared: ['std::latch start{1};'],
    statements: ['r = start.try_wait();'],
    of: [['start.count_down();'], ['start.wait();', 's = start.try_wait();']],
  },
  {
    kind: 'e: atomic_flag',
    declared: ['std::atomic_flag flag = ATOMIC_FLAG_INIT;'],
    statements: [
      'r = flag.test_and_set(std::memory_order_acquire);',
      'flag.clear(std::memory_order_release);',
      'while (flag.test_and_set(std::memory_order_acquire)) {} z = 1; flag.clear(std::memory_order_release);',
    ],
  },
  {
    kind: 'e: atomic of a pointer',
    declared: ['int cells[2];', 'std::atomic<int *> at{cells};'],
    statements: [
      'r = int(at.fetch_add(1) - cells);',
      's = int(at.load() - cells);',
      'at.store(cells, std::memory_order_relaxed);',
    ],
    observed: ['int(at.load() - cells)'],
  },
  {
    kind: 'e: atomic of an enumeration',
    declared: ['enum class Mode { off, on, over };', 'std::atomic<Mode> mode{Mode::off};'],
    statements: [
      'mode.store(Mode::on, std::memory_order_relaxed);',
      'r = int(mode.load());',
      's = int(mode.exchange(Mode::over));',
      '{ Mode old = Mode::off; r = mode.compare_exchange_strong(old, Mode::on); }',
    ],
    observed: ['int(mode.load())'],
  },
  {
    kind: 'e: atomic of a structure',
    declared: ['struct Pair { int one; int two; };', 'std::atomic<Pair> pair_cell{};'],
    statements: [
      'pair_cell.store(Pair{1, 2}, std::memory_order_relaxed);',
      '{ Pair p = pair_cell.load(std::memory_order_relaxed); r = p.one; s = p.two; }',
      '{ Pair old{0, 0}; r = pair_cell.compare_exchange_strong(old, Pair{3, 4}); }',
    ],
  },
  {
    kind: 'e: atomic of bool and long',
    declared: ['std::atomic<bool> is_on{false};', 'std::atomic<long> total{0};'],
    statements: [
      'is_on = true;',
      'is_on.store(true, std::memory_order_release);',
      'r = is_on.load(std::memory_order_acquire);',
      's = int(total.fetch_add(2, std::memory_order_relaxed));',
      'total |= 4;',
      's = int(++total);',
    ],
    observed: ['is_on.load()', 'total.load()'],
  },
  {
    kind: 'e: thread that moves',
    headers: ['thread', 'utility'],
    declared: ['int inner;'],
    statements: [],
    of: [
      [
        '{ std::thread t([] { inner = x.load(std::memory_order_relaxed); }); std::thread u(std::move(t)); r = t.joinable(); u.join(); }',
      ],
      [],
    ],
    observed: ['inner'],
  },
  {
    kind: 'e: this_thread and chrono',
    headers: ['thread', 'chrono'],
    statements: [
      'std::this_thread::sleep_for(std::chrono::milliseconds(1));',
      'std::this_thread::yield();',
      's = int(std::chrono::milliseconds(std::chrono::seconds(2)).count() == 2000);',
      '{ using namespace std::chrono_literals; std::this_thread::sleep_for(1ms); }',
    ],
  },
];

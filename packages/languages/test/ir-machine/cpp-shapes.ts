import { exceptionShapes } from './cpp-exception-shapes.js';
import { libraryShapes } from './cpp-library-shapes.js';
import { lockShapes } from './cpp-lock-shapes.js';
import type { CppShape } from './cpp-shape.js';

const environment: readonly CppShape[] = [
  {
    kind: 'a: hardware_concurrency',
    headers: ['thread'],
    declared: ['int many;'],
    starts: [
      'unsigned n_cores = std::thread::hardware_concurrency();',
      'many = n_cores == 0 ? 3 : 1;',
    ],
    statements: ['r = many;', 'if (many == 3) x.store(3, std::memory_order_relaxed);'],
    observed: ['many'],
  },
  {
    kind: 'a: --assume hardware_concurrency',
    headers: ['thread'],
    declared: ['int cores;'],
    starts: ['cores = (int)std::thread::hardware_concurrency();'],
    statements: [
      'r = cores;',
      'if (cores != 2) s = 7;',
      'for (int i = 0; i < cores; i++) s = y.load();',
    ],
    observed: ['cores'],
    given: { hardware_concurrency: 2 },
  },
];

const job = [
  'struct Job { virtual int run() = 0; virtual ~Job() {} };',
  'struct Load : Job { int run() override { return x.load(std::memory_order_acquire); } };',
  'struct Store : Job { int by; explicit Store(int b) : by(b) {} int run() override { y.store(by, std::memory_order_relaxed); return by; } };',
];

const indirect: readonly CppShape[] = [
  {
    kind: 'b: virtual call with new and delete',
    declared: job,
    statements: [
      '{ Job *job = new Load; r = job->run(); delete job; }',
      '{ Job *job = new Store(2); s = job->run(); delete job; }',
      '{ Job *job = r == 0 ? (Job *)new Load : (Job *)new Store(3); s = job->run(); delete job; }',
    ],
  },
  {
    kind: 'b: jobs handed over and deleted',
    declared: [
      ...job.map((line) => line.replace(/\b(Job|Load|Store)\b/g, 'Handed$1')),
      'std::atomic<HandedJob *> slot{nullptr};',
    ],
    statements: [
      '{ HandedJob *old = slot.exchange(new HandedStore(1)); if (old) delete old; }',
      '{ HandedJob *job = slot.exchange(nullptr); if (job) { r = job->run(); delete job; } }',
      '{ HandedJob *old = slot.exchange(new HandedLoad); if (old) { s = old->run(); delete old; } }',
    ],
    ends: ['delete slot.exchange(nullptr);'],
  },
  {
    kind: 'b: table of functions with new and delete',
    declared: [
      'static int box(int v) { int *made = new int(v); int got = *made + x.load(std::memory_order_relaxed); delete made; return got; }',
      'static int put(int v) { y.store(v, std::memory_order_relaxed); return v; }',
      'static int (*table[2])(int) = {box, put};',
    ],
    statements: ['r = table[0](1);', 's = table[1](2);', 'r = table[s & 1](3);'],
  },
  {
    kind: 'b: callback over a node that is deleted',
    declared: [
      'struct Node { int value; Node *next; };',
      'static int leave(Node *node) { x.store(node->value, std::memory_order_release); int got = node->value; delete node; return got; }',
      'static int keep(Node *node) { int got = y.load(std::memory_order_relaxed) + node->value; delete node; return got; }',
      'static int with(int (*f)(Node *), Node *node) { return f(node); }',
    ],
    statements: [
      'r = with(leave, new Node{2, nullptr});',
      's = with(keep, new Node{1, nullptr});',
      '{ int a = with(keep, new Node{1, nullptr}); r = with(leave, new Node{a, nullptr}); }',
    ],
  },
];

const places: readonly CppShape[] = [
  {
    kind: 'c: null pointer to an object',
    declared: [
      'struct Large { char before[72]; int value; };',
      'static Large whole{};',
      'std::atomic<Large *> where{nullptr};',
    ],
    statements: [
      'where.store(&whole, std::memory_order_release);',
      '{ Large *at = where.load(); if (at) r = at->value; }',
      '{ Large *at = where.load(); s = at->value; }',
    ],
  },
  {
    kind: 'c: iterator to the end',
    headers: ['array'],
    declared: ['std::array<int, 3> row{{1, 0, 2}};'],
    statements: [
      'for (auto at = row.begin(); at != row.end(); ++at) r += *at;',
      '{ auto at = row.begin() + (y.load(std::memory_order_relaxed) != 0); s = *at; }',
      '{ auto at = row.begin() + y.load(std::memory_order_relaxed) * 2; s = *at; }',
    ],
  },
  {
    kind: 'f: mark in the address of a node',
    headers: ['cstdint'],
    declared: [
      'struct Marked { int value; };',
      'static Marked marked{5};',
      'std::atomic<std::uintptr_t> chain{0};',
    ],
    statements: [
      'chain.store(reinterpret_cast<std::uintptr_t>(&marked) | 1, std::memory_order_release);',
      '{ auto seen = chain.load(); if (seen % 2) r = reinterpret_cast<Marked *>(seen & ~std::uintptr_t{1})->value; }',
      'chain.store(reinterpret_cast<std::uintptr_t>(&marked), std::memory_order_relaxed);',
      '{ auto seen = chain.load(std::memory_order_acquire); if (seen != 0 && seen % 2 == 0) s = reinterpret_cast<Marked *>(seen)->value; }',
    ],
  },
  {
    kind: 'f: stripes by address',
    headers: ['cstdint'],
    declared: ['int items[2];', 'std::atomic<int> stripes[2];'],
    statements: [
      '{ int *at = &items[r & 1]; stripes[(reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(items)) / sizeof(int)].store(1, std::memory_order_relaxed); }',
      's = stripes[(&items[1] - items) & 1].load();',
      's = &items[0] < &items[1];',
    ],
    observed: ['stripes[0].load()', 'stripes[1].load()'],
  },
  {
    kind: 'g: get_id as owner',
    headers: ['thread'],
    declared: ['std::atomic<std::thread::id> owner{};'],
    statements: [
      'owner.store(std::this_thread::get_id(), std::memory_order_relaxed);',
      'r = owner.load() == std::this_thread::get_id();',
      's = owner.load(std::memory_order_relaxed) == std::thread::id();',
      '{ std::thread::id none; if (owner.compare_exchange_strong(none, std::this_thread::get_id())) { z = 2; owner.store(std::thread::id(), std::memory_order_release); } }',
    ],
  },
];

const held: readonly CppShape[] = [
  {
    kind: 'd: lock_guard in a callable',
    headers: ['mutex'],
    declared: ['std::mutex door;', 'int guarded;'],
    captures: ['held = &door', '&door = door'],
    statements: [
      '{ std::lock_guard<std::mutex> g(door); guarded += 1; r = guarded; }',
      '{ std::lock_guard<std::mutex> g(door); s = guarded; guarded = 3; }',
    ],
    observed: ['guarded'],
  },
  {
    kind: 'd: unique_ptr in a callable',
    headers: ['memory'],
    declared: [
      'struct Owned { int value; ~Owned() { x.store(value, std::memory_order_release); } };',
    ],
    captures: ['own = std::make_unique<Owned>(Owned{1})', ''],
    statements: [
      '{ auto made = std::make_unique<int>(4); r = *made + y.load(std::memory_order_relaxed); }',
    ],
    of: [
      ['s = own->value;', 'own.reset();'],
      ['{ std::unique_ptr<Owned> one(new Owned{2}); r = one->value; }'],
    ],
  },
  {
    kind: 'd: shared_ptr in callables',
    headers: ['memory'],
    declared: [
      'struct Shared { int value = 1; ~Shared() { y.store(2, std::memory_order_relaxed); } };',
    ],
    starts: ['auto common = std::make_shared<Shared>();'],
    captures: ['common', 'common = std::move(common)'],
    statements: [
      'r = common->value;',
      'common.reset();',
      '{ auto copy = common; s = x.load(std::memory_order_relaxed); }',
    ],
  },
  {
    kind: 'd: destructor of a callable',
    declared: [
      'struct Last { int by; explicit Last(int b) : by(b) {} Last(Last &&o) : by(o.by) { o.by = 0; } Last(const Last &o) : by(o.by) {} ~Last() { if (by) x.store(by, std::memory_order_relaxed); } };',
    ],
    captures: ['last = Last(2)', 'last = Last(3)'],
    statements: ['r = last.by;', '{ Last inner(1); s = y.load(std::memory_order_relaxed); }'],
  },
];

const outcomes: readonly CppShape[] = [
  {
    kind: 'h: printed by threads',
    last: (t) => [`seen${t} = r * 4 + s;`, `printf("%d\\n", r * 4 + s);`],
    declared: ['int seen0, seen1;'],
    statements: ['r = x.load(std::memory_order_relaxed);'],
    observed: ['seen0', 'seen1'],
  },
  {
    kind: 'h: array and heap of a thread',
    declared: ['int rows[2][2];', 'int *heap[2];'],
    last: (t) => [`rows[${t}][0] = r;`, `rows[${t}][1] = s;`, `heap[${t}] = new int(r + s);`],
    statements: ['s = y.load(std::memory_order_relaxed);'],
    observed: ['rows[0][0]', 'rows[0][1]', 'rows[1][0]', 'rows[1][1]', '*heap[0]', '*heap[1]'],
  },
  {
    kind: 'h: returned by main',
    status: '(r0 & 3) * 4 + (r1 & 3)',
    statements: ['r = y.load(std::memory_order_relaxed);'],
  },
];

/** All shapes of programs in C++. */
export const cppShapes: readonly CppShape[] = [
  ...environment,
  ...indirect,
  ...places,
  ...held,
  ...lockShapes,
  ...libraryShapes,
  ...exceptionShapes,
  ...outcomes,
];

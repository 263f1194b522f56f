import type { CppShape } from './cpp-shape.js';

/** Makers of random program parts with exceptions that leave calls, locks and threads. */
export const exceptionShapes: readonly CppShape[] = [
  {
    kind: 'i: push to a full buffer',
    headers: ['mutex'],
    declared: [
      'struct Full { int at; };',
      'std::mutex room;',
      'int held;',
      'static void append(int v) { std::lock_guard<std::mutex> l(room); if (held == 1) throw Full{v}; held = 1; }',
    ],
    statements: [
      'try { append(1); } catch (const Full &) { s = 1; }',
      'try { append(2); r = x.load(std::memory_order_relaxed); } catch (Full f) { r = f.at; }',
      'try { append(1); append(2); } catch (...) { std::lock_guard<std::mutex> l(room); held = 0; }',
    ],
    observed: ['held'],
  },
  {
    kind: 'i: handlers of bases',
    declared: [
      'struct Base { int v; explicit Base(int v) : v(v) {} virtual ~Base() {} virtual int of() const { return v; } };',
      'struct Side { int k = 3; };',
      'struct Derived : Side, Base { explicit Derived(int v) : Base(v) {} int of() const override { return v + k; } };',
      'static void tell(int v) { if (v == 1) throw Derived(2); if (v == 2) throw Base(1); }',
    ],
    statements: [
      'try { tell(y.load(std::memory_order_relaxed)); } catch (const Base &e) { s = e.of(); }',
      'try { tell(2); } catch (Derived &) { s = 1; } catch (Base b) { s = b.of(); }',
      'try { tell(1); } catch (Side &e) { r = e.k; }',
    ],
  },
  {
    kind: 'i: destructors on the way',
    declared: [
      'struct Leave { int v; explicit Leave(int v) : v(v) {} ~Leave() { y.store(v, std::memory_order_relaxed); } };',
      'static int depart(int v) { Leave one(v); if (v == 1) throw v + 1; return 4; }',
    ],
    statements: [
      'try { Leave one(1); r = depart(x.load(std::memory_order_relaxed)); } catch (int v) { r = v; }',
      'try { depart(1); } catch (int v) { s = y.load(std::memory_order_relaxed) + v; }',
      'try { Leave *made = new Leave(2); delete made; throw 1; } catch (...) { r = 3; }',
    ],
  },
  {
    kind: 'i: thrown again',
    declared: [
      'static int again(int v) { try { throw v; } catch (int &k) { k += 1; if (k > 1) throw; return k; } }',
    ],
    statements: [
      'try { r = again(y.load(std::memory_order_relaxed)); } catch (int v) { s = v; }',
      'try { try { throw 1; } catch (int v) { x.store(v, std::memory_order_release); throw 2u; } } catch (unsigned u) { s = int(u); }',
      'try { throw 1; } catch (...) { try { throw; } catch (int v) { r = v; } }',
    ],
  },
  {
    kind: 'i: exceptions of the library',
    headers: ['stdexcept', 'vector', 'functional', 'system_error'],
    statements: [
      'try { throw std::runtime_error("a"); } catch (const std::exception &) { r = 5; }',
      'try { std::vector<int> own(1); s = own.at(y.load(std::memory_order_relaxed)); } catch (const std::out_of_range &) { s = 6; }',
      'try { std::function<void()> own; own(); } catch (std::exception &) { r = 2; }',
      'try { std::thread own; own.join(); } catch (const std::system_error &) { s = 3; }',
      'try { throw std::length_error("b"); } catch (std::runtime_error &) { s = 1; } catch (std::logic_error &) { s = 2; }',
    ],
  },
  {
    kind: 'i: nobody catches',
    declared: ['static void refuse(int v) noexcept { if (v == 3) throw v; }'],
    statements: [
      'if (r == 2 && s == 2) throw 7;',
      'refuse(x.load(std::memory_order_relaxed));',
      'try { if (x.load(std::memory_order_relaxed) == 3) throw 1u; } catch (int) { r = 1; }',
    ],
  },
  {
    kind: 'i: before threads, and in static variables',
    declared: [
      'struct Early { int v; };',
      'int initialised, tried;',
      'struct Once { Once() { if (tried++ == 0) throw Early{1}; } };',
    ],
    starts: ['try { throw Early{2}; } catch (Early &e) { initialised = e.v; }'],
    statements: [
      'r = initialised;',
      'try { static Once once; r = 3; } catch (const Early &e) { s = e.v; }',
    ],
    observed: ['initialised', 'tried'],
  },
];

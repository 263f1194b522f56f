import { describe, expect, test } from 'vitest';
import { findFencePoints } from '../../src/c/find-fence-points.js';
import { insertFencesInC, type FenceLayout } from '../../src/c/insert-fences.js';
import { applyEdits } from '@fencewright/ground/source/text-edit.js';

/** Returns the text with `F` at every fence point of the given kinds. */
function fenced(text: string, kinds: readonly string[], layout: FenceLayout = 'inline'): string {
  const points = findFencePoints(text).filter(({ kind }) => kinds.includes(kind));
  return applyEdits(
    text,
    insertFencesInC(
      text,
      points.map((point) => ({ point, fence: 'F' })),
      layout,
    ),
  );
}

/** Returns the body of a function with `F` before each statement. */
function before(body: string): string {
  const head = 'void f(void) {';
  const text = fenced(`${head} ${body} }`, ['before']);
  expect(text.startsWith(head)).toBe(true);
  return text.slice(head.length + 1, -2);
}

describe('before statements', () => {
  test.each([
    ['x = 1; y = 2;', 'F; x = 1; F; y = 2;'],
    ['int r = y; r++;', 'F; int r = y; F; r++;'],
    ['{ x = 1; }', 'F; { F; x = 1; }'],
    ['if (a) x = 1;', 'F; if (a) { F; x = 1; }'],
    ['if (a) x = 1; else y = 2;', 'F; if (a) { F; x = 1; } else { F; y = 2; }'],
    ['if (a) if (b) x; else y;', 'F; if (a) { F; if (b) { F; x; } else { F; y; } }'],
    ['if (a) x; else if (b) y;', 'F; if (a) { F; x; } else { F; if (b) { F; y; } }'],
    ['if (a) { x; } else { y; }', 'F; if (a) { F; x; } else { F; y; }'],
    ['while (a) ;', 'F; while (a) { F; }'],
    ['while (a) x;', 'F; while (a) { F; x; }'],
    ['do x; while (a); y;', 'F; do { F; x; } while (a); F; y;'],
    ['do { x; } while (a);', 'F; do { F; x; } while (a);'],
    ['for (i = 0; i < 3; i++) x;', 'F; for (i = 0; i < 3; i++) { F; x; }'],
    ['for (;;) { if (a) break; }', 'F; for (;;) { F; if (a) { F; break; } }'],
    ['again: x = 1; goto again;', 'again: F; x = 1; F; goto again;'],
    ['__CPROVER_ASYNC_1: f(0); x;', 'F; __CPROVER_ASYNC_1: f(0); F; x;'],
    ['again: __CPROVER_ASYNC_1: f(0);', 'again: F; __CPROVER_ASYNC_1: f(0);'],
    ['if (a) again: x = 1;', 'F; if (a) { again: F; x = 1; }'],
    [
      'switch (a) { case 1: x; break; default: y; }',
      'F; switch (a) { case 1: F; x; F; break; default: F; y; }',
    ],
    [
      'switch (a) { case 1: case b ? 2 : 3: x; }',
      'F; switch (a) { case 1: case b ? 2 : 3: F; x; }',
    ],
    ['switch (a) { case 1 ... 5: x; case 6: }', 'F; switch (a) { case 1 ... 5: F; x; case 6: }'],
    ['int a[] = { 1, 2 }; x;', 'F; int a[] = { 1, 2 }; F; x;'],
    ['struct s { int a; } v = { .a = 1 }; x;', 'F; struct s { int a; } v = { .a = 1 }; F; x;'],
    ['p = (struct s){ 1, 2 }; x;', 'F; p = (struct s){ 1, 2 }; F; x;'],
    ['r = ({ int t = x; t; });', 'F; r = ({ F; int t = x; F; t; });'],
    ['while (({ x; a; })) y;', 'F; while (({ F; x; F; a; })) { F; y; }'],
    ['for_each(p, list) { x; }', 'F; for_each(p, list) { F; x; }'],
    ['forever { x; }', 'F; forever { F; x; }'],
    ['return a;', 'F; return a;'],
    [
      'asm volatile ("mfence" : : : "memory"); x;',
      'F; asm volatile ("mfence" : : : "memory"); F; x;',
    ],
    ['auto g = [&](int a) { x = a; }; g(1);', 'F; auto g = [&](int a) { F; x = a; }; F; g(1);'],
    ['std::thread t([] { x; });', 'F; std::thread t([] { F; x; });'],
    ['try { x; } catch (...) { y; }', 'F; try { F; x; } catch (...) { F; y; }'],
    ['std::atomic<int>::store; a::b: x;', 'F; std::atomic<int>::store; F; a::b: x;'],
    ['[[likely]] x; if (a) [[likely]] { y; }', 'F; [[likely]] x; F; if (a) [[likely]] { F; y; }'],
    ['case 1: [[fallthrough]]; case 2: x;', 'case 1: F; [[fallthrough]]; case 2: F; x;'],
    ['s = "if (a) { \\" x; "; c = \';\'; y;', 'F; s = "if (a) { \\" x; "; F; c = \';\'; F; y;'],
    ['x; /* if (a) y; */ z; // w;\n', 'F; x; /* if (a) y; */ F; z; // w;\n'],
    ['x = R"(a; ) " {)"; y;', 'F; x = R"(a; ) " {)"; F; y;'],
    ["x = 1'000; y;", "F; x = 1'000; F; y;"],
    ['a[i](x); if (a) { y; }', 'F; a[i](x); F; if (a) { F; y; }'],
  ])('%s', (body, expected) => {
    expect(before(body)).toBe(expected);
  });

  test('a macro that may be a statement or the head of a loop: nothing behind it gets braces', () => {
    expect(before('for_each(p) if (a) x;')).toBe('F; for_each(p) if (a) { F; x; }');
    expect(before('LOCK(m) x = 1; y;')).toBe('F; LOCK(m) x = 1; F; y;');
    expect(before('if (a) LOCK(m) x = 1;')).toBe('F; if (a) LOCK(m) x = 1;');
    expect(before('if (a) for_each(p) if (b) x;')).toBe('F; if (a) for_each(p) if (b) { F; x; }');
    expect(before('if (a) for_each(p) { x; }')).toBe('F; if (a) { F; for_each(p) { F; x; } }');
    expect(before('while (a) if (b) each(p) each(q) { x; } y;')).toBe(
      'F; while (a) if (b) each(p) each(q) { x; } y;',
    );
    expect(before('each(p) each(q) while (a) x; y;')).toBe(
      'F; each(p) each(q) while (a) { F; x; } F; y;',
    );
    expect(before('x; LOCK(m)')).toBe('F; x; F; LOCK(m)');
  });

  test('what a pragma is about stays behind it', () => {
    expect(before('x;\n#pragma omp parallel for\nfor (;;) y;')).toBe(
      'F; x;\n#pragma omp parallel for\nfor (;;) { F; y; }',
    );
  });
});

describe('conditional text', () => {
  test('each branch that stands by itself has places', () => {
    expect(before('\n#ifdef A\nx;\n#elif B\ny;\n#else\nz;\n#endif\nw;')).toBe(
      '\n#ifdef A\nF; x;\n#elif B\nF; y;\n#else\nF; z;\n#endif\nF; w;',
    );
  });

  test('of branches that share a brace the first is taken', () => {
    expect(before('\n#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\nx; } y;')).toBe(
      '\n#ifdef A\nF; if (a) {\n#else\nif (b) {\n#endif\nF; x; } F; y;',
    );
  });

  test('a body that is there on a condition gets no braces', () => {
    expect(before('\n#ifdef A\nif (a)\n#endif\nx; y;')).toBe(
      '\n#ifdef A\nF; if (a)\n#endif\nx; F; y;',
    );
    expect(before('if (a)\n#ifdef A\nx;\n#else\ny;\n#endif\n z;')).toBe(
      'F; if (a)\n#ifdef A\nx;\n#else\nF; y;\n#endif\n F; z;',
    );
  });

  test('text that is never there may be anything', () => {
    expect(before("\n#if 0\nit's { a ( story\n#endif\nx;")).toBe(
      "\n#if 0\nit's { a ( story\n#endif\nF; x;",
    );
    expect(before('\n#if 0\n}\n#else\nx;\n#endif\n')).toBe('\n#if 0\n}\n#else\nF; x;\n#endif\n');
  });

  test('macros are not looked into', () => {
    expect(before('x;\n#define M do { x; \\\n  y; } while (0) /* a\n z; */\ny;')).toBe(
      'F; x;\n#define M do { x; \\\n  y; } while (0) /* a\n z; */\nF; y;',
    );
  });
});

describe('functions', () => {
  test.each([
    'struct s { int a; struct { int b; } c; };',
    'enum e { A, B = 3 };',
    'int a[2] = { 1, 2 };',
    'static struct s *p = &(struct s){ 1, 2 };',
    'struct s v = { .a = { 1 } }, w = { { 2 } };',
    'typedef union { int a; } u;',
    'int f(void);',
    '#define F { x; }',
    'int x{1};',
    '',
    ';;',
  ])('none in %s', (text) => {
    expect(findFencePoints(text)).toEqual([]);
  });

  test.each([
    ['int f(void) { x; }', 'int f(void) { F; x; }'],
    ['struct s *f(struct s *p) { x; }', 'struct s *f(struct s *p) { F; x; }'],
    ['int f(a) int a; { x; }', 'int f(a) int a; { F; x; }'],
    [
      'int f(void) __attribute__((noreturn)) { x; }',
      'int f(void) __attribute__((noreturn)) { F; x; }',
    ],
    [
      'struct __attribute__((packed)) s { int a; };',
      'struct __attribute__((packed)) s { int a; };',
    ],
    ['DEFINE(f) { x; }', 'DEFINE(f) { F; x; }'],
    ['extern "C" { void f() { x; } }', 'extern "C" { void f() { F; x; } }'],
    ['namespace n { void f() { x; } }', 'namespace n { void f() { F; x; } }'],
    [
      'struct s { int a; void f() const { x; } } v;',
      'struct s { int a; void f() const { F; x; } } v;',
    ],
    ['class c { public: c() : a(1) { x; } };', 'class c { public: c() : a(1) { F; x; } };'],
    ['class c { c() noexcept : a{1} { x; } };', 'class c { c() noexcept : a{1} { F; x; } };'],
    ['class c { c(int b) : a{b}, d{0} { x; } };', 'class c { c(int b) : a{b}, d{0} { F; x; } };'],
    ['struct s : t { int a{1}; int b{2}; };', 'struct s : t { int a{1}; int b{2}; };'],
    ['int f(int a = 1, int b = g(2)) { x; }', 'int f(int a = 1, int b = g(2)) { F; x; }'],
    ['struct s a = {1}, b(f(2 == 2)), c = {2};', 'struct s a = {1}, b(f(2 == 2)), c = {2};'],
    ['auto f = [](int a = 1) { x; };', 'auto f = [](int a = 1) { x; };'],
    ['auto f() -> int { x; }', 'auto f() -> int { F; x; }'],
    ['template <class T = int> T f() { x; }', 'template <class T = int> T f() { F; x; }'],
    ['void f(void) <% x; %>', 'void f(void) <% F; x; %>'],
    ['int f(void) { x; } int g(void) { y; }', 'int f(void) { F; x; } int g(void) { F; y; }'],
    ['int f(void) { if (a } int g(void) { y; }', 'int f(void) { if (a } int g(void) { F; y; }'],
  ])('%s', (text, expected) => {
    expect(fenced(text, ['before'])).toBe(expected);
  });
});

describe('at ends', () => {
  test.each([
    ['int f(void) { x; }', 'int f(void) { x; F; }'],
    ['int f(void) {}', 'int f(void) { F; }'],
    ['int f(void) {\n  x;\n}\n', 'int f(void) {\n  x;\nF; }\n'],
    ['int f(void) { while (a) { x; } }', 'int f(void) { while (a) { x; F; } F; }'],
    ['int f(void) { while (a) x; }', 'int f(void) { while (a) { x; F; } F; }'],
    ['int f(void) { while (a) ; }', 'int f(void) { while (a) ; F; }'],
    ['int f(void) { do x; while (a); }', 'int f(void) { do { x; F; } while (a); F; }'],
    ['int f(void) { if (a) { x; } }', 'int f(void) { if (a) { x; } F; }'],
    ['int f(void) { for (;;) if (a) x;}', 'int f(void) { for (;;) { if (a) x; F; } F; }'],
    [
      'int f(void) { for (;;) for (;;) x; }',
      'int f(void) { for (;;) { for (;;) { x; F; } F; } F; }',
    ],
    ['int f(void) { r = ({ x; }); }', 'int f(void) { r = ({ x; }); F; }'],
  ])('%s', (text, expected) => {
    expect(fenced(text, ['end', 'after'])).toBe(expected);
  });
});

describe('before operands', () => {
  test.each([
    ['if (a) x;', 'if ((F, a)) x;'],
    ['while (a && b) ;', 'while ((F, a && (F, b))) ;'],
    ['if (a || b && c) x;', 'if ((F, a || (F, b && (F, c)))) x;'],
    ['if (a && b || c) x;', 'if ((F, a && (F, b) || (F, c))) x;'],
    ['x = a ? b : c;', 'x = a ? (F, b) : (F, c);'],
    ['x = a ? b || c : d ? e : f;', 'x = a ? (F, b || (F, c)) : (F, d ? (F, e) : (F, f));'],
    ['x = (a && b) + c;', 'x = (a && (F, b)) + c;'],
    ['f(a && b, c);', 'f(a && (F, b), c);'],
    ['for (i = 0; i < n; i++) x;', 'for (i = 0; (F, i < n); (F, i++)) x;'],
    ['for (;;) x;', 'for (;;) x;'],
    ['for (auto v : list) x;', 'for (auto v : list) x;'],
    ['asm ("" : "=r"(x) : "r"(y));', 'asm ("" : "=r"(x) : "r"(y));'],
    ['do x; while (a);', 'do x; while ((F, a));'],
    ['if (int a = 1; a) x;', 'if (int a = 1; (F, a)) x;'],
    ['x = a; y = !b && c;', 'x = a; y = !b && (F, c);'],
  ])('%s', (body, expected) => {
    const head = 'void f(void) { ';
    expect(fenced(`${head}${body} }`, ['operand']).slice(head.length, -2)).toBe(expected);
  });
});

describe('on lines of their own', () => {
  const all = ['before', 'after', 'end'];

  test('before statements, with their indentation', () => {
    expect(fenced('void f(void) {\n  x;\n\ty; z;\n}\n', ['before'], 'lines')).toBe(
      'void f(void) {\n  F;\n  x;\n\tF;\n\ty; F; z;\n}\n',
    );
  });

  test('line breaks are those of the file', () => {
    expect(fenced('void f(void) {\r\n  x;\r\n}\r\n', all, 'lines')).toBe(
      'void f(void) {\r\n  F;\r\n  x;\r\n  F;\r\n}\r\n',
    );
  });

  test('bodies on lines of their own', () => {
    expect(
      fenced('void f(void) {\n  while (a) // why\n    x; /* so */ // and\n  y;\n}', all, 'lines'),
    ).toBe(
      [
        'void f(void) {',
        '  F;',
        '  while (a) { // why',
        '    F;',
        '    x; /* so */ // and',
        '    F;',
        '  }',
        '  F;',
        '  y;',
        '  F;',
        '}',
      ].join('\n'),
    );
  });

  test('if and else', () => {
    expect(fenced('void f(void) {\n  if (a)\n    x;\n  else\n    y;\n}', ['before'], 'lines')).toBe(
      [
        'void f(void) {',
        '  F;',
        '  if (a) {',
        '    F;',
        '    x;',
        '  }',
        '  else {',
        '    F;',
        '    y;',
        '  }',
        '}',
      ].join('\n'),
    );
  });

  test('an empty body', () => {
    expect(fenced('void f(void) {\n  while (a)\n    ;\n}', ['before'], 'lines')).toBe(
      'void f(void) {\n  F;\n  while (a) {\n    F;\n  }\n}',
    );
    expect(fenced('void f(void) {\n  while (a);\n}', ['before'], 'lines')).toBe(
      'void f(void) {\n  F;\n  while (a) { F; }\n}',
    );
  });

  test('bodies in bodies', () => {
    expect(fenced('void f(void) {\n  for (;;) for (;;)\n    x; // c\n}', all, 'lines')).toBe(
      [
        'void f(void) {',
        '  F;',
        '  for (;;) { F; for (;;) {',
        '    F;',
        '    x; // c',
        '    F;',
        '  }',
        '    F;',
        '  }',
        '  F;',
        '}',
      ].join('\n'),
    );
  });

  test('a comment that goes on in the next line stays where it is', () => {
    expect(fenced('void f(void) {\n  if (a)\n    x; /* b\n c */ y;\n}', ['before'], 'lines')).toBe(
      'void f(void) {\n  F;\n  if (a) {\n    F;\n    x; } /* b\n c */ F; y;\n}',
    );
  });
});

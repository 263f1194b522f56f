import { describe, expect, test } from 'vitest';
import { printC } from '../../src/printers/c/print-c.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const printed = (text: string) => printC(programOf(text));
const messages = (text: string) => printed(text).diagnostics.map(({ message }) => message);

describe('a program in C', () => {
  test('has an instruction for each access', () => {
    const { text, diagnostics } = printed(`
      var x, a[2] = {0, 5}
      thread t {
        local r, s;
        x = 1;
        fence;
        r = a[1];
        r = xchg(x, 2);
        s = cas(x, 2, r);
        fetch_add(x, 1);
      }`);
    expect(diagnostics).toEqual([]);
    expect(text).toContain('static _Atomic int a[2] = {0, 5};');
    const body = /int s = 0;\n {2}\(void\)argument;\n(.*?)\n {2}t_r = r;/s.exec(text!)?.[1];
    expect(body?.split('\n').map((line) => line.trim())).toEqual([
      'atomic_store_explicit(&x, 1, memory_order_relaxed);',
      'atomic_thread_fence(memory_order_seq_cst);',
      'r = atomic_load_explicit(&a[1], memory_order_relaxed);',
      'r = atomic_exchange(&x, 2);',
      's = atomic_compare_exchange_strong(&x, &(int){2}, r);',
      'atomic_fetch_add(&x, 1);',
    ]);
  });

  test('has addresses as indices where they are values', () => {
    const { text } = printed('var p = &y, y\nthread t { local r; r = p; mem[r] = 1; }');
    expect(text).toContain('enum { p = 1, y = 2 };');
    expect(text).toMatch(/static _Atomic int memory\[\d+\] = \{\[1\] = 2\};/);
    expect(text).toContain('atomic_store_explicit(&memory[r], 1, memory_order_relaxed);');
  });

  test('looks at what may leave an array or the domain, and at nothing else', () => {
    const program = (index: string) => `
      var a[2], x
      domain 0..3
      thread t { local r, s; r = x; s = a[${index}]; x = r + 1; }
      thread u { x = 3; }`;
    const careful = printed(program('r')).text;
    expect(careful).toContain('&a[at_index(r, 2)]');
    expect(careful).toContain('in_domain(r + 1)');
    const safe = printed('var a[2], x\nthread t { local r; r = x; r = a[r & 1]; }').text;
    expect(safe).toContain('&a[r & 1]');
    expect(safe).not.toContain('at_index');
  });

  test('has a block where C has no operation', () => {
    const { text } = printed('var x\nthread t { local r; r = fetch_max(x, 2); }');
    expect(text).toMatch(
      /atomic_begin\(\);\n.*int old = .*old < 2 \? 2 : old.*r = old;.*atomic_end/s,
    );
    // Within a block the bus lock is not taken again.
    const inside = printed('var x\nthread t { atomic { fetch_max(x, 2); } }').text!;
    const body = inside.slice(inside.indexOf('*t(void'), inside.indexOf('int main'));
    expect(body.match(/atomic_begin/g)).toHaveLength(1);
  });

  test('gives other names to what means something in C', () => {
    const { text } = printed('var exp, y1\nthread main { local r, int_; r = exp; y1 = r; }');
    expect(text).toContain('static _Atomic int v_exp;');
    expect(text).toContain('static _Atomic int v_y1;');
    expect(text).toContain('static void *v_main(void *argument)');
  });

  test('asserts what holds finally, says what exists, and leaves the rest out', () => {
    const { text, diagnostics } = printed(`
      var x
      thread t { local r; r = x; if (r == 0) { x = 1; done: ; } else { x = 2; } }
      property a: finally (t.r == 0 && ended(t) && drained(t) || x == 2)
      property b: exists (x == 1)
      property c: never (x == 3)
      property d: stuck (true)`);
    expect(text).toContain('assert((t_r == 0 && 1 && 1) || x == 2);');
    expect(text).toContain('if (x == 1) puts("exists: b");');
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "property 'c' does not exist in this format",
      "property 'd' does not exist in this format",
    ]);
  });

  test('notes what a failed assertion and costs of fences are', () => {
    expect(messages('var x\nthread t { local r; @cost(2) r = x; assert(r == 0); }')).toEqual([
      'costs of fences do not exist in this format',
      'a failed assertion ends the program',
    ]);
  });

  test('notes that memory ends', () => {
    expect(messages('var x\nthread t { local r; loop { r = r + 1; mem[r] = 1; } }')).toEqual([
      'an access to an address outside of 0..17 ends the C program',
    ]);
  });

  test('is refused by name where there is none', () => {
    const far = printed('var x, y @ 1000000\nthread t { local r; r = x; mem[r] = 1; }');
    expect(far.text).toBeUndefined();
    expect(far.diagnostics.map(({ message }) => message)).toEqual([
      'the addresses of the program lie too far apart',
    ]);
    // Addresses that lie far apart are possible if each access names its cell.
    expect(printed('var x, y @ 1000000\nthread t { y = 1; }').text).toContain('_Atomic int y;');
    const unclear = printed('var x\nthread t { if (*) { lock; } fetch_max(x, 1); }');
    expect(unclear.text).toBeUndefined();
    expect(unclear.diagnostics.map(({ message }) => message)).toEqual([
      'whether the bus lock is held at this fetch_max depends on the path',
    ]);
  });
});

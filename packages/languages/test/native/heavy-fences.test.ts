import { describe, expect, test } from 'vitest';
import { parseNative } from '../../src/native/parse-native.js';
import { printNative } from '../../src/native/print-native.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const automaton = (code: string) =>
  parseNative(`program P var x thread t init a begin ${code} end`).diagnostics;
const structured = (code: string) =>
  parseNative(`program P var x thread t { ${code} }`).diagnostics;

describe('a heavy fence', () => {
  test('is an instruction of both forms, and is printed', () => {
    const program = programOf('var x thread t { x = 1; heavy_fence; fence; }');
    const kinds = program.threads[0]?.transitions.map(({ instruction }) => instruction.kind);
    expect(kinds).toEqual(['store', 'heavy-fence', 'fence']);
    const text = printNative(program);
    expect(text).toMatch(/: heavy_fence; goto/);
    const again = parseNative(text);
    expect(again.diagnostics).toEqual([]);
    expect(printNative((again.model as { program: typeof program }).program)).toBe(text);
  });

  test.each([
    ['an atomic block', structured('atomic { x = 1; heavy_fence; }')],
    ['a lock block', structured('lock; heavy_fence; unlock;')],
    ['a lock block on some way', structured('if (x == 1) lock; heavy_fence; unlock;')],
    ['an automaton', automaton('a: lock; goto b; b: heavy_fence; goto c; c: unlock; goto a;')],
  ])('is refused in %s', (_, diagnostics) => {
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['FW1012', 'a heavy fence where the thread holds the bus lock'],
    ]);
    expect(diagnostics[0]?.span?.start.line).toBe(0);
  });

  test('is refused in programs of events', () => {
    const { diagnostics } = parseNative(
      'program P var x event e() { x = 1; heavy_fence; } events e;',
    );
    expect(diagnostics.map(({ message }) => message)).toContain(
      'heavy fences in programs of events',
    );
  });

  test('is no name', () => {
    const { diagnostics } = parseNative('program P var heavy_fence thread t { skip; }');
    expect(diagnostics[0]?.hint).toBe('keywords cannot be names');
  });
});

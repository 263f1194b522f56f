import { describe, expect, test } from 'vitest';
import { barrierFunctions } from '../../src/c/barrier-functions.js';
import { fenceSpelling } from '../../src/c/fence-spelling.js';

const builtin = '__atomic_thread_fence(__ATOMIC_SEQ_CST)';

/** Returns the spellings of a fence in a text that defines its own barriers. */
function spellings(text: string): { readonly statement: string; readonly expression: string } {
  const barriers = barrierFunctions(new Map([[undefined, text]]));
  const spelt = (use: 'statement' | 'expression'): string =>
    fenceSpelling(text, false, 'seq_cst', barriers, use);
  return { statement: spelt('statement'), expression: spelt('expression') };
}

describe("the user's smp_mb", () => {
  // An asm statement is no expression (C17 6.5, and GCC's manual on asm).
  test.each([
    ['#define smp_mb() __asm__ __volatile__("mfence" ::: "memory")\n'],
    ['#define smp_mb() asm("mfence")\n'],
    ['#define full() asm volatile("mfence" ::: "memory")\n#define smp_mb() full()\n'],
    ['#define smp_mb() do { __asm__ volatile("mfence" ::: "memory"); } while (0)\n'],
    [
      '#define smp_mb() \\\n  do {                 \\\n    __sync_synchronize(); \\\n  } while ( 0 )\n',
    ],
    ['#define full() do { asm("mfence"); } while (0)\n#define smp_mb() do { full(); } while (0)\n'],
    ['#define smp_mb() full()\n#define full() mine()\n#define mine() asm volatile("mfence")\n'],
    [
      '#ifdef A\n#define smp_mb() __sync_synchronize()\n#else\n#define smp_mb() asm("mfence")\n#endif\n',
    ],
  ])('is a statement alone if its text is assembly: %j', (text) => {
    expect(spellings(text).statement).toBe('smp_mb()');
    expect(spellings(text).expression).not.toContain('smp_mb');
  });

  test.each([
    // More than a fence, no fence, and a loop that runs again.
    ['#define smp_mb() do { x = 1; asm("mfence"); } while (0)\n'],
    ['#define smp_mb() do { asm("pause"); } while (0)\n'],
    ['#define smp_mb() do { asm("mfence"); } while (x)\n'],
  ])('is no fence if its text is more: %j', (text) => {
    expect(spellings(`${text}int f(void) { smp_mb(); }`).statement).toBe(builtin);
  });

  test.each([
    ['#define smp_mb() __sync_synchronize()\n'],
    [`#define smp_mb() ${builtin}\n`],
    ['#define full() __sync_synchronize()\n#define smp_mb() full()\n'],
    ['static inline void smp_mb(void) { __asm__ __volatile__("mfence" ::: "memory"); }\n'],
  ])('is an expression, too, if it is a call or a function: %j', (text) => {
    expect(spellings(text)).toEqual({ statement: 'smp_mb()', expression: 'smp_mb()' });
  });
});

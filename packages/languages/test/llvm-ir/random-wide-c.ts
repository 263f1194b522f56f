import { diceOf } from './dice.js';
const types = [
  'int8_t',
  'uint8_t',
  'int16_t',
  'uint16_t',
  'int32_t',
  'uint32_t',
  'int64_t',
  'uint64_t',
] as const;
const edges = [
  'INT_MIN',
  'INT_MAX',
  '0x80000000u',
  '0xffffffffu',
  '0x100000000ul',
  '0x7fffffffffffffffl',
  '(-0x7fffffffffffffffl-1)',
  '-1',
  '0x8000000000000000ul',
  '0x20000000000000l',
  '0x1fffffffffffffl',
  '-0x20000000000000l',
  '-0x20000000000001l',
  '0xcbf29ce484222325ul',
  '0x100000001b3ul',
  '0x9E3779B97F4A7C15ul',
  '255',
  '65536',
  '1',
  '0',
  '2',
  '3',
  '63',
];
/**
 * Returns a C program whose thread `run` computes with integers of 8 to 64 bits, in locals,
 * globals, atomics and an array, while another thread loads the globals. `outs` are the globals
 * with the results; with `NATIVE` defined, `main` prints the results. Signed overflow has to wrap
 * (`-fwrapv`).
 */
export function randomWideC(seed: number): {
  readonly text: string;
  readonly outs: readonly string[];
} {
  const { below } = diceOf(seed);
  const outs: string[] = [];
  const vars: [string, string][] = [];
  const n = 4 + below(4);
  for (let i = 0; i < n; i++) vars.push([`v${i}`, types[i % 2 ? 6 + below(2) : below(8)]!]);
  const leaf = (): string =>
    below(3) === 0
      ? edges[below(edges.length)]!
      : below(4) === 0
        ? `${below(1000) - 500}`
        : vars[below(n)]![0];
  const t = () => types[below(8)]!;
  const wide = () => types[6 + below(2)]!;
  const e = (d: number): string => {
    if (d === 0) return leaf();
    const l = e(d - 1),
      r = e(below(d));
    switch (below(11)) {
      case 0:
        return `(${l} ${['+', '-', '*'][below(3)]} ${r})`;
      case 1:
        return `((${wide()})(${l}) ${['+', '-', '*'][below(3)]} ${r})`;
      case 2:
        return `(${l} ${['&', '|', '^'][below(3)]} ${r})`;
      case 3:
        return `((${t()})(${l}) ${['/', '%'][below(2)]} (${r} & 0xff | 1))`;
      case 4:
        return `((uint64_t)(${l}) ${['/', '%'][below(2)]} ((${wide()})(${r}) & 0xfffffffffful | 2))`;
      case 5:
        return `((${wide()})(${l}) ${['<<', '>>'][below(2)]} ((${r}) & 63))`;
      case 6:
        return `((${['uint32_t', 'int32_t'][below(2)]})(${l}) ${['<<', '>>'][below(2)]} ((${r}) & 31))`;
      case 7:
        return `((${wide()})(${l}) ${['<', '<=', '>', '>=', '==', '!='][below(6)]} (${wide()})(${r}))`;
      case 8:
        return `((${t()})(${l}))`;
      case 9:
        return `(${l} ? ${r} : ${e(below(d))})`;
      default:
        return `${['~', '-', '!'][below(3)]}(${l})`;
    }
  };
  const shared = [
    ['g0', 'uint64_t'],
    ['g1', 'int64_t'],
    ['g2', 'uint32_t'],
    ['g3', 'int32_t'],
    ['g4', 'uint16_t'],
    ['g5', 'int64_t'],
  ] as const;
  for (const [name] of shared) outs.push(name);
  const stmt = (depth: number): string => {
    const v = vars[below(n)]![0];
    const g = shared[below(shared.length)]!;
    switch (below(12)) {
      case 0:
        return `${v} = ${e(2)};`;
      case 1:
        return `${v} ${['+=', '-=', '^=', '*='][below(4)]} ${e(2)};`;
      case 2:
        return `${g[0]} = ${e(3)};`;
      case 3:
        return `${v} = ${g[0]} + ${e(1)};`;
      case 4:
        return depth > 0
          ? `if (${e(2)}) { ${stmt(depth - 1)} } else { ${stmt(depth - 1)} }`
          : `${v}++;`;
      case 5:
        return `for (int i = 0; i < ${1 + below(4)}; i++) { ${v} ^= ${v} << ${1 + below(20)}; ${v} *= ${edges[13 + below(3)]}; }`;
      case 6:
        return `${v} = hash(${e(1)});`;
      case 7:
        return `${v} = atomic_${['fetch_add', 'fetch_sub', 'fetch_or', 'fetch_and', 'fetch_xor', 'exchange'][below(6)]}(&a${below(3)}, ${e(1)});`;
      case 8:
        return `{ uint64_t want = ${below(2) ? 'a0' : e(1)}; ${v} = atomic_compare_exchange_strong(&a0, &want, ${e(1)}); ${vars[below(n)]![0]} ^= want; }`;
      case 9:
        return `${v} = (uint64_t)(uint32_t)(${e(1)}) << 32 | (uint32_t)(${e(1)});`;
      case 10:
        return `switch (${v} & 3) { case 0: ${g[0]} = ${e(1)}; break; case 2: ${v} = ${e(2)}; break; default: ${g[0]} += ${v}; }`;
      default:
        return `arr[${e(1)} & 3] = ${e(2)}; ${v} = arr[${v} & 3];`;
    }
  };
  outs.push('a0', 'a1', 'a2');
  const text = `#include <stdint.h>
#include <limits.h>
#include <stdatomic.h>
#include <pthread.h>
#ifdef NATIVE
#include <stdio.h>
#endif
${shared.map(([name, type]) => `${type} ${name} = ${edges[below(edges.length)]};`).join('\n')}
_Atomic uint64_t a0 = ${edges[below(edges.length)]};
_Atomic int64_t a1 = ${edges[below(edges.length)]};
_Atomic uint32_t a2 = ${edges[below(edges.length)]};
int64_t arr[4];
static uint64_t hash(uint64_t z) {
  z += 0x9E3779B97F4A7C15ul; z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ul;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBul; return z ^ (z >> 31);
}
static void *run(void *unused) {
  ${vars.map(([name, type]) => `${type} ${name} = ${below(2) ? edges[below(edges.length)] : `g${below(6)}`};`).join('\n  ')}
  ${Array.from({ length: 8 }, () => stmt(2)).join('\n  ')}
  g0 ^= ${vars.map(([name]) => name).join(' ^ ')};
  g1 += v1; g5 -= v3;
  return 0;
}
static void *look(void *unused) {
  volatile uint64_t sink;
  ${[...shared.map(([name]) => name), 'a0', 'a1', 'a2'].map((name) => `sink = ${name};`).join(' ')}
  return 0;
}
int main(void) {
  pthread_t t, u;
  g3 += 1;
  pthread_create(&u, 0, look, 0);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
#ifdef NATIVE
  printf("g0=%ld g1=%ld g2=%d g3=%d g4=%d g5=%ld a0=%ld a1=%ld a2=%d\\n", (long)g0, (long)g1, (int)g2, (int)g3, (int)(int16_t)g4, (long)g5, (long)a0, (long)a1, (int)a2);
#endif
  return 0;
}
`;
  return { text, outs };
}

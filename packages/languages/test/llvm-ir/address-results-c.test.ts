import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import type { LlvmIrModule } from '../../src/llvm-ir/places.js';
import { saidByTool } from '../ir-machine/said-by-tool.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/**
 * The place of statements: in a thread, in `main` before the start of threads, or both, chosen by a
 * flag.
 */
type Where = 'thread' | 'main';

/**
 * Returns whether the assertion after the statements holds, fails, is refused, or is open, as
 * executions end at a limit. `f` is 0 or 1, `cell` an atomic integer of the address size.
 */
async function saidOf(statements: string, where: Where = 'thread'): Promise<string> {
  const [inThread, inMain] = where === 'thread' ? [statements, ''] : ['', statements];
  return await saidOfText(`#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct { long a, b, c; } one, two;
_Atomic(uintptr_t) cell;
_Atomic(int) flag;
char *tiny;
unsigned char bytes[8];
union { uintptr_t w; unsigned halves[2]; unsigned short quarters[4]; unsigned char bytes[8]; } pair;
union { struct __attribute__((packed)) { int a; uintptr_t p; }; unsigned char bytes[12]; } packed;
static void *other(void *a) { uintptr_t seen = cell; flag = 1; return 0; }
static void *run(void *a) {
  int f = flag;
  uintptr_t p = (uintptr_t)&one, q = (uintptr_t)&two, r = p + 8;
  ${inThread}
  return 0;
}
int main(void) {
  pthread_t t, o;
  tiny = malloc(1);
  uintptr_t p = (uintptr_t)&one, q = (uintptr_t)&two, r = p + 8;
  ${inMain}
  pthread_create(&t, 0, run, 0);
  pthread_create(&o, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(o, 0);
}
`);
}

async function modulesOf(text: string): Promise<readonly LlvmIrModule[]> {
  writeFileSync(path.join(folder, 'program.c'), text);
  const compiled = await compileC(clang!, [{ file: 'program.c' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  return compiled.modules;
}

async function saidOfText(text: string): Promise<string> {
  const said = await saidByTool(await modulesOf(text), 'program.c', 100_000);
  if (said.kind === 'refused') return said.why;
  if (!said.sc.knowsAssertions) return said.codes.join(' ');
  const assumed = said.assumptions.find((each) => /holds an address|one object/.test(each));
  if (assumed !== undefined) return assumed;
  return said.sc.assertions.size > 0 ? 'fails' : 'holds';
}

describe.runIf(clang)(`computations with addresses${why}`, () => {
  it.each([
    ['an atomic and', 'cell = p; cell &= 0xff0; assert(cell < 0x800);'],
    ['an atomic xor with an address', 'cell = p; cell ^= q; assert(cell != 0);'],
    ['an atomic sum', 'cell = p; cell += 0x9e3779b97f4a7c15u; assert(cell & 8);'],
    ['a far sum', 'p = f ? p : q; p += 0x9e3779b97f4a7c15u; assert(p >> 63);'],
    [
      'a pointer moved by an address',
      'p = f ? p : q; char *m = (char *)p + (intptr_t)p; assert(m);',
    ],
    ['a far difference', 'p = f ? p : q; p -= 0x1e3779b97f4a7c15u; assert(p >> 63);'],
    ['an index that is an address', 'long *m = (long *)0 + (f ? p : q); assert(m);'],
    ['a difference of objects', 'q = f ? q : q + 8; assert(((p - q) & 32) == 0);'],
    ['an order of objects', 'q = f ? q : q + 8; assert(p < q);'],
    ['the end of a small block', 'p = (uintptr_t)tiny; p = f ? p : p | 8; assert((p | 8) >> 4);'],
    ['a byte of a local address', 'union { uintptr_t p; char b[8]; } u = {p}; assert(u.b[1] < 9);'],
    [
      'a byte of a local address beside a stored byte',
      'union { uintptr_t p; char b[8]; } u = {p}; u.b[0] = 3; assert(u.b[1] < 9);',
    ],
    ['a negated address', 'p = f ? p : q; p = -p; assert(p >> 63);'],
    ['bits of unknown places', 'for (int i = 0; i < 99; i++) q += p & (1ul << i); assert(q);'],
    ['shifts by unknown numbers', 'for (int i = 0; i < 99; i++) q = p >> i; assert(q);'],
    ['a product with overflow', 'assert(!__builtin_mul_overflow(p, 16, &q)); assert(q);'],
  ])('are refused in threads: %s', async (_, statements) => {
    expect(await saidOf(statements)).toMatch(/^the result depends on the addresses of objects/);
  });

  it.each([
    ['an atomic and', 'cell = p; __c11_atomic_fetch_and(&cell, 0xff0, 5); assert(cell < 0x800);'],
    ['a far sum', 'p += 0x9e3779b97f4a7c15u; assert(p >> 63);'],
    ['a pointer moved by an address', 'char *m = (char *)p + (intptr_t)q; assert(m);'],
    ['an index that is an address', 'long *m = (long *)0 + p; assert(m);'],
    ['a byte of an address', 'union { uintptr_t p; char b[8]; } u = {p}; assert(u.b[1] < 9);'],
    ['the end of a small block', 'p = (uintptr_t)tiny | 8; assert((p >> 4) & 1);'],
    ['a byte of a copied address', 'memcpy(bytes, (char *)&p + 1, 2); assert(bytes[0] & 16);'],
    ['a byte of an unaligned address', 'packed.p = p; assert(packed.bytes[5] & 16);'],
    ['an address of 4 bytes', 'pair.w = p; pair.halves[1] = 0; assert(pair.w == p);'],
    ['an address with another byte', 'pair.w = p; pair.bytes[0] = 3; assert(pair.w - p < 4);'],
    ['bytes of an address above others', 'memcpy(pair.bytes + 4, &p, 4); assert(pair.w >> 44);'],
    ['bytes of two addresses', 'pair.w = p; memcpy(pair.bytes, &q, 2); assert(pair.w != q);'],
  ])('are refused in main: %s', async (_, statements) => {
    expect(await saidOf(statements, 'main')).toMatch(
      /^the result depends on the addresses of objects/,
    );
  });

  it.each([
    [
      'atomic sums',
      'cell = p; for (int i = 0; i < 99; i++) cell += 0x9e3779b97f4a7c15u; assert(cell & 8);',
    ],
    [
      'bits that count above an address',
      'for (uintptr_t i = 0; i < 99; i++) { q = p | i << 48; assert((q & 7) == 0); }',
    ],
  ])('of unknown integers are taken to be without addresses: %s', async (_, statements) => {
    expect(await saidOf(statements)).toMatch(/^no integer that line 17 computes with holds an/);
  });

  it.each([
    ['a difference', 'q = f ? r : q; assert(p - q);'],
    ['an order', 'q = f ? r : q; assert(p < q);'],
    ['a sum', 'q = f ? 8 : 0x5000000; p += q; assert(p);'],
    ['a shift', 'q = f ? p - 64 : 3; assert((q >> 4) & 1);'],
    ['a mask', 'q = f ? p : 3; assert((q & 0x10) == 0);'],
    ['a product', 'q = f ? p : 3; assert(q * 2);'],
    ['a cut', 'q = f ? p : 3; assert((unsigned)q);'],
    ['a complement', 'q = f ? p : 3; assert(~q);'],
    ['all values on a path', 'if (f) { q = flag ? p : r; assert(~q); }'],
  ])('end where only some executions depend on places: %s', async (_, statements) => {
    expect(await saidOf(statements)).toContain('FW3009');
  });

  // 0x4001010 lies among the first objects of the model.
  it.each([
    ['holds', 'thread', 'assert((unsigned char)(n >> 4) == 3);'],
    ['fails', 'thread', 'assert((unsigned char)(n >> 4) != 3);'],
    ['holds', 'main', 'assert((unsigned char)(n >> 4) == 3);'],
  ] as const)(
    'have no numbers of 32 bits, whatever their values: %s in %s',
    async (said, where, assertion) => {
      const hash = 'unsigned n = 0x4001010u; unsigned char c = n; n = n * 3 + c - 9;';
      expect(await saidOf(`${hash} ${assertion}`, where)).toBe(said);
    },
  );

  // The numbers pass the first objects of the model.
  const hashes =
    'uint64_t sum = 0; for (uint64_t n = 1u << 26; n < 1u << 27; n += 1u << 16) sum = sum * 31 + (n * 3 >> 9);';
  const sum = Array.from({ length: 2 ** 10 }, (_, i) => 2 ** 26 + i * 2 ** 16)
    .map((n) => BigInt(n * 3) >> 9n)
    .reduce((all, each) => BigInt.asUintN(64, all * 31n + each), 0n);

  it.each([
    ['holds', `assert(sum == ${sum}u);`],
    ['an assertion fails before a thread is started', `assert(sum != ${sum}u);`],
    ['holds', 'cell = p; cell |= 1; assert((cell & 7) == 1);'],
  ])(
    'in main have no numbers that are equal for all placements of the objects: %s, %s',
    async (said, statements) => {
      expect(await saidOf(`${hashes} ${statements}`, 'main')).toBe(said);
    },
  );

  it.each([`${hashes} assert(p * 3 % 7 < 9);`, `assert(p * 3 % 7 < 9); ${hashes}`])(
    'in main are refused beside numbers that equal an address by chance: %s',
    async (statements) => {
      expect(await saidOf(statements, 'main')).toMatch(
        /^the result depends on the addresses of objects/,
      );
    },
  );

  it.each([
    [
      'holds',
      'a number that equals an address by chance',
      'unsigned n = (f ? 0x2001000u : 1u) << 1; n = -n; assert(n != 0);',
    ],
    ['fails', 'an atomic tag', 'cell = p; cell |= 1; assert(cell == p);'],
    ['holds', 'an atomic tag', 'cell = p; cell |= 3; cell &= ~(uintptr_t)3; assert(cell == p);'],
    ['holds', 'bits above', 'cell = p; cell += 1ul << 48; assert(cell >> 48 == 1);'],
    ['holds', 'a difference', 'q = f ? p : r; assert(r - q <= 8);'],
    ['fails', 'a difference', 'q = f ? p : r; assert(r - q == 8);'],
    ['holds', 'an order', 'q = f ? p : r; assert(q <= r);'],
    ['holds', 'a cut of no address', 'q = f ? p : 3; if (q == 3) assert((unsigned)q == 3);'],
    ['fails', 'a cut of no address', 'q = f ? p : 3; if (q == 3) assert((unsigned)q != 3);'],
    [
      'holds',
      'a loaded part of a cell that may hold an address',
      'pair.w = f ? p : 3; q = 3; if (!f) q = pair.halves[0]; assert(q == 3 && pair.w == (f ? p : 3));',
    ],
    [
      'fails',
      'a loaded part of a cell that may hold an address',
      'pair.w = f ? p : 3; q = 3; if (!f) q = pair.halves[1]; assert(q == 3 && pair.w == (f ? p : 3));',
    ],
    ['holds', 'a shift of no address', 'q = f ? p : 3; if (q == 3) assert(q >> 1 == 1);'],
    ['holds', 'bits behind a small block', 'p = (uintptr_t)tiny | 8; assert(p & 8);'],
    ['holds', 'a pointer beside its object', 'p = f ? p : p - 64; assert(p != q);'],
  ])('are decided where they do not depend on places: %s, %s', async (said, _, statements) => {
    expect(await saidOf(statements)).toBe(said);
  });

  it.each([
    [
      'copied bytes of a whole address',
      'memcpy(bytes, &p, 8); memcpy(&q, bytes, 8); assert(q == p);',
    ],
    ['an unaligned address', 'packed.p = p; assert(packed.p == p);'],
    ['a tag in the highest bytes', 'pair.w = p; pair.quarters[3] = 5; assert(pair.w >> 48 == 5);'],
    [
      'bytes that replace an address',
      'pair.w = p; memset(&pair, 1, 8); assert(pair.bytes[1] == 1);',
    ],
  ])('are decided in main where they do not depend on places: %s', async (_, statements) => {
    expect(await saidOf(statements, 'main')).toBe('holds');
  });

  it('are guarded in all copies of a thread if one needs it', async () => {
    const text = `#include <assert.h>
#include <pthread.h>
#include <stdint.h>
long one[2], two[2];
_Atomic(int) flag;
_Atomic(long *) starts[2] = {one, one};
static void *run(void *a) {
  long *p = flag ? one : one + 1, *base = starts[(long)a];
  long distance = p - base;
  assert(distance <= 1);
  flag = 1;
  starts[1 - (long)a] = a ? one : two;
  return 0;
}
int main(void) {
  pthread_t t, o;
  pthread_create(&t, 0, run, 0);
  pthread_create(&o, 0, run, (void *)1);
  pthread_join(t, 0);
  pthread_join(o, 0);
}
`;
    expect(await saidOfText(text)).toContain('FW3009');
    const { model } = parseLlvmIr(await modulesOf(text), { main: 'program.c' });
    const copies = finiteProgram(model)!.threads.filter(({ copy }) => copy !== undefined);
    expect(copies).toHaveLength(2);
    const lengths = copies.map(({ transitions, locations }) =>
      [transitions, locations].map((each) => each.length),
    );
    expect(lengths[0]).toEqual(lengths[1]);
  });
});

import { diceOf } from './dice.js';

/** A field of the structures that blocks hold. */
type Field = 'a' | 'b' | 'c';

/**
 * A statement about blocks, by their numbers. `look` and `create` are statements of `main` only.
 */
export type CopyStatement =
  | { readonly kind: 'set'; readonly block: number; readonly field: Field; readonly to: number }
  | { readonly kind: 'assign' | 'memcpy' | 'memmove'; readonly to: number; readonly from: number }
  | { readonly kind: 'field copy'; readonly to: number; readonly from: number }
  | { readonly kind: 'memset'; readonly block: number }
  | {
      readonly kind: 'store if';
      readonly block: number;
      readonly field: Field;
      readonly is: number;
      readonly cell: 'x' | 'y';
    }
  | { readonly kind: 'look'; readonly cell: 'x' | 'y' }
  | { readonly kind: 'create' };

/** A program whose `main` copies blocks while another thread runs, which may copy them, too. */
export interface RandomCopies {
  readonly blocks: number;
  readonly main: readonly CopyStatement[];
  /** The number of the block of which the thread reads a field; none if negative. */
  readonly shared: number;
  /** The statements of the thread about the blocks of `main`; mostly none. */
  readonly thread: readonly CopyStatement[];
  readonly asserts: { readonly block: number; readonly field: Field; readonly is: number };
}

const fields: readonly Field[] = ['a', 'b', 'c'];

/**
 * Returns a random program: most blocks are copied as a whole, before or after the thread starts.
 */
export function randomCopies(seed: number): RandomCopies {
  const { below, pick, chance } = diceOf(seed);
  const blocks = 2 + below(2);
  const number = (): number => below(3);
  const block = (): number => below(blocks);
  const statement = (): CopyStatement => {
    const choice = below(20);
    if (choice < 5) return { kind: 'set', block: block(), field: pick(fields), to: number() };
    if (choice < 11) {
      const to = block();
      const from = (to + 1 + below(blocks - 1)) % blocks;
      return { kind: pick(['assign', 'memcpy', 'memmove', 'assign', 'field copy']), to, from };
    }
    if (choice < 12) return { kind: 'memset', block: block() };
    if (choice < 17) {
      const where = { block: block(), field: pick(fields), is: number() };
      return { kind: 'store if', ...where, cell: pick(['x', 'y']) };
    }
    return { kind: 'look', cell: pick(['x', 'y']) };
  };
  const isCopier = chance(40);
  // Each copy of blocks that both threads access is six steps.
  const main = Array.from({ length: isCopier ? 1 + below(2) : 4 + below(6) }, () => statement());
  main.splice(isCopier ? 0 : below(3), 0, { kind: 'create' });
  const ofThread = (): CopyStatement => {
    const made = statement();
    return made.kind === 'look' ? { kind: 'memset', block: block() } : made;
  };
  return {
    blocks,
    main,
    shared: chance(35) ? block() : -1,
    thread: isCopier ? Array.from({ length: 1 + below(2) }, () => ofThread()) : [],
    asserts: { block: block(), field: pick(fields), is: number() },
  };
}

/**
 * Prints the program as C: with blocks of `malloc`, or with variables in their place. Both have the
 * same lines.
 */
export function printCopies(
  { blocks, main, shared, thread, asserts }: RandomCopies,
  as: 'blocks' | 'variables',
): string {
  const all = Array.from({ length: blocks }, (_, i) => i);
  const statement = (one: CopyStatement): string => {
    switch (one.kind) {
      case 'set':
        return `p${one.block}->${one.field} = ${one.to};`;
      case 'assign':
        return `*p${one.to} = *p${one.from};`;
      case 'memcpy':
      case 'memmove':
        return `${one.kind}(p${one.to}, p${one.from}, sizeof(struct s));`;
      case 'field copy':
        return `memcpy(&p${one.to}->b, &p${one.from}->b, sizeof(int));`;
      case 'memset':
        return `memset(p${one.block}, 0, sizeof(struct s));`;
      case 'store if':
        return `if (p${one.block}->${one.field} == ${one.is}) ${one.cell} = 1;`;
      case 'look':
        return `seen += ${one.cell};`;
      case 'create':
        return 'pthread_create(&handle, 0, thread, 0);';
    }
  };
  return `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct s { int a, b; long c; };
int x, y, r;
struct s *given, *p0, *p1, *p2;
${all.map((i) => (as === 'variables' ? `struct s v${i};` : '')).join(' ')}
void *thread(void *argument) {
  x = 1;
  r = y;
  ${shared < 0 ? '' : 'if (given->a == 1) y = 1;'}
${thread.map((one) => `  ${statement(one)}`).join('\n')}
  return 0;
}
int main(void) {
  pthread_t handle;
  int seen = 0;
  ${all.map((i) => `p${i} = ${as === 'blocks' ? 'malloc(sizeof(struct s))' : `&v${i}`};`).join(' ')}
  ${all.map((i) => `p${i}->a = ${i}; p${i}->b = 0; p${i}->c = ${2 - i};`).join(' ')}
  ${shared < 0 ? '' : `given = p${shared};`}
${main.map((one) => `  ${statement(one)}`).join('\n')}
  pthread_join(handle, 0);
  assert(p${asserts.block}->${asserts.field} != ${asserts.is} || seen == 3);
  return 0;
}
`;
}

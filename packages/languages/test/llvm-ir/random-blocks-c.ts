import { SeededRandom } from '@fencewright/ground/base/random.js';

/** The number of a local variable: there are two for numbers and two for pointers. */
type Local = 0 | 1;
type Cell = 'x' | 'y';

/** A statement about shared cells or blocks of `malloc`, printed on one line. */
export type BlockStatement = { readonly id: number } & (
  | { readonly kind: 'store'; readonly cell: Cell; readonly number: number }
  | { readonly kind: 'load'; readonly cell: Cell; readonly local: Local }
  | { readonly kind: 'get' | 'give'; readonly local: Local }
  /** Copies a local pointer to the shared pointer, or the shared pointer to a local one. */
  | { readonly kind: 'tell' | 'hear'; readonly local: Local }
  /** Stores a number into the block that a pointer points to, unless the pointer is null. */
  | { readonly kind: 'fill'; readonly local: Local; readonly number: number }
  | { readonly kind: 'fence' }
  /** Executes statements if both pointers are equal. */
  | { readonly kind: 'if-same'; readonly then: readonly BlockStatement[] }
);

/** Threads that allocate and free blocks; `main` may have allocated or freed one before. */
export interface RandomBlocks {
  readonly threads: readonly (readonly BlockStatement[])[];
  readonly early: 'none' | 'got' | 'given back';
}

export function randomBlocks(seed: number): RandomBlocks {
  const random = new SeededRandom(seed);
  let ids = 0;
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const local = (): Local => (random.below(2) === 0 ? 0 : 1);
  const access = (): BlockStatement => {
    const [id, cell] = [ids++, one(['x', 'y'] as const)];
    return random.below(2) === 0
      ? { id, kind: 'store', cell, number: 1 + random.below(2) }
      : { id, kind: 'load', cell, local: local() };
  };
  const statement = (): BlockStatement => {
    switch (random.below(12)) {
      case 0:
      case 1:
        return access();
      case 2:
      case 3:
      case 4:
        return { id: ids++, kind: 'get', local: local() };
      case 5:
      case 6:
        return { id: ids++, kind: 'give', local: local() };
      case 7:
        return { id: ids++, kind: 'tell', local: local() };
      case 8:
        return { id: ids++, kind: 'hear', local: local() };
      case 9:
        return { id: ids++, kind: 'fill', local: local(), number: 1 + random.below(2) };
      case 10:
        return random.below(4) === 0 ? { id: ids++, kind: 'fence' } : access();
      default:
        return { id: ids++, kind: 'if-same', then: [access(), access()] };
    }
  };
  /** A store and a load of another cell, which store buffering may reorder. */
  const pair = (): readonly BlockStatement[] => {
    const cells: readonly [Cell, Cell] = random.below(2) === 0 ? ['x', 'y'] : ['y', 'x'];
    return [
      { id: ids++, kind: 'store', cell: cells[0], number: 1 },
      { id: ids++, kind: 'load', cell: cells[1], local: local() },
    ];
  };
  const ifSame = (): BlockStatement => ({ id: ids++, kind: 'if-same', then: pair() });
  const get = (to: Local): BlockStatement => ({ id: ids++, kind: 'get', local: to });
  const give = (of: Local): BlockStatement => ({ id: ids++, kind: 'give', local: of });
  const tell = (): BlockStatement => ({ id: ids++, kind: 'tell', local: 0 });
  const hear = (): BlockStatement => ({ id: ids++, kind: 'hear', local: 0 });
  const some = (): readonly BlockStatement[] => (random.below(2) === 0 ? [statement()] : []);
  const body = (): readonly BlockStatement[] => {
    switch (random.below(5)) {
      // The thread allocates a block that it has freed itself,
      case 0:
        return [get(0), ...some(), give(0), ...some(), get(1), ifSame()];
      // or a block that another thread has freed,
      case 1:
        return [hear(), ...some(), get(1), ...some(), ifSame()];
      // or frees a block for the other thread.
      case 2:
        return [get(0), tell(), ...some(), give(0), ...pair()];
      case 3:
        return [...some(), ...pair(), ...some()];
      default:
        return Array.from({ length: 3 + random.below(3) }, statement);
    }
  };
  return { threads: [body(), body()], early: one(['none', 'got', 'given back'] as const) };
}

export function allOf(list: readonly BlockStatement[]): readonly BlockStatement[] {
  return list.flatMap((each) => [each, ...(each.kind === 'if-same' ? allOf(each.then) : [])]);
}

/** A text, and the statement of each of its lines, from 0. */
export interface PrintedBlocks {
  readonly text: string;
  readonly statements: ReadonlyMap<number, number>;
}

class Lines {
  readonly lines: string[] = [];
  readonly statements = new Map<number, number>();

  add(line: string, id?: number): void {
    if (id !== undefined) this.statements.set(this.lines.length, id);
    this.lines.push(line);
  }

  get printed(): PrintedBlocks {
    return { text: `${this.lines.join('\n')}\n`, statements: this.statements };
  }
}

/** The cells that hold the locals of the threads after their end. */
export const foundCells = [0, 1].flatMap((t) => [0, 1].map((r) => `out${t}_${r}`));

export function printBlocksInC({ threads, early }: RandomBlocks): PrintedBlocks {
  const out = new Lines();
  out.add('#include <pthread.h>');
  out.add('#include <stdatomic.h>');
  out.add('#include <stdlib.h>');
  out.add(`static volatile int x, y, ${foundCells.join(', ')};`);
  out.add('static int *volatile g;');
  const print = (list: readonly BlockStatement[]): void => {
    for (const each of list)
      switch (each.kind) {
        case 'store':
          out.add(`${each.cell} = ${each.number};`, each.id);
          break;
        case 'load':
          out.add(`r${each.local} = ${each.cell};`, each.id);
          break;
        case 'get':
          out.add(`p${each.local} = malloc(4);`, each.id);
          break;
        case 'give':
          out.add(`free(p${each.local});`, each.id);
          break;
        case 'tell':
          out.add(`g = p${each.local};`, each.id);
          break;
        case 'hear':
          out.add(`p${each.local} = g;`, each.id);
          break;
        case 'fill':
          out.add(`if (p${each.local}) *(volatile int *)p${each.local} = ${each.number};`, each.id);
          break;
        case 'fence':
          out.add('atomic_thread_fence(memory_order_seq_cst);', each.id);
          break;
        case 'if-same':
          out.add('if (p0 && p0 == p1) {');
          print(each.then);
          out.add('}');
      }
  };
  threads.forEach((body, t) => {
    out.add(`static void *thread${t}(void *unused) {`);
    out.add('int r0 = 0, r1 = 0, *p0 = NULL, *p1 = NULL;');
    print(body);
    for (const r of [0, 1]) out.add(`out${t}_${r} = r${r};`, -1 - r - 2 * t);
    out.add('return unused;');
    out.add('}');
  });
  out.add('int main(void) {');
  out.add('pthread_t ids[2];');
  if (early !== 'none') out.add('g = malloc(4);');
  if (early === 'given back') out.add('free(g);');
  threads.forEach((_, t) => {
    out.add(`pthread_create(&ids[${t}], NULL, thread${t}, NULL);`);
  });
  out.add('return 0;');
  out.add('}');
  return out.printed;
}

/**
 * Prints the program natively, with blocks as numbers and the allocator's choices written out: the
 * thread keeps a freed block, or leaves the block for others by a locked instruction.
 */
export function printBlocksNatively({ threads, early }: RandomBlocks): PrintedBlocks {
  const out = new Lines();
  const getsIn = threads.map((body) => allOf(body).filter(({ kind }) => kind === 'get'));
  const first = early === 'none' ? 0 : 1;
  const blocks = Array.from({ length: first + getsIn.flat().length }, (_, i) => i + 1);
  const newBlock = new Map(getsIn.flat().map(({ id }, i) => [id, first + i + 1]));
  out.add('program Blocks');
  for (const cell of ['x', 'y', ...foundCells]) out.add(`var ${cell}`);
  out.add(`var g = ${first}`);
  for (const b of blocks) {
    out.add(`var c${b}`);
    out.add(`var left${b} = ${b === 1 && early === 'given back' ? 1 : 0}`);
    threads.forEach((_, t) => {
      out.add(`var kept${t}_${b}`);
    });
  }
  const choose = (ways: readonly (() => void)[]): void => {
    ways.forEach((way, i) => {
      out.add(i === 0 ? 'choose {' : '} or {');
      way();
    });
    if (ways.length > 0) out.add('}');
  };
  const print = (list: readonly BlockStatement[], t: number): void => {
    const isGetting = getsIn[t]!.length > 0;
    const getsOther = getsIn.some((gets, other) => other !== t && gets.length > 0);
    for (const each of list) {
      const { id } = each;
      switch (each.kind) {
        case 'store':
          out.add(`${each.cell} = ${each.number};`, id);
          break;
        case 'load':
          out.add(`r${each.local} = ${each.cell};`, id);
          break;
        case 'get': {
          const p = `p${each.local}`;
          choose([
            () => {
              out.add(`${p} = ${newBlock.get(id)};`);
            },
            ...blocks.flatMap((b) => [
              () => {
                out.add(`m = kept${t}_${b};`, id);
                out.add('assume(m == 1);');
                out.add(`kept${t}_${b} = 0;`, id);
                out.add(`${p} = ${b};`);
              },
              () => {
                out.add(`atomic { m = left${b}; assume(m == 1); left${b} = 0; }`, id);
                out.add(`${p} = ${b};`);
              },
            ]),
          ]);
          break;
        }
        case 'give':
          for (const b of blocks) {
            out.add(`if (p${each.local} == ${b}) {`);
            choose([
              // A thread that allocates nothing keeps the block for ever.
              isGetting ? () => out.add(`kept${t}_${b} = 1;`, id) : () => out.add('skip;'),
              ...(getsOther ? [() => out.add(`xchg(left${b}, 1);`, id)] : []),
            ]);
            out.add('}');
          }
          break;
        case 'tell':
          out.add(`g = p${each.local};`, id);
          break;
        case 'hear':
          out.add(`p${each.local} = g;`, id);
          break;
        case 'fill':
          for (const b of blocks)
            out.add(`if (p${each.local} == ${b}) { c${b} = ${each.number}; }`, id);
          break;
        case 'fence':
          out.add('fence;', id);
          break;
        case 'if-same':
          out.add('if (p0 != 0 && p0 == p1) {');
          print(each.then, t);
          out.add('}');
      }
    }
  };
  threads.forEach((body, t) => {
    out.add(`thread thread${t} {`);
    out.add('local r0, r1, p0, p1, m;');
    print(body, t);
    for (const r of [0, 1]) out.add(`out${t}_${r} = r${r};`, -1 - r - 2 * t);
    out.add('}');
  });
  return out.printed;
}

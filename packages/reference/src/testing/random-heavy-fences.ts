import fc from 'fast-check';
import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import { binary, constant, registerValue } from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';

const heavy: Instruction = { kind: 'heavy-fence' };
const stored = fc.constantFrom(1, 1, 2).map(constant);
const register = fc.constantFrom(0, 1);

function cellAmong(cells: number) {
  return fc.nat(cells - 1).map(constant);
}

/** Returns random instructions of which many are heavy fences. */
function instructionAmong(cells: number): fc.Arbitrary<Instruction> {
  const address = cellAmong(cells);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(address, stored)
        .map(([a, value]): Instruction => ({ kind: 'store', address: a, value })),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(address, register)
        .map(([a, into]): Instruction => ({ kind: 'load', address: a, into })),
    },
    { weight: 3, arbitrary: fc.constant(heavy) },
    { weight: 1, arbitrary: fc.constant<Instruction>({ kind: 'fence' }) },
    {
      weight: 1,
      arbitrary: fc.tuple(address, register, stored).map(([a, into, value]): Instruction => ({
        ...{ kind: 'rmw', into, address: a },
        operation: { name: 'cas', operands: [constant(0), value] },
      })),
    },
    {
      weight: 1,
      arbitrary: register.map((r): Instruction => ({
        kind: 'assume',
        condition: binary('==', registerValue(r), constant(0)),
      })),
    },
  );
}

function straight(t: number, code: readonly Instruction[]): Thread {
  return {
    name: `t${t}`,
    registers: [0, 1].map((r) => ({ name: `r${r}`, hidden: false })),
    locations: Array.from({ length: code.length + 1 }, (_, l) => ({
      name: `l${l}`,
      hidden: false,
    })),
    initial: 0,
    transitions: code.map((instruction, from) => ({ from, to: from + 1, instruction, origin: {} })),
  };
}

/**
 * Returns random programs around a ring: thread `i` stores to cell `i` and then loads the next
 * cell, some with heavy fences in between, most with one or two random changes.
 */
export function ringWithHeavyFences(maxThreads = 4): fc.Arbitrary<Program> {
  return fc
    .integer({ min: 2, max: maxThreads })
    .chain((count) => {
      const own = (t: number): fc.Arbitrary<readonly Instruction[]> =>
        fc
          .tuple(
            stored,
            fc.oneof(
              { weight: 4, arbitrary: fc.constant<readonly Instruction[]>([]) },
              { weight: 2, arbitrary: fc.constant([heavy]) },
              { weight: 1, arbitrary: fc.constant([heavy, heavy]) },
            ),
            register,
            fc.option(fc.tuple(fc.nat(4), instructionAmong(count)), { freq: count > 3 ? 6 : 2 }),
            fc.nat(9),
          )
          .map(([value, middle, into, change, gap]) => {
            const code: Instruction[] = [
              { kind: 'store', address: constant(t), value },
              ...middle,
              { kind: 'load', into, address: constant((t + 1) % count) },
            ];
            if (gap === 0) code.splice(0, 1);
            if (change) code.splice(Math.min(change[0], code.length), 0, change[1]);
            return code;
          });
      return fc.tuple(...Array.from({ length: count }, (_, t) => own(t)));
    })
    .map((threads) => ({
      name: 'ring',
      symbols: [],
      threads: threads.map((code, t) => straight(t, code)),
      properties: [],
    }));
}

/** Returns random programs without a shape: two to four threads of random instructions. */
export function straightWithHeavyFences(): fc.Arbitrary<Program> {
  return fc
    .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 3 }))
    .chain(([count, cells]) => {
      const code = fc.array(instructionAmong(cells), {
        minLength: 2,
        maxLength: count === 2 ? 5 : 3,
        size: 'max',
      });
      return fc.array(code, { minLength: count, maxLength: count });
    })
    .map((threads) => ({
      name: 'straight',
      symbols: [],
      threads: threads.map((code, t) => straight(t, code)),
      properties: [],
    }));
}

/** Returns the thread with heavy fences in front of the chosen transitions outside lock blocks. */
function withHeavyFencesBefore(thread: Thread, isChosen: (id: number) => boolean): Thread {
  const block = computeLockBlocks(thread);
  const locations = [...thread.locations];
  const transitions = thread.transitions.flatMap((step, id) => {
    if (!isChosen(id) || block(step.from).length > 0) return [step];
    const between = locations.push({ name: `h${id}`, hidden: false }) - 1;
    return [
      { ...step, to: between, instruction: heavy },
      { ...step, from: between },
    ];
  });
  return { ...thread, locations, transitions };
}

/** Returns the programs with one to three heavy fences at random places. */
export function withHeavyFences(programs: fc.Arbitrary<Program>): fc.Arbitrary<Program> {
  return fc
    .tuple(programs, fc.array(fc.tuple(fc.nat(3), fc.nat(11)), { minLength: 1, maxLength: 3 }))
    .map(([program, places]) => {
      const { threads } = program;
      return {
        ...program,
        threads: threads.map((thread, t) => {
          const own = places.flatMap(([which, place]) =>
            which % threads.length === t ? [place % Math.max(1, thread.transitions.length)] : [],
          );
          return withHeavyFencesBefore(thread, (id) => own.includes(id));
        }),
      };
    });
}

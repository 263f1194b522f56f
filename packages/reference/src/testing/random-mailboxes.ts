import fc from 'fast-check';
import {
  binary,
  constant,
  registerValue,
  unary,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';

/**
 * The number of cells that all threads access; the addresses after them are the mailboxes (cells
 * for messages), one for each thread.
 */
const sharedCells = 2;
/**
 * The number of mailboxes (cells for messages) that computed addresses reach: those of the first
 * threads.
 */
const reached = 2;

const received = 0;
const other = 1;

type Item =
  | { readonly kind: 'receive' | 'await' | 'clear' | 'swap' | 'count' | 'fence' }
  | { readonly kind: 'send'; readonly to: Expression; readonly value: Expression }
  | { readonly kind: 'store' | 'load'; readonly cell: number }
  | { readonly kind: 'block' | 'both'; readonly items: readonly Item[] };

const value: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2 }).map(constant) },
  { weight: 1, arbitrary: fc.constantFrom(received, other).map(registerValue) },
);

function mailbox(index: Expression): Expression {
  return binary('+', constant(sharedCells), index);
}

/**
 * Returns random addresses of mailboxes (cells for messages): mostly of a fixed mailbox, sometimes
 * of one computed from a register.
 */
function anyMailbox(threads: number): fc.Arbitrary<Expression> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.nat(threads - 1).map((t) => constant(sharedCells + t)) },
    {
      weight: 2,
      arbitrary: fc.constant(mailbox(binary('&', registerValue(other), constant(reached - 1)))),
    },
  );
}

function itemArbitrary(threads: number): fc.Arbitrary<Item> {
  const cell = fc.nat(sharedCells - 1);
  const send = fc
    .record({ to: anyMailbox(threads), value })
    .map((its): Item => ({ kind: 'send', ...its }));
  const access = fc.oneof(
    send,
    fc.constantFrom<Item>({ kind: 'receive' }, { kind: 'swap' }, { kind: 'count' }),
    cell.map((c): Item => ({ kind: 'store', cell: c })),
    cell.map((c): Item => ({ kind: 'load', cell: c })),
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(send, access).map(([s, a]): Item => ({ kind: 'both', items: [s, a] })),
    },
    { weight: 3, arbitrary: access },
    { weight: 2, arbitrary: fc.constant<Item>({ kind: 'await' }) },
    { weight: 1, arbitrary: fc.constantFrom<Item>({ kind: 'clear' }, { kind: 'fence' }) },
    {
      weight: 1,
      arbitrary: fc
        .array(access, { minLength: 1, maxLength: 2 })
        .map((items): Item => ({ kind: 'block', items })),
    },
  );
}

function layOut(t: number, items: readonly Item[], isEndless: boolean): Thread {
  const transitions: Transition[] = [];
  let next = 0;
  const own = constant(sharedCells + t);
  const push = (from: number, to: number, instruction: Instruction): void =>
    void transitions.push({ from, to, instruction, origin: {} });
  const add = (instruction: Instruction): void => {
    push(next, next + 1, instruction);
    next++;
  };
  const lay = (item: Item): void => {
    switch (item.kind) {
      case 'receive': {
        add({ kind: 'load', into: received, address: own });
        return;
      }
      case 'await': {
        const start = next;
        add({ kind: 'load', into: received, address: own });
        push(next, start, { kind: 'assume', condition: unary('!', registerValue(received)) });
        add({ kind: 'assume', condition: registerValue(received) });
        return;
      }
      case 'clear': {
        add({ kind: 'store', address: own, value: constant(0) });
        return;
      }
      case 'swap': {
        const operation = { name: 'xchg' as const, operands: [constant(t)] as const };
        add({ kind: 'rmw', into: other, address: constant(0), operation });
        return;
      }
      case 'count': {
        add({ kind: 'load', into: other, address: constant(1) });
        const more = binary('+', registerValue(other), constant(1));
        add({
          kind: 'store',
          address: constant(1),
          value: binary('&', more, constant(3)),
        });
        return;
      }
      case 'fence': {
        add({ kind: 'fence' });
        return;
      }
      case 'send': {
        add({ kind: 'store', address: item.to, value: item.value });
        return;
      }
      case 'store': {
        add({ kind: 'store', address: constant(item.cell), value: registerValue(received) });
        return;
      }
      case 'load': {
        add({ kind: 'load', into: other, address: constant(item.cell) });
        return;
      }
      case 'both': {
        item.items.forEach(lay);
        return;
      }
      case 'block':
        add({ kind: 'lock' });
        item.items.forEach(lay);
        add({ kind: 'unlock' });
    }
  };
  items.forEach(lay);
  if (isEndless) push(next, 0, { kind: 'skip' });
  return {
    name: `t${t}`,
    registers: ['received', 'other'].map((name) => ({ name, hidden: false })),
    locations: Array.from({ length: next + 1 }, (_, l) => ({ name: `l${l}`, hidden: false })),
    initial: 0,
    transitions,
  };
}

/**
 * Returns small random programs whose threads send messages: each thread has a mailbox that only it
 * reads and the rest write, at fixed and at computed addresses; in addition a swapped cell and a
 * counting cell. With `loops`, threads may wait for messages or restart.
 */
export function randomMailboxes(
  maxThreads: number,
  maxItems: number,
  loops: boolean,
): fc.Arbitrary<Program> {
  return fc
    .integer({ min: 2, max: maxThreads })
    .chain((count) =>
      fc.array(
        fc.record({
          items: fc.array(itemArbitrary(count), { minLength: 1, maxLength: maxItems, size: 'max' }),
          isEndless: fc.boolean(),
        }),
        { minLength: count, maxLength: count },
      ),
    )
    .map((threads) => ({
      name: 'mailboxes',
      symbols: [],
      threads: threads.map(({ items, isEndless }, t) =>
        layOut(t, loops ? items : items.filter(({ kind }) => kind !== 'await'), loops && isEndless),
      ),
      properties: [],
    }));
}

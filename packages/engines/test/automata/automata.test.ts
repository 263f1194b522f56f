import { describe, expect, test } from 'vitest';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import { goalNode } from '@fencewright/ground/product/tables.js';
import { mark } from '../../src/automata/access-levels.js';
import { MarkedCells } from '../../src/automata/marked-cells.js';
import {
  createProgramAutomata,
  type ProgramAutomata,
} from '../../src/automata/program-automata.js';
import { noOwnership } from '../../src/automata/cell-ownership.js';
import { threadClasses } from '../../src/automata/thread-classes.js';
import { programOf } from '../robustness/native-program.js';

function automataOf(text: string): { program: Program; automata: ProgramAutomata } {
  const program = programOf(text);
  return {
    program,
    automata: createProgramAutomata(program, {
      symmetry: true,
      maskDeadRegisters: true,
      ownedCells: false,
      happensBefore: 'standard',
    }),
  };
}

/** Returns the automata of the first thread, and functions that describe their nodes. */
function firstThread(text: string) {
  const { program, automata } = automataOf(text);
  const { sequential, attacker, path } = automata.threads[0]!;
  const cellName = (cell: number): string =>
    cell < 0 ? 'lock' : formatAddress(program, automata.cells.address(cell));
  /** Returns the cell of a variable. */
  const cellOf = (name: string): number =>
    automata.cells.cell(program.symbols.find((symbol) => symbol.name === name)?.base ?? -1);
  /** Returns the actions possible at a node, such as `store x`. */
  const actionsAt = (node: number): string[] =>
    sequential.actions(node).map(({ cell, effect }) => `${effect.kind} ${cellName(cell)}`);
  const start = sequential.initialNodes().map(({ node }) => node);
  /** Returns the nodes after an action, if the action's cell holds `value`. */
  const after = (node: number, action: number, value = 0): number[] => {
    const cell = sequential.actions(node)[action]?.cell ?? -1;
    const id = cell < 0 ? 0 : automata.cells.id(cell, value);
    return sequential.outcomes(node, action, id).map(({ node: next }) => next);
  };
  return {
    automata,
    sequential,
    attacker,
    path,
    cellName,
    cellOf,
    actionsAt,
    after,
    start,
    first: start[0] ?? -1,
  };
}

describe('sequential automata', () => {
  test('nodes wait for memory; local steps in between are done at once', () => {
    const { first, start, actionsAt, after } = firstThread(
      'var x, y thread a { local r, q; r = 2; skip; x = r; fence; q = r + 1; y = q; }',
    );
    expect(start).toHaveLength(1);
    expect(actionsAt(first)).toEqual(['store x']);
    const [second = -1] = after(first, 0);
    expect(actionsAt(second)).toEqual(['store y']);
    expect(after(second, 0)).toEqual([0]);
    expect(actionsAt(0)).toEqual([]);
  });

  test('the outcome of a store is its value, that of a load depends on the cell', () => {
    const { automata, sequential, first, cellOf, actionsAt, after } = firstThread(
      'var x, y thread a { local r; x = 7; r = x; if (r == 7) { y = 1; } else { y = 2; } r = x; }',
    );
    const [stored] = sequential.outcomes(first, 0, 0);
    expect(automata.cells.value(cellOf('x'), stored?.value ?? -1)).toBe(7);
    const [second = -1] = after(first, 0);
    expect(actionsAt(second)).toEqual(['load x']);
    const [seven = -1] = after(second, 0, 7);
    const [other = -1] = after(second, 0, 5);
    expect(seven).not.toBe(other);
    // The register is dead after both stores, so they lead to the same node.
    expect(after(seven, 0)).toEqual(after(other, 0));
  });

  test('values that no later step tells apart lead to one node', () => {
    const { first, after } = firstThread('var x, y thread a { local r; r = x; r = y; y = r; }');
    expect(after(first, 0, 1)).toEqual(after(first, 0, 2));
  });

  test('choices give several nodes, dead ends none of their own', () => {
    const { start, actionsAt } = firstThread(
      'var x, y thread a { local r; choose { x = 1; } or { y = 1; } or { assume(r == 1); x = 2; } }',
    );
    // Either one location has both stores, or each store has its own location.
    expect(start.flatMap(actionsAt).sort()).toEqual(['store x', 'store y']);
  });

  test('a thread that only computes ends at once', () => {
    const { start, automata } = firstThread(
      'var x thread a { loop { skip; } } thread b { x = 1; }',
    );
    expect(start).toEqual([0]);
    expect(automata.isEndless()).toBe(false);
  });

  test('rmws read and write; a failing cas leaves the value', () => {
    const { automata, sequential, first, cellOf } = firstThread(
      'var x thread a { local r; r = cas(x, 0, 4); x = r; }',
    );
    const x = cellOf('x');
    const five = automata.cells.id(x, 5);
    const values = [0, five].map((id) => sequential.outcomes(first, 0, id)[0]?.value ?? -1);
    expect(values.map((id) => automata.cells.value(x, id))).toEqual([4, 5]);
    expect(sequential.outcomes(first, 0, 0)[0]?.node).not.toBe(
      sequential.outcomes(first, 0, five)[0]?.node,
    );
  });

  test('states in a lock block are exclusive and not stored', () => {
    const { sequential, first, actionsAt, after } = firstThread(
      'var x, y thread a { lock; x = 1; y = 1; unlock; x = 2; }',
    );
    expect(actionsAt(first)).toEqual(['lock lock']);
    expect([sequential.isExclusive(first), sequential.isTransient(first)]).toEqual([false, false]);
    const [inside = -1] = after(first, 0);
    expect([sequential.isExclusive(inside), sequential.isTransient(inside)]).toEqual([true, true]);
    const [further = -1] = after(inside, 0);
    const [outside = -1] = after(further, 0);
    expect([sequential.isExclusive(outside), sequential.isTransient(outside)]).toEqual([
      false,
      false,
    ]);
    expect(actionsAt(outside)).toEqual(['store x']);
  });

  test('where a loop closes in a lock block, states are stored', () => {
    const { sequential, first, after } = firstThread(
      'var x, y thread a { local r; lock; do { r = x; } while (r == 0); y = 1; unlock; }',
    );
    const [loop = -1] = after(first, 0);
    expect([sequential.isExclusive(loop), sequential.isTransient(loop)]).toEqual([true, false]);
    expect(after(loop, 0, 0)).toEqual([loop]);
    const [out = -1] = after(loop, 0, 1);
    expect([sequential.isExclusive(out), sequential.isTransient(out)]).toEqual([true, true]);
  });

  test('faults are noted, and the thread goes no further', () => {
    const { automata, first, after } = firstThread(
      'var x thread a { local r, q; r = x; q = 1 / r; x = q; }',
    );
    expect(after(first, 0, 1).every((node) => node > 0)).toBe(true);
    expect(automata.faults()).toEqual([]);
    expect(after(first, 0, 0)).toEqual([0]);
    expect(automata.faults()).toMatchObject([{ thread: 0, fault: 'division-by-zero' }]);
  });
});

describe('attackers', () => {
  const entered = (text: string) => {
    const thread = firstThread(text);
    const [entry] = thread.attacker.enter(thread.first, 0);
    const node = entry?.node ?? -1;
    const loadsAt = (at: number): string[] =>
      thread.attacker.loads(at).map(({ cell }) => thread.cellName(cell));
    return { ...thread, entry, node, loadsAt };
  };

  test('delay their stores and wait for a load from memory', () => {
    const { attacker, node, entry, loadsAt, cellOf } = entered(
      'var x, y, z thread a { local r; x = 1; z = 2; r = z; r = y; }',
    );
    expect(loadsAt(node)).toEqual(['y']);
    expect(attacker.target(node).cell).toBe(cellOf('x'));
    expect(entry?.path).toHaveLength(3);
  });

  test('go nowhere where the buffer has to be drained, or no load is left', () => {
    expect(entered('var x, y thread a { local r; x = 1; fence; r = y; }').entry).toBeUndefined();
    expect(entered('var x, y thread a { local r; x = 1; r = x; }').entry).toBeUndefined();
    expect(entered('var x, y thread a { x = 1; y = 1; }').entry).toBeUndefined();
  });

  test('read the newest own value', () => {
    const { node, loadsAt } = entered(
      'var x, y, z thread a { local r; x = 1; x = 2; r = x; if (r == 2) { r = y; } else { r = z; } }',
    );
    expect(loadsAt(node)).toEqual(['y']);
  });

  test('go on after a load according to its value', () => {
    const { automata, attacker, node, loadsAt, cellOf } = entered(
      'var x, y, z thread a { local r; x = 1; r = y; if (r == 5) { r = z; } }',
    );
    expect(attacker.outcomes(node, 0, 0)).toEqual([]);
    const five = automata.cells.id(cellOf('y'), 5);
    const [outcome] = attacker.outcomes(node, 0, five);
    // A load changes no memory.
    expect(outcome?.value).toBe(five);
    expect(loadsAt(outcome?.node ?? -1)).toEqual(['z']);
  });
});

describe('helpers in the last phase', () => {
  const text = 'var x, y, z thread a { local r; y = 1; r = z; r = x; lock; x = 1; unlock; }';

  /**
   * Returns the first node of a helper, which is not yet on the happens-before path, and a function
   * that takes the only action at a node. The function gets the mark of the accessed cell (its
   * access level after the attack's last load), and returns the next node and the cell's new mark.
   */
  function helper() {
    const { automata, path, first } = firstThread(text);
    const act = (node: number, itsMark: 0 | 1 | 2 | 3) => {
      const cell = path.actionCells(node)[0] ?? -1;
      const id = cell < 0 ? 0 : automata.marks.id(cell, 0, itsMark);
      const [outcome] = path.outcomes(node, 0, id);
      if (!outcome) return undefined;
      return {
        node: outcome.node,
        mark: cell < 0 ? mark.none : automata.marks.mark(cell, outcome.value),
      };
    };
    return { act, start: path.offPath(first) };
  }

  test('join only where the level allows it', () => {
    const { act, start } = helper();
    expect(act(start, mark.none)).toBeUndefined();
    expect(act(start, mark.target)).toBeUndefined();
    expect(act(start, mark.load)?.mark).toBe(mark.store);
    expect(act(start, mark.store)?.mark).toBe(mark.store);
  });

  test('on the path raise levels, which never fall', () => {
    const { act, start } = helper();
    const joined = act(start, mark.load)?.node ?? -1;
    expect(act(joined, mark.none)?.mark).toBe(mark.load);
    expect(act(joined, mark.load)?.mark).toBe(mark.load);
    expect(act(joined, mark.store)?.mark).toBe(mark.store);
  });

  test('reach the goal by an access to the target', () => {
    const { act, start } = helper();
    const joined = act(start, mark.load)?.node ?? -1;
    const further = act(joined, mark.none)?.node ?? -1;
    expect(act(further, mark.target)?.node).toBe(goalNode);
  });

  test('inside a lock block the goal waits for the unlock', () => {
    const { automata, path, first } = firstThread(
      'var x, y thread a { local r; y = 1; lock; r = x; if (r == 1) { x = 3; } unlock; }',
    );
    const level = (cell: number, itsMark: 0 | 1 | 2 | 3, value = 0): number =>
      automata.marks.id(cell, automata.cells.id(cell, value), itsMark);
    const [y = -1] = path.actionCells(path.offPath(first));
    const [joined] = path.outcomes(path.offPath(first), 0, level(y, mark.load));
    const [locked] = path.outcomes(joined?.node ?? -1, 0, 0);
    const x = path.actionCells(locked?.node ?? -1)[0] ?? -1;
    // If the load of x reads 0, the thread releases the lock at once. If the load reads 1, a store
    // comes first.
    expect(path.outcomes(locked?.node ?? -1, 0, level(x, mark.target))[0]?.node).toBe(goalNode);
    const [inside] = path.outcomes(locked?.node ?? -1, 0, level(x, mark.target, 1));
    expect(inside?.node).not.toBe(goalNode);
    expect(path.outcomes(inside?.node ?? -1, 0, level(x, mark.target, 1))[0]?.node).toBe(goalNode);
  });
});

describe('marked cells', () => {
  test('number pairs of value and mark for each cell, 0 first', () => {
    const marks = new MarkedCells();
    expect(marks.id(3, 0, mark.none)).toBe(0);
    const id = marks.id(3, 9, mark.store);
    expect(marks.id(3, 9, mark.store)).toBe(id);
    expect(marks.id(3, 9, mark.load)).not.toBe(id);
    expect([marks.value(3, id), marks.mark(3, id)]).toEqual([9, mark.store]);
    expect(marks.id(0, 9, mark.store)).toBe(1);
  });
});

describe('classes of threads', () => {
  const program = programOf(
    `var x, y
    thread a { local r; x = 1; r = y; }
    thread b { local r; x = 2; r = y; }
    thread c { local q; x = 1; q = y; }`,
  );

  test('names make no difference, instructions do', () => {
    expect(threadClasses(program, true, noOwnership(program))).toEqual([[0, 2], [1]]);
    expect(threadClasses(program, false, noOwnership(program))).toEqual([[0], [1], [2]]);
  });

  test('threads of a class share their automata', () => {
    const { threads } = createProgramAutomata(program, {
      symmetry: true,
      maskDeadRegisters: true,
      ownedCells: false,
      happensBefore: 'standard',
    });
    expect(threads[0]).toBe(threads[2]);
    expect(threads[0]).not.toBe(threads[1]);
  });
});

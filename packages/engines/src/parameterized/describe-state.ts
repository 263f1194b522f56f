import { canonicalJson } from '@fencewright/ground/base/canonical-json.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Configuration } from '@fencewright/ground/petri/counter-system.js';
import { entriesOf, omega } from '@fencewright/ground/petri/marking.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { LocalState } from '../automata/local-closure.js';
import type { AttackSystem, CellContents, Control } from './attack-system.js';

type CellValue = readonly [address: number, value: number];

/**
 * The local state of a waiting thread, in a certificate: `thread` is the first of the threads with
 * equal code. Registers that no longer matter are 0.
 */
interface WrittenThread {
  readonly thread: ThreadId;
  readonly location: number;
  readonly registers: readonly number[];
}

/**
 * The first delayed store of an attack, in a certificate; `value` is present if the notion of
 * happens-before depends on values.
 */
interface WrittenDelay {
  readonly address: number;
  readonly value?: number;
}

/**
 * A set of states of an attack on all instances, in a certificate, as described in
 * docs/parameterised.md: memory and attacker are as given, and at each place at most `count`
 * threads wait. Cells left out hold their initial values.
 */
export interface WrittenElement {
  readonly phase: 'before' | 'delaying' | 'path';
  readonly memory: readonly CellValue[];
  readonly threads: readonly (WrittenThread & {
    readonly onPath?: true;
    readonly count: number | 'any';
  })[];
  readonly attacker?: WrittenThread & {
    readonly buffer: readonly CellValue[];
    readonly delayed: WrittenDelay;
  };
  /**
   * Only after the attack's last load: for each cell, the values that accesses on the
   * happens-before path read and wrote, and whether the last store is on the path.
   */
  readonly marks?: readonly (readonly [
    address: number,
    seen: number | 'many',
    isStored: boolean,
  ])[];
  readonly delayed?: WrittenDelay;
}

type Described = Exclude<Control, { readonly phase: 'goal' }>;

/**
 * Describes the controls and places of an attack system in terms of the program, without the
 * numbers of the search.
 */
class StateDescription {
  readonly #system: AttackSystem;

  constructor(system: AttackSystem) {
    this.#system = system;
  }

  control(control: Described): Omit<WrittenElement, 'threads'> {
    const { phase, cells } = control;
    if (phase === 'path') return this.#path(cells);
    const memory = this.#memory(cells, (id) => id);
    if (phase === 'before') return { phase, memory };
    return { phase, memory, attacker: this.#attacker(control) };
  }

  /**
   * Returns the local state of the threads at a place; `undefined` for threads that have not yet
   * chosen how to start.
   */
  place(number: number): Omit<WrittenElement['threads'][number], 'count'> | undefined {
    const place = this.#system.place(number);
    if (place.kind === 'start') return undefined;
    const { sequential, path } = this.#system.templates.classes[place.class]!.automata;
    const helper = place.kind === 'on-path' ? path.helper(place.node) : undefined;
    const local = sequential.local(helper ? helper.sequential : place.node);
    if (!local) throw new InternalError('a thread that has ended stands nowhere');
    return { ...this.#local(place.class, local), ...(helper?.onPath && { onPath: true }) };
  }

  #local(own: number, { location, registers }: LocalState): WrittenThread {
    const { all, pairs } = this.#system.templates;
    return { thread: pairs.templateOf[all.classes[own]![0]!]!, location, registers };
  }

  #memory(
    cells: CellContents,
    valueOf: (id: number, cell: number) => number,
  ): readonly CellValue[] {
    const { cells: directory } = this.#system.templates.all;
    return cells
      .flatMap((id, cell): CellValue[] => {
        const value = valueOf(id, cell);
        return value === 0 ? [] : [[directory.address(cell), directory.value(cell, value)]];
      })
      .sort(([a], [b]) => a - b);
  }

  #path(ids: CellContents): Omit<WrittenElement, 'threads'> {
    const { cells, marks, levels } = this.#system.templates.all;
    const described = ids.map((id, cell) => {
      const value = cells.value(cell, marks.value(cell, id));
      return {
        cell,
        address: cells.address(cell),
        value,
        ...levels.describe(marks.mark(cell, id)),
      };
    });
    const target = described.find((cell) => cell.target);
    if (!target?.target) throw new InternalError('no store was delayed');
    const { value } = target.target;
    return {
      phase: 'path',
      memory: this.#memory(ids, (id, cell) => marks.value(cell, id)),
      marks: described.flatMap(({ address, level, value }) => {
        if (level === 'none') return [];
        const isOne = level !== 'mixed' && levels.countsValues;
        return [[address, isOne ? value : 'many', level !== 'load'] as const];
      }),
      delayed: {
        address: target.address,
        ...(value !== undefined && { value: cells.value(target.cell, value) }),
      },
    };
  }

  #attacker({ job, node }: Extract<Control, { readonly phase: 'delaying' }>) {
    const { job: asked, automaton } = this.#system.attacker(job);
    const { cells, levels } = this.#system.templates.all;
    const state = automaton.delaying(node);
    if (!state) throw new InternalError('an attacker stands nowhere');
    const { cell, mark } = state.target;
    const value = levels.describe(mark).target?.value;
    return {
      ...this.#local(asked.class, state),
      buffer: state.buffer,
      delayed: {
        address: cells.address(cell),
        ...(value !== undefined && { value: cells.value(cell, value) }),
      },
    };
  }
}

/**
 * Writes an invariant of an attack system for a certificate, without numbers of the search; no
 * thread of the system owns cells. Elements inside lock blocks are left out, since a block is one
 * step, and so are threads that have not yet chosen how to start.
 */
export function writeInvariant(
  system: AttackSystem,
  invariant: readonly Configuration[],
): readonly WrittenElement[] {
  const describe = new StateDescription(system);
  const written = invariant.flatMap(({ control: number, marking }): WrittenElement[] => {
    const control = system.control(number);
    if (control.phase === 'goal' || control.holder) return [];
    const threads = entriesOf(marking).flatMap(([place, count]) => {
      const thread = describe.place(place);
      return thread ? [{ ...thread, count: count === omega ? ('any' as const) : count }] : [];
    });
    return [{ ...describe.control(control), threads }];
  });
  const different = new Map(written.map((element) => [canonicalJson(element), element]));
  return [...different.values()];
}

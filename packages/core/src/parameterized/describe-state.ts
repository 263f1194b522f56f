import { InternalError } from '../base/unreachable.js';
import { formatAddress } from '../program/format.js';
import type { TransitionId } from '../program/ids.js';
import type { Mark } from '../search/access-levels.js';
import type { LocalState } from '../search/local-closure.js';
import type { AttackSystem, Control, Holder, Place } from './attack-system.js';

/** Where a thread stands; `thread` names the templates that share its code. */
export interface DescribedThread {
  readonly thread: string;
  /** Absent for a thread that is about to start. */
  readonly at?: string;
  /** `r=1` for each register, in order; behind them the cells that only this thread accesses. */
  readonly registers?: readonly string[];
  /** Present for a thread on the happens-before path, and for one inside a lock block. */
  readonly path?: 'on' | 'off';
  readonly holdsLock?: true;
  /** The lock block met the target. */
  readonly metTarget?: true;
  /** What the cells are that the lock block accessed, would it not be on the path. */
  readonly outer?: readonly string[];
}

/** The attacker between its first delayed store and its last load. */
export interface DescribedAttacker {
  readonly thread: string;
  readonly at: string;
  readonly registers: readonly string[];
  /** The newest value of each address. */
  readonly buffer: readonly string[];
  readonly delayed: string;
  /** The loads that may end the attack. */
  readonly loads: readonly TransitionId[];
}

/** Memory, phase, attacker and the holder of the bus lock: what is no counter. */
export interface DescribedControl {
  readonly phase: Control['phase'];
  /** `x=1` for each cell that is not as at the start, by address; in the last phase with its access level. */
  readonly memory: readonly string[];
  readonly holder?: DescribedThread;
  readonly attacker?: DescribedAttacker;
}

/** The names, with their numbers behind them if some are the same. */
function toldApart(names: readonly string[]): readonly string[] {
  return new Set(names).size === names.length ? names : names.map((name, i) => `${name}#${i}`);
}

/** Says what the numbers of a system stand for, so that it means the same in any system of the program; different for different numbers. */
export class StateDescription {
  readonly #system: AttackSystem;
  /** Indexed by class. */
  readonly #names: readonly string[];
  /** Indexed by class, then by location. */
  readonly #locations: readonly (readonly string[])[];

  constructor(system: AttackSystem) {
    this.#system = system;
    const { program, classOf, all, pairs } = system.templates;
    const names = toldApart(program.templates.threads.map(({ name }) => name));
    this.#names = all.classes.map((_, own) =>
      names.filter((_, thread) => classOf[thread] === own).join(', '),
    );
    this.#locations = all.classes.map(([member = 0]) =>
      toldApart((pairs.program.threads[member]?.locations ?? []).map(({ name }) => name)),
    );
  }

  control(number: number): DescribedControl {
    const control = this.#system.control(number);
    if (control.phase === 'goal') return { phase: 'goal', memory: [] };
    const { phase, holder } = control;
    return {
      phase,
      memory: this.#memory(control),
      ...(holder && { holder: this.#holder(control, holder) }),
      ...(control.phase === 'delaying' && { attacker: this.#attacker(control) }),
    };
  }

  place(number: number): DescribedThread {
    const place: Place = this.#system.place(number);
    switch (place.kind) {
      case 'start':
        return { thread: this.#names[place.class]! };
      case 'off-path':
        return this.#sequential(place);
      case 'on-path':
        return this.#helper(place);
    }
  }

  #address(cell: number): string {
    const { all, program } = this.#system.templates;
    return formatAddress(program.templates, all.cells.address(cell));
  }

  #markName(cell: number, itsMark: Mark): string {
    const { levels, cells } = this.#system.templates.all;
    return levels.nameOf(itsMark, (id) => cells.value(cell, id));
  }

  #memory({ phase, cells }: Exclude<Control, { readonly phase: 'goal' }>): readonly string[] {
    const { cells: directory, marks } = this.#system.templates.all;
    const changed = cells.flatMap((id, cell) => (id === 0 ? [] : [{ id, cell }]));
    return changed
      .sort((a, b) => directory.address(a.cell) - directory.address(b.cell))
      .map(({ id, cell }) => {
        if (phase !== 'path') return `${this.#address(cell)}=${directory.value(cell, id)}`;
        const value = directory.value(cell, marks.value(cell, id));
        return `${this.#address(cell)}=${value} ${this.#markName(cell, marks.mark(cell, id))}`;
      });
  }

  #holder({ phase }: Control, holder: Holder): DescribedThread {
    return phase === 'path' ? this.#helper(holder) : this.#sequential(holder);
  }

  #local(own: number, { location, registers, holdsLock }: LocalState) {
    const { all, pairs } = this.#system.templates;
    const thread = pairs.program.threads[all.classes[own]![0]!]!;
    const named = (value: number, r: number): string =>
      `${thread.registers[r]?.name ?? `own ${r - thread.registers.length}`}=${value}`;
    return {
      thread: this.#names[own]!,
      at: this.#locations[own]![location]!,
      registers: registers.map(named),
      ...(holdsLock && { holdsLock: true as const }),
    };
  }

  #sequential({ class: own, node }: Holder): DescribedThread {
    const local = this.#system.templates.classes[own]!.automata.sequential.local(node);
    if (!local) throw new InternalError('a thread that has ended stands nowhere');
    return this.#local(own, local);
  }

  #helper({ class: own, node }: Holder): DescribedThread {
    const { path } = this.#system.templates.classes[own]!.automata;
    const helper = path.helper(node);
    if (!helper) throw new InternalError('a helper stands nowhere');
    const { sequential, onPath, targetAccessed, outer } = helper;
    return {
      ...this.#sequential({ class: own, node: sequential }),
      path: onPath ? 'on' : 'off',
      ...(targetAccessed && { metTarget: true as const }),
      ...(outer.length > 0 && {
        outer: outer.map(
          ([cell, itsMark]) => `${this.#address(cell)} ${this.#markName(cell, itsMark)}`,
        ),
      }),
    };
  }

  #attacker({ job, node, loads }: Control & { readonly phase: 'delaying' }): DescribedAttacker {
    const { job: asked, automaton } = this.#system.attacker(job);
    const state = automaton.delaying(node);
    if (!state) throw new InternalError('an attacker stands nowhere');
    const { program } = this.#system.templates;
    return {
      ...this.#local(asked.class, state),
      buffer: state.buffer.map(
        ([address, value]) => `${formatAddress(program.templates, address)}=${value}`,
      ),
      delayed: `${this.#address(state.target.cell)} ${this.#markName(state.target.cell, state.target.mark)}`,
      loads: [...this.#system.loadSet(loads)].sort((a, b) => a - b),
    };
  }
}

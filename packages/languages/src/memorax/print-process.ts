import { at } from '@fencewright/ground/base/at.js';
import { transitionsFrom } from '@fencewright/model/program/leaving.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { Thread, Transition } from '@fencewright/model/program/program.js';
import { onlyNext } from '@fencewright/model/program/joints.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import {
  type MemoraxPrinter,
  printInstruction,
  printLockedBlock,
  type ProcessPrinter,
} from './print-instruction.js';
import { spellable } from './spelling.js';

/** A process as text, and the labels of its locations. */
export interface PrintedProcess {
  readonly registers: readonly string[];
  readonly statements: readonly string[];
  /**
   * Returns the label of a location in the printed process; `undefined` for an unreachable
   * location.
   */
  readonly labelOf: (location: LocationId) => string | undefined;
}

/** Instructions that a block under the bus lock may contain. */
const plain = ['load', 'store', 'assign', 'assume', 'skip'];

class ProcessText {
  readonly #thread: Thread;
  readonly #labels: readonly string[];
  /** The locations that need labels: targets of jumps, and locations requested by the caller. */
  readonly #asked: Set<LocationId>;
  readonly #printer: ProcessPrinter;
  readonly #registers: string[];
  /** By location, the statements written for it so far, in the order of the text. */
  readonly #written = new Map<LocationId, readonly string[]>();
  readonly #ends = new Set<LocationId>();

  constructor(printer: MemoraxPrinter, thread: Thread, asked: ReadonlySet<LocationId>) {
    this.#thread = thread;
    this.#asked = new Set(asked);
    this.#labels = new UniqueNames(
      thread.locations.map(({ name }) => name),
      { repair: spellable },
    ).names;
    const registers = new UniqueNames(
      thread.registers.map(({ name }) => name),
      { repair: spellable },
    );
    this.#registers = registers.names.map((name) => `$${name}`);
    let spare: string | undefined;
    this.#printer = {
      ...printer,
      nameOf: (register: RegisterId) => at(this.#registers, register),
      spare: () => {
        if (spare === undefined) {
          spare = `$${registers.fresh('old')}`;
          this.#registers.push(spare);
        }
        return spare;
      },
    };
  }

  print(): PrintedProcess {
    const pending = [this.#thread.initial];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      if (!this.#written.has(next)) this.#path(next, pending);
    // An ended process stays at its end.
    const ends = [...this.#ends];
    ends.forEach((location, i) => {
      if (i < ends.length - 1) this.#written.set(location, ['assume: false']);
      else if (this.#asked.has(location)) this.#written.set(location, ['nop']);
    });
    const statements = [...this.#written].flatMap(([location, [first = 'nop', ...others]]) => {
      const hasName = this.#thread.locations[location]?.hidden === false;
      const isLabelled = hasName || this.#asked.has(location);
      return [isLabelled ? `${this.#labels[location]}: ${first}` : first, ...others];
    });
    return {
      registers: this.#registers,
      statements: statements.length > 0 ? statements : ['nop'],
      labelOf: (location) => (this.#written.has(location) ? this.#labels[location] : undefined),
    };
  }

  #leaving(location: LocationId): readonly Transition[] {
    return transitionsFrom(this.#thread, location);
  }

  /**
   * Writes one path until its end or a location already written; the starts of further paths are
   * put into `pending`.
   */
  #path(start: LocationId, pending: LocationId[]): void {
    for (let at = start; ;) {
      const [first, ...others] = this.#leaving(at);
      if (!first) {
        this.#ends.add(at);
        return;
      }
      this.#written.set(at, []);
      if (others.length > 0) {
        const ways = [first, ...others].map((transition) => {
          const [statement, to] = this.#step(transition);
          pending.push(to);
          return `${statement}; ${this.#goto(to)}`;
        });
        this.#written.set(at, [`either { ${ways.join(' or ')} }`]);
        return;
      }
      const [statement, to] = this.#step(first);
      const isEnd = this.#leaving(to).length === 0;
      // The last path may simply end.
      const isLast =
        isEnd && this.#ends.size === 0 && pending.every((other) => this.#isDone(other));
      const goesOn = isLast || (!isEnd && !this.#written.has(to));
      this.#written.set(at, goesOn ? [statement] : [statement, this.#goto(to)]);
      if (isEnd) this.#ends.add(to);
      if (!goesOn || isEnd) return;
      at = to;
    }
  }

  #isDone(location: LocationId): boolean {
    return this.#written.has(location) || this.#ends.has(location);
  }

  #goto(to: LocationId): string {
    this.#asked.add(to);
    return `goto ${this.#labels[to]}`;
  }

  /**
   * Returns the statement for a transition, and its target; a block under the bus lock is one
   * statement.
   */
  #step(transition: Transition): readonly [statement: string, to: LocationId] {
    const block = this.#lockedBlock(transition);
    if (block) {
      const body = block.body.map(({ instruction, origin }) => ({
        instruction,
        span: origin.span,
      }));
      return [printLockedBlock(this.#printer, body), block.to];
    }
    const { instruction, origin, to } = transition;
    return [printInstruction(this.#printer, instruction, origin.span), to];
  }

  #lockedBlock(
    lock: Transition,
  ): { readonly body: readonly Transition[]; readonly to: LocationId } | undefined {
    if (lock.instruction.kind !== 'lock') return undefined;
    const body: Transition[] = [];
    for (let next = onlyNext(this.#thread, lock); next; next = onlyNext(this.#thread, next)) {
      if (next.instruction.kind === 'unlock')
        return body.length > 0 ? { body, to: next.to } : undefined;
      if (!plain.includes(next.instruction.kind)) return undefined;
      body.push(next);
    }
    return undefined;
  }
}

/** Returns the printed process of a thread; `asked` are locations that must have labels. */
export function printProcess(
  printer: MemoraxPrinter,
  thread: Thread,
  asked: ReadonlySet<LocationId>,
): PrintedProcess {
  return new ProcessText(printer, thread, asked).print();
}

import type { Body, EventInstruction } from '@fencewright/model/program/event-program.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import { formatMarks, writeInstruction } from '@fencewright/model/program/format.js';
import type { LocationId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Transition } from '@fencewright/model/program/program.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { expressionPrinter } from './print-expression.js';
import type { PrintedNames, PrintedThreadNames } from './print-names.js';

/** Thrown at a `lock` in an automaton that no atomic block of the structured form can express. */
export class NoBlock extends Error {
  override readonly name = 'NoBlock';
  readonly span: Span | undefined;

  constructor(span: Span | undefined) {
    super('no atomic block');
    this.span = span;
  }
}

/**
 * The lines of a printed statement, and the location after the statement; `undefined` if control
 * never gets there.
 */
interface PrintedStatement {
  readonly lines: readonly string[];
  readonly target: LocationId | undefined;
}

/**
 * The locations of a region under the bus lock, from a `lock` to the matching `unlock`, and this
 * `unlock`; absent if the region never ends.
 */
interface Region {
  /**
   * The locations of the region under the bus lock: the first is its start, the last is its end if
   * the region ends.
   */
  readonly locations: readonly LocationId[];
  readonly unlock: Transition<EventInstruction> | undefined;
}

/** Prints the automaton of an event or a procedure in the structured form, with labels and goto. */
export class BodyPrinter {
  readonly #body: Body;
  readonly #names: PrintedNames;
  readonly #own: PrintedThreadNames;
  readonly #value: (expression: Expression) => string;
  readonly #isWeak: ReadonlySet<TransitionId>;
  /**
   * By location, the transitions leaving it, without `unlock` and without the failures of weak
   * rmws.
   */
  readonly #leaving = new Map<LocationId, TransitionId[]>();
  readonly #jumps = new Set<LocationId>();

  /** `names` are the names of the whole program, `own` the names inside the body. */
  constructor(body: Body, names: PrintedNames, own: PrintedThreadNames) {
    this.#body = body;
    this.#names = names;
    this.#own = own;
    this.#value = expressionPrinter(names, own).value;
    const weak = findWeakRmws(body);
    this.#isWeak = new Set(weak.map(({ rmw }) => rmw));
    const failures = new Set(weak.flatMap(({ fence, result }) => [fence, result]));
    body.transitions.forEach(({ from, instruction }, id) => {
      if (!failures.has(id) && instruction.kind !== 'unlock')
        this.#leaving.set(from, [...this.#leavingOf(from), id]);
    });
  }

  print(): readonly string[] {
    const order = this.#order();
    // The first pass finds out which labels jumps lead to.
    this.#code(order);
    const code = this.#code(order);
    // A body that starts at its end may still have labels, all unreachable.
    return order[0] === this.#body.initial ? code : ['return;', ...code];
  }

  /**
   * Returns the locations outside atomic blocks in the order to print them: the start first, ends
   * last.
   */
  #order(): readonly LocationId[] {
    const { initial, transitions, locations } = this.#body;
    const regions = transitions.flatMap((transition) =>
      transition.instruction.kind === 'lock' ? [this.#region(transition)] : [],
    );
    const locked = new Set(regions.flatMap((region) => region.locations));
    const unlocks = regions.map(({ unlock }) => unlock);
    const stray = transitions.find(
      (transition) => transition.instruction.kind === 'unlock' && !unlocks.includes(transition),
    );
    if (stray) throw new NoBlock(stray.origin.span);
    const mentioned = [
      ...this.#followed(initial),
      ...transitions.flatMap(({ from, to }) => [from, to]),
    ];
    const named = [...locations.keys()].filter((location) => !locations[location]!.hidden);
    const open = [...new Set([...mentioned, ...named])].filter(
      (location) => !locked.has(location) && (this.#isShown(location) || this.#isEnd(location)),
    );
    const ends = open.filter((location) => this.#isEnd(location));
    return [...open.filter((location) => !this.#isEnd(location)), ...ends];
  }

  /**
   * Returns the reachable locations from a start, each if possible directly after a predecessor in
   * the order.
   */
  #followed(start: LocationId): Iterable<LocationId> {
    const seen = new Set<LocationId>();
    for (const stack = [start]; stack.length > 0;) {
      const location = stack.pop()!;
      if (seen.has(location)) continue;
      seen.add(location);
      const targets = this.#leavingOf(location).map((id) => {
        const transition = this.#body.transitions[id]!;
        return transition.instruction.kind === 'lock'
          ? this.#region(transition).unlock?.to
          : transition.to;
      });
      stack.push(...targets.filter((target) => target !== undefined).toReversed());
    }
    return seen;
  }

  #leavingOf(location: LocationId): readonly TransitionId[] {
    return this.#leaving.get(location) ?? [];
  }

  /** Whether the location is printed; the locations inside a weak rmw are not. */
  #isShown(location: LocationId): boolean {
    return this.#leavingOf(location).length > 0;
  }

  #isEnd(location: LocationId): boolean {
    return !this.#body.transitions.some(({ from }) => from === location);
  }

  #code(order: readonly LocationId[]): readonly string[] {
    return order.flatMap((location, i) => this.#at(location, order[i + 1]));
  }

  /** Returns the printed text of a location; `next` is the location printed after it. */
  #at(location: LocationId, next: LocationId | undefined): readonly string[] {
    const { name, hidden } = { ...this.#body.locations[location]!, name: this.#label(location) };
    const isLabelled = !hidden || this.#jumps.has(location);
    const label = isLabelled && !this.#isMilestone(location, name) ? `${name}: ` : '';
    const steps = this.#leavingOf(location).map((id) => this.#step(id));
    const [only] = steps;
    if (!only) return label === '' ? [] : [label.trimEnd()];
    const statement =
      steps.length === 1
        ? this.#withJump(only, next)
        : [
            ...steps.flatMap((step, i) => [
              i === 0 ? 'choose {' : '} or {',
              ...indented(this.#withJump(step, next)),
            ]),
            '}',
          ];
    return [label + statement[0]!, ...statement.slice(1)];
  }

  /**
   * Whether the label `name` of a location is also the label of a milestone (which a task passes
   * before an event starts) at this location, and is printed with the milestone.
   */
  #isMilestone(location: LocationId, name: string): boolean {
    return this.#leavingOf(location).some((id) => {
      const { instruction } = this.#body.transitions[id]!;
      return instruction.kind === 'pass' && this.#names.milestones[instruction.milestone] === name;
    });
  }

  #label(location: LocationId): string {
    return this.#own.locations[location]!;
  }

  #withJump({ lines, target }: PrintedStatement, next: LocationId | undefined): readonly string[] {
    if (target === undefined || target === next) return lines;
    this.#jumps.add(target);
    return [...lines, `goto ${this.#label(target)};`];
  }

  #step(id: TransitionId): PrintedStatement {
    const transition = this.#body.transitions[id]!;
    const { instruction, to } = transition;
    const marks = formatMarks(transition);
    if (instruction.kind !== 'lock')
      return {
        lines: [`${marks}${this.#statement(transition, this.#isWeak.has(id))};`],
        target: to,
      };
    const { locations, unlock } = this.#region(transition);
    const lines = [`${marks}atomic {`, ...indented(this.#code(locations)), '}'];
    return { lines, target: unlock?.to };
  }

  /**
   * Returns the region that a `lock` locks; throws `NoBlock` if no atomic block can express the
   * region.
   */
  #region(lock: Transition<EventInstruction>): Region {
    const { transitions } = this.#body;
    const locations = new Set([lock.to]);
    const unlocks: Transition<EventInstruction>[] = [];
    for (const location of locations)
      for (const transition of transitions) {
        if (transition.from !== location) continue;
        if (transition.instruction.kind === 'unlock') unlocks.push(transition);
        else if (['lock', 'call', 'post'].includes(transition.instruction.kind))
          throw new NoBlock(lock.origin.span);
        else locations.add(transition.to);
      }
    const [unlock, ...others] = unlocks;
    const last = unlock && this.#body.transitions.filter(({ from }) => from === unlock.from);
    const isEntered = transitions.some(
      (one) => one !== lock && locations.has(one.to) && !locations.has(one.from),
    );
    if (others.length > 0 || (last && last.length > 1) || isEntered || locations.has(lock.from))
      throw new NoBlock(lock.origin.span);
    const inner = [...this.#followed(lock.to)].filter(
      (location) => location !== unlock?.from && this.#isShown(location),
    );
    return { locations: unlock ? [...inner, unlock.from] : inner, unlock };
  }

  #cell(address: Expression): string {
    const text = this.#value(address);
    return address.kind === 'address' || address.kind === 'element'
      ? text.slice(1)
      : `mem[${text}]`;
  }

  #statement({ instruction, origin }: Transition<EventInstruction>, isWeak: boolean): string {
    const { registers } = this.#own;
    const values = (expressions: readonly Expression[]) => expressions.map(this.#value).join(', ');
    switch (instruction.kind) {
      case 'call':
        return `call ${this.#name(instruction.body)}(${values(instruction.arguments)})`;
      case 'post': {
        const { body, to } = instruction;
        return `async[${to}] ${this.#name(body)}(${values(instruction.arguments)})`;
      }
      case 'pass':
        return `${this.#names.milestones[instruction.milestone]!}: `;
      case 'lock':
      case 'unlock':
        throw new NoBlock(origin.span);
      default:
        return writeInstruction(instruction, {
          becomes: '=',
          fence: 'fence',
          register: (register) => registers[register]!,
          cell: (address) => this.#cell(address),
          value: this.#value,
          test: (kind, condition) => `${kind} ${condition}`,
          isWeak,
        });
    }
  }

  #name(body: number): string {
    return this.#names.threads[body]!.name;
  }
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

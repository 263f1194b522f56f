import { valueAt } from '@fencewright/ground/base/at.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Instruction, RmwInstruction } from '@fencewright/model/program/instruction.js';
import type {
  InstrumentedStep,
  InstrumentedInstruction,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import type {
  Domain,
  Location,
  Program,
  Register,
  StateExpression,
  Thread,
  Transition,
} from '@fencewright/model/program/program.js';
import { outcomesOf } from '@fencewright/model/program/rmw.js';
import { mapInstruction } from '@fencewright/model/program/rewrite.js';
import { flattenSpaces, type FlatMemory } from './flatten-spaces.js';
import { foldBlocks } from '@fencewright/model/analysis/fold-blocks.js';
import type { Instrumented } from './instrument.js';

/** An instrumented program in the language of ordinary programs. */
export interface Lowered {
  /** The lowered program, with one property: no goal is reached. */
  readonly program: Program;
  /**
   * The locations named `goal`. Some goal is reachable under SC iff a goal of the instrumented
   * program is.
   */
  readonly goals: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
}

/** A location of a thread, together with the answer whether the thread holds the bus lock there. */
interface Position {
  readonly location: LocationId;
  readonly held: boolean;
}

/**
 * The instructions that replace one transition of the instrumented thread, between two positions.
 */
interface Chain {
  readonly from: Position;
  readonly to: Position;
  readonly instructions: readonly Instruction[];
  readonly origin: Transition['origin'];
}

const lock: Instruction = { kind: 'lock' };
const unlock: Instruction = { kind: 'unlock' };

function isInside({ low, high }: Domain, value: Expression): Expression {
  if (value.kind === 'constant') return constant(value.value >= low && value.value <= high ? 1 : 0);
  return binary('&&', binary('<=', constant(low), value), binary('<=', value, constant(high)));
}

/** Returns the step, to be executed only if the condition holds; otherwise the execution ends. */
function after(condition: Expression, step: InstrumentedStep): readonly InstrumentedStep[] {
  return condition.kind === 'constant' && condition.value !== 0
    ? [step]
    : [{ kind: 'assume', condition }, step];
}

/**
 * Returns the steps of the rmw for each of its outcomes: a load into the register `old`, the
 * conditions of the outcome, and its store, which has to lie in the domain. An rmw in their place
 * would read anew, and its value could be anything for analyses of one thread alone.
 */
function splitByOutcome(
  domain: Domain,
  { operation, address, into }: RmwInstruction,
  old: RegisterId,
): readonly (readonly InstrumentedStep[])[] {
  const read = registerValue(old);
  return outcomesOf(operation, read).map(({ conditions, written, result }) => [
    { kind: 'load', into: old, address },
    ...conditions.map((condition): InstrumentedStep => ({ kind: 'assume', condition })),
    ...(written
      ? after(isInside(domain, written), { kind: 'store', address, value: written })
      : []),
    ...(into === undefined ? [] : [{ kind: 'assign', into, value: result } as const]),
    { kind: 'assign', into: old, value: constant(0) },
  ]);
}

function isStore({ kind }: InstrumentedStep): boolean {
  return kind === 'store' || kind === 'rmw' || kind === 'auxiliary-store';
}

/**
 * Whether other threads could notice or disturb the step's access. Delayed stores and their values
 * belong to the attacker alone: no other thread reads `pending` and `buffer`.
 */
function isShared(step: InstrumentedStep): boolean {
  switch (step.kind) {
    case 'store':
    case 'load':
    case 'rmw':
      return true;
    case 'auxiliary-load':
    case 'auxiliary-store':
      return step.space === 'level' || step.space === 'control';
    default:
      return false;
  }
}

/** Converts the instructions of one instrumented thread to ordinary instructions. */
class ThreadLowering {
  readonly #thread: Thread<InstrumentedInstruction>;
  readonly #goal: LocationId | undefined;
  readonly #memory: FlatMemory;
  readonly #domain: Domain | undefined;
  readonly registers: Register[];
  #old: RegisterId | undefined;

  constructor(
    thread: Thread<InstrumentedInstruction>,
    goal: LocationId | undefined,
    memory: FlatMemory,
    domain: Domain | undefined,
  ) {
    this.#thread = thread;
    this.#goal = goal;
    this.#memory = memory;
    this.#domain = domain;
    this.registers = [...thread.registers];
  }

  /**
   * Returns the instructions for every transition that can be taken, separately with and without
   * the bus lock.
   */
  chains(): { readonly positions: readonly Position[]; readonly chains: readonly Chain[] } {
    const { initial, transitions } = this.#thread;
    const chains: Chain[] = [];
    const positions: Position[] = [{ location: initial, held: false }];
    const seen = new Set([`${initial}.false`]);
    // Additions during the iteration are visited too.
    for (const from of positions)
      for (const { from: location, to, instruction, origin } of transitions) {
        if (location !== from.location) continue;
        for (const spelt of this.#spell(instruction, from.held, to === this.#goal)) {
          const target: Position = { location: to, held: spelt.held };
          chains.push({ from, to: target, instructions: spelt.instructions, origin });
          if (seen.has(`${to}.${spelt.held}`)) continue;
          seen.add(`${to}.${spelt.held}`);
          positions.push(target);
        }
      }
    return { positions, chains };
  }

  /**
   * Returns the sequences of ordinary instructions for an instruction, one of which is executed;
   * none if it blocks for ever: a second lock, or an unlock without a lock. The bus lock is
   * released at a goal (`isGoal`).
   */
  #spell(
    instruction: InstrumentedInstruction,
    held: boolean,
    isGoal: boolean,
  ): readonly { readonly instructions: readonly Instruction[]; readonly held: boolean }[] {
    const steps = instruction.kind === 'block' ? instruction.steps : [instruction];
    const locks = steps.some(({ kind }) => kind === 'lock');
    const unlocks = steps.some(({ kind }) => kind === 'unlock');
    if ((locks && held) || (unlocks && !held)) return [];
    return this.#checked(steps).map((checked) => {
      const instructions = checked.map((step) => this.#flatten(step));
      if (locks && isGoal) return { instructions: [...instructions, unlock], held: false };
      if (locks || unlocks) return { instructions, held: locks };
      // A single load is atomic anyway, and a thread holding the lock runs alone. No store waits in
      // a store buffer, so TSO adds nothing.
      const isPlain = checked.filter(isShared).length < 2 && !checked.some(isStore);
      if (held || isPlain) return { instructions, held };
      return { instructions: [lock, ...instructions, unlock], held };
    });
  }

  /** Returns the sequences of steps, one of which is executed, with the domain checked. */
  #checked(steps: readonly InstrumentedStep[]): readonly (readonly InstrumentedStep[])[] {
    return steps.reduce<readonly (readonly InstrumentedStep[])[]>(
      (ways, step) =>
        this.#checkDomain(step).flatMap((more) => ways.map((way) => [...way, ...more])),
      [[]],
    );
  }

  /**
   * Returns the sequences of steps for the step, one of which is executed, with an assumption in
   * place of the domain check: a failing assumption ends the execution like a fault, whereas the
   * domain itself would reject auxiliary values.
   */
  #checkDomain(step: InstrumentedStep): readonly (readonly InstrumentedStep[])[] {
    const domain = this.#domain;
    if (!domain) return [[step]];
    switch (step.kind) {
      case 'store':
        return [after(isInside(domain, step.value), step)];
      case 'auxiliary-store':
        return [step.space === 'buffer' ? after(isInside(domain, step.value), step) : [step]];
      case 'rmw': {
        this.#old ??= this.registers.push({ name: 'fw_old', hidden: true }) - 1;
        return splitByOutcome(domain, step, this.#old);
      }
      case 'havoc':
        return [[{ ...step, range: step.range ?? domain }]];
      default:
        return [[step]];
    }
  }

  #flatten(step: InstrumentedStep): Instruction {
    const { value, address } = this.#memory;
    switch (step.kind) {
      case 'auxiliary-store':
        return {
          kind: 'store',
          address: address(step.space, step.address),
          value: value(step.value),
        };
      case 'auxiliary-load':
        return { kind: 'load', into: step.into, address: address(step.space, step.address) };
      // The question is whether the goal is reached; assertions do not matter.
      case 'assert':
        return { kind: 'skip' };
      default:
        return mapInstruction(step, value, (expression) => address('program', expression));
    }
  }
}

function lowerThread(
  thread: Thread<InstrumentedInstruction>,
  goal: LocationId | undefined,
  memory: FlatMemory,
  domain: Domain | undefined,
): { readonly thread: Thread; readonly goal: LocationId | undefined } {
  const lowering = new ThreadLowering(thread, goal, memory, domain);
  const { positions, chains } = lowering.chains();
  const { registers } = lowering;
  const names = new UniqueNames([], { taken: goal === undefined ? [] : ['goal'] });
  const locations = positions.map(({ location, held }): Location => {
    const { name = 'l', span } = thread.locations[location] ?? {};
    const isSplit = held && positions.some((other) => other.location === location && !other.held);
    if (location === goal) return { name: 'goal', hidden: false };
    const own = names.fresh(isSplit ? `${name}_locked` : name);
    return { name: own, hidden: false, ...(span && { span }) };
  });
  const idOf = new Map(positions.map(({ location, held }, id) => [`${location}.${held}`, id]));
  const at = ({ location, held }: Position): LocationId => valueAt(idOf, `${location}.${held}`);
  const transitions: Transition[] = [];
  for (const { from, to, instructions, origin } of chains) {
    let here = at(from);
    instructions.forEach((instruction, i) => {
      const isLast = i === instructions.length - 1;
      const between = (): LocationId => {
        const { name = 'l' } = locations[at(from)] ?? {};
        return locations.push({ name: names.fresh(`${name}_step`), hidden: true }) - 1;
      };
      const next = isLast ? at(to) : between();
      transitions.push({ from: here, to: next, instruction, origin });
      here = next;
    });
  }
  const reached = positions.findIndex(({ location }) => location === goal);
  return {
    thread: { name: thread.name, registers, locations, initial: 0, transitions },
    goal: reached < 0 ? undefined : reached,
  };
}

/** Returns the addresses in the control space that the program uses. */
function flagsOf({ threads }: InstrumentedProgram): ReadonlySet<number> {
  const flags = new Set<number>();
  for (const { transitions } of threads)
    for (const { instruction } of transitions)
      for (const step of instruction.kind === 'block' ? instruction.steps : [])
        if ('space' in step && step.space === 'control' && step.address.kind === 'constant')
          flags.add(step.address.value);
  return flags;
}

/**
 * Returns the instrumented program without blocks and auxiliary spaces, for tools that support
 * neither. A block with a store, or with two accesses visible to other threads, becomes `lock ...
 * unlock`, every remaining block a plain sequence. So TSO adds nothing to the program. A block that
 * cannot run to its end blocks in the middle, holding the bus lock, and then no thread reaches a
 * goal. `flattenSpaces` lays out the memories: an execution that computes an address beyond
 * `farthestFlatAddress` ends. The property is about any copy of the threads in `unbounded`. Source:
 * [BDM13] Sect. 5.
 */
export function lowerInstrumented(
  { program, goals }: Instrumented,
  unbounded: readonly ThreadId[] = [],
): Lowered {
  const memory = flattenSpaces(program.symbols, flagsOf(program));
  const lowered = foldBlocks(program).threads.map((thread, t) => {
    const goal = goals.find((candidate) => candidate.thread === t);
    return lowerThread(thread, goal?.location, memory, program.domain);
  });
  const reached = lowered.flatMap(({ goal }, thread) =>
    goal === undefined ? [] : [{ thread, location: goal }],
  );
  const condition = reached
    .map((goal): StateExpression => ({
      kind: 'at',
      ...goal,
      ...(unbounded.includes(goal.thread) && { copy: 0 }),
    }))
    .reduce<StateExpression>(
      (left, right) =>
        left.kind === 'constant' ? right : { kind: 'binary', operator: '||', left, right },
      { kind: 'constant', value: 0 },
    );
  return {
    program: {
      name: program.name,
      symbols: memory.symbols,
      threads: lowered.map(({ thread }) => thread),
      properties: [{ name: 'attack_fails', kind: 'never', condition }],
    },
    goals: reached,
  };
}

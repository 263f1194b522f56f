import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Domain, Program } from '@fencewright/model/program/program.js';
import {
  exploreMachine,
  type MachineVisitor,
} from '@fencewright/model/semantics/explore-machine.js';
import { spellOutAbstractions } from '../abstractions/spell-out-abstractions.js';
import { withoutAbstractions } from '../abstractions/without-abstractions.js';
import type {
  NamedValue,
  StateComparison,
  WhyNotCompared,
} from '@fencewright/model/verdict/prove-result.js';

/** Limits on comparing a program with read abstractions and the program with plain loads. */
interface ComparisonOptions {
  /** The number of copies of each unbounded thread in an instance; by default two, then three. */
  readonly copies?: number;
  /** The maximum number of states of each exploration. */
  readonly maxStates: number;
  readonly limits: Limits;
}

/**
 * Returns the range of values that guesses return, and that threads store if only few values are
 * compared: the numbers of all copies, and the two neighbouring numbers.
 */
function fewValues(copies: number): Domain {
  return { low: -1, high: copies };
}

/**
 * Compares the shared states that an instance of a program with read abstractions reaches under SC
 * with the shared states of the instance with plain loads. If there are too many states, only
 * executions that store few values are compared. The abstractions have to be sound.
 */
export async function compareAbstraction(
  open: Templates,
  { copies = 2, maxStates, limits }: ComparisonOptions,
): Promise<StateComparison> {
  const budget = new Budget({ ...limits, maxStates });
  const all = await compareWithin(open, { copies, budget });
  if (all !== 'too-many') {
    const isWorthMore = all.kind === 'same' && open.unbounded.length > 0 && copies === 2;
    const larger = isWorthMore ? await compareWithin(open, { copies: 3, budget }) : 'too-many';
    return larger === 'too-many' || larger.kind === 'not-compared' ? all : larger;
  }
  const why = { kind: 'many-states', maxStates } as const;
  const given: StateComparison = { kind: 'not-compared', ...instanceOf(open, copies), why };
  // If the program's text gives a domain, the comparison does not replace this domain by few
  // values.
  if (open.templates.domain) return given;
  const few = await compareWithin(open, { copies, values: fewValues(copies), budget });
  if (few !== 'too-many') return few;
  // With one copy only, a difference that is found counts, but the absence of a difference does
  // not.
  const single = { copies: 1, values: fewValues(1), budget };
  const least = open.unbounded.length > 0 ? await compareWithin(open, single) : 'too-many';
  return least !== 'too-many' && least.kind === 'more' ? least : given;
}

function instanceOf({ unbounded }: Templates, copies: number): Pick<StateComparison, 'copies'> {
  return unbounded.length === 0 ? {} : { copies };
}

async function compareWithin(
  open: Templates,
  bounds: ComparisonBounds,
): Promise<StateComparison | 'too-many'> {
  const { copies, values } = bounds;
  const { open: guessing, isExact } = spellOutAbstractions(open, fewValues(copies));
  const original = await sharedStates(withoutAbstractions(open), bounds);
  if (!original.isComplete) return 'too-many';
  const abstraction = await sharedStates(guessing, bounds);
  if (!abstraction.isComplete) return 'too-many';
  const common = { ...instanceOf(open, copies), ...(values && { values }) };
  const notCompared = (why: WhyNotCompared): StateComparison => ({
    kind: 'not-compared',
    ...common,
    why,
  });
  // A fault may concern only the instance, with its finite arrays: more states may lie behind the
  // fault.
  if (original.hasFaults) return notCompared({ kind: 'faults', of: 'instance' });
  if ([...original.states.keys()].some((key) => !abstraction.states.has(key)))
    return notCompared({ kind: 'condition' });
  const more = [...abstraction.states].filter(([key]) => !original.states.has(key));
  const isLowerBound = !isExact || abstraction.hasFaults;
  const [first] = more;
  const states = original.states.size;
  if (first)
    return {
      kind: 'more',
      ...common,
      states,
      more: more.length,
      isLowerBound,
      example: namedMemory(abstraction.program, first[1]),
    };
  if (isLowerBound)
    return notCompared(
      isExact ? { kind: 'faults', of: 'abstraction' } : { kind: 'endless-values' },
    );
  return { kind: 'same', ...common, states };
}

type Memory = ReadonlyMap<number, number>;

interface SharedStates {
  readonly program: Program;
  /**
   * The contents of memory found, in order of discovery, by a key that is equal for equal contents.
   */
  readonly states: ReadonlyMap<string, Memory>;
  readonly isComplete: boolean;
  /** Whether a run had a fault other than a value outside the domain. */
  readonly hasFaults: boolean;
}

interface ComparisonBounds {
  readonly copies: number;
  readonly values?: Domain;
  /** The budget of all explorations; each exploration may store its number of states. */
  readonly budget: Budget;
}

/**
 * Returns the contents that memory can have in an instance under SC while no thread holds the bus
 * lock.
 */
async function sharedStates(
  open: Templates,
  { copies, values, budget }: ComparisonBounds,
): Promise<SharedStates> {
  const counts = open.templates.threads.map(() => copies);
  const choices = { low: 0, high: copies };
  const instance = instantiate(open, counts, choices).program;
  const program = values ? { ...instance, domain: values } : instance;
  const states = new Map<string, Memory>();
  const visitor: MachineVisitor = {
    onState: ({ state }) => {
      if (state.lockHolder !== undefined) return;
      const cells = [...state.memory].sort(([a], [b]) => a - b);
      const key = cells.join(' ');
      if (!states.has(key)) states.set(key, state.memory);
    },
    onFailedAssertion: () => undefined,
  };
  const { incomplete, faults } = await exploreMachine(
    'SC',
    program,
    budget.part(Number.POSITIVE_INFINITY),
    visitor,
    {
      forgetsDeadRegisters: true,
    },
  );
  const hasFaults = faults.some(({ fault }) => fault !== 'domain');
  return { program, states, isComplete: !incomplete, hasFaults };
}

/** Returns the values of memory by name: all scalar variables, and the non-zero cells of arrays. */
function namedMemory({ symbols }: Program, memory: Memory): readonly NamedValue[] {
  return symbols.flatMap(({ name, base, length, isArray }) =>
    Array.from({ length }, (_, cell): NamedValue => ({
      name: isArray ? `${name}[${cell}]` : name,
      value: String(memory.get(base + cell) ?? 0),
    })).filter(({ value }) => !isArray || value !== '0'),
  );
}

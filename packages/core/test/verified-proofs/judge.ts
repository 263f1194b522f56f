import { check } from '../../src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { type Expression, selfRegister } from '@fencewright/model/program/expression.js';
import type { Instruction as CoreInstruction } from '@fencewright/model/program/instruction.js';
import { type InstantiatedProgram, instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type {
  Invariant as CoreInvariant,
  Program,
  Thread,
} from '@fencewright/model/program/program.js';
import { weakenRmw } from '@fencewright/model/program/weak-rmw.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import { spellOutAbstractions } from '@fencewright/proofs/abstractions/spell-out-abstractions.js';
import { decidesProperty } from '@fencewright/model/semantics/property.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type {
  Abstraction,
  Automata,
  Claims,
  Invariant,
  InvariantExpression,
} from '@fencewright/verifier';

/** The maximum number of states of each exploration. */
const maxStates = 4000;
const most = { threads: 3, buffer: 2 };

/** Converts the operation of a read-modify-write to the library's type. */
function operationOf(operation: object): object {
  const { kind, value, expected, desired, operator, operand } = operation as Readonly<
    Record<string, unknown>
  >;
  switch (kind) {
    case 'xchg':
      return { name: 'xchg', operands: [toCore(value)] };
    case 'cas':
      return { name: 'cas', operands: [toCore(expected), toCore(desired)] };
    default:
      return { name: `fetch_${String(operator)}`, operands: [toCore(operand)] };
  }
}

/** Converts `self` and read-modify-writes in instructions to the library's form. */
function toCore<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => toCore(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  if ('kind' in value && value.kind === 'self' && !('binder' in value))
    return { kind: 'register', register: selfRegister } as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => [
      name,
      name === 'operation' ? operationOf(part as object) : toCore(part),
    ]),
  ) as T;
}

/** Converts the automata of a certificate to a program of the library. */
export function programOf(automata: Automata): Templates {
  const threads = automata.threads.map((thread): Thread => ({
    ...thread,
    registers: thread.registers.map(({ name, hidden }) => ({ name, hidden: hidden === true })),
    locations: thread.locations.map(({ name, hidden }) => ({ name, hidden: hidden === true })),
    transitions: thread.transitions.map((each) => ({
      from: each.from,
      to: each.to,
      instruction: toCore(each.instruction) as CoreInstruction,
      origin: {},
    })),
  }));
  const { name, symbols, domain } = automata;
  return {
    templates: {
      name,
      symbols: symbols.map(({ boundless, ...symbol }) => ({
        ...symbol,
        ...(boundless && { isBoundless: true as const }),
      })),
      ...(domain && { domain }),
      threads,
      properties: automata.properties,
      invariants: [] as readonly CoreInvariant[],
    },
    unbounded: automata.threads.flatMap(({ unbounded }, id) => (unbounded ? [id] : [])),
  };
}

function mapThreads(open: Templates, change: (thread: Thread, id: number) => Thread): Templates {
  return { ...open, templates: { ...open.templates, threads: open.templates.threads.map(change) } };
}

const never: CoreInstruction = { kind: 'assume', condition: { kind: 'constant', value: 0 } };

function each(
  thread: Thread,
  id: number,
  abstractions: readonly Abstraction[],
  change: (thread: Thread, abstraction: Abstraction) => Thread,
): Thread {
  return abstractions.filter((one) => one.thread === id).reduce(change, thread);
}

/** Returns the program with plain accesses in place of the claimed abstractions. */
function plain(open: Templates, abstractions: readonly Abstraction[]): Templates {
  return mapThreads(open, (thread, id) =>
    each(thread, id, abstractions, (before, abstraction) => {
      const transitions = [...before.transitions];
      const put = (at: number, instruction: CoreInstruction, to = transitions[at]!.to): void => {
        transitions[at] = { ...transitions[at]!, instruction, to };
      };
      if (abstraction.kind === 'rmw') {
        if (abstraction.failure) put(abstraction.failure.fence, never);
      } else if ('havoc' in abstraction) {
        const load = transitions[abstraction.load]!.instruction;
        const havoc = transitions[abstraction.havoc]!;
        if (load.kind === 'load' && havoc.instruction.kind === 'havoc')
          put(abstraction.load, { ...load, into: havoc.instruction.into }, havoc.to);
      }
      return { ...before, transitions };
    }),
  );
}

/** Returns the program with all claimed abstractions. */
function abstract(open: Templates, abstractions: readonly Abstraction[]): Templates {
  return mapThreads(open, (thread, id) =>
    each(thread, id, abstractions, (before, abstraction) => {
      if (abstraction.kind === 'rmw')
        return abstraction.failure ? before : weakenRmw(before, abstraction.rmw);
      if ('havoc' in abstraction) return before;
      const load = before.transitions[abstraction.load]!;
      if (load.instruction.kind !== 'load') return before;
      const [through, middle] = [before.registers.length, before.locations.length];
      const cell = thread.registers.length;
      const where = JSON.parse(
        JSON.stringify(toCore(abstraction.condition)).replaceAll(
          `"register":${cell}}`,
          `"register":${through}}`,
        ),
      ) as Expression;
      const { into } = load.instruction;
      return {
        ...before,
        registers: [...before.registers, { name: `g${through}`, hidden: true }],
        locations: [...before.locations, { name: `g'${middle}`, hidden: true }],
        transitions: [
          ...before.transitions.with(abstraction.load, {
            ...load,
            to: middle,
            instruction: { ...load.instruction, into: through },
          }),
          { from: middle, to: load.to, instruction: { kind: 'havoc', into, where }, origin: {} },
        ],
      };
    }),
  );
}

interface Explored {
  readonly states: readonly MachineState[];
  readonly isComplete: boolean;
}

/** Explores a program and returns its states with empty buffers and a free lock. */
async function explore(model: 'SC' | 'TSO', program: Program): Promise<Explored> {
  const states: MachineState[] = [];
  const { incomplete } = await exploreMachine(
    model,
    program,
    new Budget({ maxStates }),
    {
      onState: ({ state }) => {
        if (state.lockHolder === undefined && state.buffers.every(({ length }) => length === 0))
          states.push(state);
      },
      onFailedAssertion: () => undefined,
    },
    { buffer: most.buffer },
  );
  return { states, isComplete: !incomplete };
}

function memoryKey({ memory }: MachineState): string {
  return [...memory]
    .filter(([, value]) => value !== 0)
    .sort(([a], [b]) => a - b)
    .join(' ');
}

/**
 * Returns the reason why a claim of the certificate is false; `undefined` if none was found.
 * Searches instances with the machine of the library, and uses nothing of the verifier's
 * obligations or solvers.
 */
export async function refute(certificate: {
  readonly automata: Automata;
  readonly [member: string]: unknown;
}): Promise<string | undefined> {
  const { automata, format: _f, version: _v, kind: _k, digest: _d, ...body } = certificate;
  // Accepted claims have the expected form; for rejected claims the conversion may fail.
  const claims = body as unknown as Claims;
  const open = programOf(automata);
  for (const copies of open.unbounded.length === 0 ? [1] : [1, 2, 3]) {
    const counts = automata.threads.map(() => copies);
    const instanceOf = (templates: Templates): InstantiatedProgram =>
      instantiate(templates, counts, { low: -1, high: 3 });
    const instance = instanceOf(plain(open, claims.abstractions));
    if (instance.program.threads.length > most.threads) continue;
    const found =
      (await refuteRobust(instance.program, claims)) ??
      (await refuteStates(open, instance, instanceOf, automata, claims));
    if (found !== undefined) return `${copies} copies: ${found}`;
  }
  return undefined;
}

async function refuteRobust(program: Program, { conclusion }: Claims): Promise<string | undefined> {
  if (conclusion.kind !== 'robust') return undefined;
  const happensBefore = conclusion.happensBefore;
  const { verdict } = await check(program, { happensBefore, limits: { maxStates: 20_000 } });
  return verdict.kind === 'not-robust' ? `not robust (${happensBefore})` : undefined;
}

async function refuteStates(
  open: Templates,
  { program, templateOf }: ReturnType<typeof instantiate>,
  instanceOf: (templates: Templates) => InstantiatedProgram,
  automata: Automata,
  claims: Claims,
): Promise<string | undefined> {
  const total = await explore('TSO', program);
  for (const property of program.properties)
    if (claims.properties.includes(property.name))
      for (const state of total.states)
        if (decidesProperty(program, property, state, false)) return `${property.name} is violated`;
  const spelled = spellOutAbstractions(abstract(open, claims.abstractions), { low: -1, high: 3 });
  const sequential = await explore('SC', instanceOf(spelled.open).program);
  const broken = brokenInvariant(automata, claims, templateOf, sequential.states);
  if (broken !== undefined) return broken;
  if (!spelled.isExact || !sequential.isComplete) return undefined;
  const reached = new Set(sequential.states.map(memoryKey));
  const lost = total.states.map(memoryKey).find((key) => !reached.has(key));
  return lost === undefined ? undefined : `TSO only: ${lost}`;
}

/**
 * Returns an invariant that is false in a state in which all threads are at resting places;
 * `undefined` if there is none.
 */
function brokenInvariant(
  automata: Automata,
  { places, invariants }: Claims,
  templateOf: readonly number[],
  states: readonly MachineState[],
): string | undefined {
  for (const state of states) {
    const isAtPlaces = state.locations.every((at, i) => places[templateOf[i]!]!.includes(at));
    if (!isAtPlaces) continue;
    for (const invariant of invariants)
      for (const bound of bindingsOf(invariant, templateOf))
        if (
          indicesFor(automata, invariant).some(
            (every) =>
              evaluate(automata, invariant.condition, state, bound, templateOf, every) === 0,
          )
        )
          return `${invariant.name} is false`;
  }
  return undefined;
}

/** Returns the indices that `*` may stand for in an invariant. */
function indicesFor({ symbols }: Automata, { condition }: Invariant): readonly number[] {
  if (!JSON.stringify(condition).includes('every-index')) return [0];
  const most = Math.max(...symbols.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => index);
}

function bindingsOf(
  { binders }: Invariant,
  templateOf: readonly number[],
): readonly (readonly number[])[] {
  let all: readonly (readonly number[])[] = [[]];
  for (const { thread } of binders)
    all = all.flatMap((before) =>
      templateOf.flatMap((template, id) =>
        template === thread && !before.includes(id) ? [[...before, id]] : [],
      ),
    );
  return all;
}

function evaluate(
  automata: Automata,
  expression: InvariantExpression,
  state: MachineState,
  bound: readonly number[],
  templateOf: readonly number[],
  every: number,
): number {
  const go = (inner: InvariantExpression): number =>
    evaluate(automata, inner, state, bound, templateOf, every);
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'every-index':
      return every;
    case 'at':
      return state.locations[bound[expression.binder]!] === expression.location ? 1 : 0;
    case 'ended': {
      const id = bound[expression.binder]!;
      const { transitions } = automata.threads[templateOf[id]!]!;
      return transitions.some(({ from }) => from === state.locations[id]) ? 0 : 1;
    }
    case 'register':
      return state.registers[bound[expression.binder]!]![expression.register] ?? 0;
    case 'self': {
      const id = bound[expression.binder]!;
      return templateOf.slice(0, id).filter((each) => each === templateOf[id]).length;
    }
    case 'cell': {
      const { base } = automata.symbols[expression.symbol]!;
      return state.memory.get(base + (expression.index ? go(expression.index) : 0)) ?? 0;
    }
    case 'unary': {
      const value = go(expression.operand);
      return expression.operator === '!'
        ? value === 0
          ? 1
          : 0
        : expression.operator === '-'
          ? -value
          : ~value;
    }
    case 'binary':
      return Number(operate(expression.operator, go(expression.left), go(expression.right)));
  }
}

function operate(operator: string, a: number, b: number): number | boolean {
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '&&':
      return a !== 0 && b !== 0;
    case '||':
      return a !== 0 || b !== 0;
    case '+':
      return a + b;
    case '-':
      return a - b;
    default:
      throw new Error(`the judge has no ${operator}`);
  }
}

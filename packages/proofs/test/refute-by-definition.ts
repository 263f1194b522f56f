import { Budget } from '@fencewright/ground/base/budget.js';
import { type InstantiatedProgram, instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type {
  Invariant,
  InvariantExpression,
  Program,
} from '@fencewright/model/program/program.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { isFinal } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';

/** The maximum number of threads of an instance; larger instances are not judged. */
const mostThreads = 4;
/** The maximum number of partial traces of an instance; instances with more are not judged. */
const mostTraces = 300;
/** The maximum number of states of an instance; instances with more are not judged. */
const mostStates = 1500;

/** The work and the result of judging a proof. */
export interface Judgement {
  readonly instances: number;
  /** The number of instances whose traces or states were explored completely. */
  readonly complete: number;
  /** The reason why the proof is wrong; absent if none was found. */
  readonly because?: string;
}

/**
 * Judges the claims of a proof by the definitions alone, in instances with one, two and three
 * copies: robustness by enumerating traces, inductive invariants by exploring the SC machine. Only
 * for programs without abstractions.
 */
export async function refuteByDefinition(
  open: Templates,
  { verdict, invariants: proofs }: ProveResult,
): Promise<Judgement> {
  const inductive = (open.templates.invariants ?? []).filter(
    (_, i) => proofs[i]?.verdict === 'inductive',
  );
  let instances = 0;
  let complete = 0;
  const isAny = open.unbounded.length > 0;
  for (const copies of isAny ? [1, 2, 3] : [1]) {
    const counts = open.templates.threads.map(() => copies);
    const instance = instantiate(open, counts, { low: 0, high: 2 });
    if (instance.program.threads.length > mostThreads) continue;
    instances++;
    if (verdict.kind === 'proved' && verdict.conclusion.kind === 'robust') {
      const { happensBefore } = verdict.conclusion;
      const options = { happensBefore, stopAtViolation: true, maxTracedStates: mostTraces };
      const traces = enumerateTraces(instance.program, options);
      if (traces.violation) return { instances, complete, because: `${copies}: not robust` };
      if (traces.complete) complete++;
      else if (await reachesMore(instance.program))
        return { instances, complete, because: `${copies}: a state of TSO only` };
    }
    if (inductive.length === 0) continue;
    const broken = await breaks(open, instance, inductive);
    if (broken) return { instances, complete, because: `${copies}: ${broken.name} is broken` };
  }
  return { instances, complete };
}

async function reachesMore(program: Program): Promise<boolean> {
  const code = compileProgram(program);
  const keysOf = async (model: 'SC' | 'TSO'): Promise<ReadonlySet<string> | undefined> => {
    const keys = new Set<string>();
    const onState = ({ state }: { state: MachineState }): void => {
      if (isFinal(code, state))
        keys.add(JSON.stringify([[...state.memory].sort(), state.registers]));
    };
    const visitor = { onState, onFailedAssertion: () => undefined };
    const bounds = { buffer: 2 };
    const budget = new Budget({ maxStates: mostStates });
    const { incomplete } = await exploreMachine(model, program, budget, visitor, bounds);
    return incomplete && model === 'SC' ? undefined : keys;
  };
  const sequential = await keysOf('SC');
  const total = sequential && (await keysOf('TSO'));
  return total !== undefined && [...total].some((key) => !sequential?.has(key));
}

/**
 * Returns an invariant that a reachable SC state violates, at states in which no thread is directly
 * after its own load.
 */
async function breaks(
  open: Templates,
  { program, templateOf }: InstantiatedProgram,
  invariants: readonly Invariant[],
): Promise<Invariant | undefined> {
  let broken: Invariant | undefined;
  const visitor = {
    onState: ({ state }: { state: MachineState }): void => {
      if (state.lockHolder !== undefined || broken) return;
      const rests = state.locations.every((location, t) => {
        const { transitions = [], initial } = program.threads[t] ?? {};
        const leaving = transitions.filter(({ from }) => from === location);
        // The thread is at a memory access or at its end: other locations are invisible to other
        // threads.
        return (
          location === initial ||
          leaving.length === 0 ||
          leaving.some(({ instruction }) => 'address' in instruction || instruction.kind === 'lock')
        );
      });
      if (!rests) return;
      broken = invariants.find((invariant) =>
        someBinding(invariant, templateOf, (bound) => {
          try {
            return indicesFor(open, invariant).some(
              (every) => valueOf(open, program, state, invariant.condition, bound, every) === 0,
            );
          } catch {
            return false;
          }
        }),
      );
    },
    onFailedAssertion: () => undefined,
    isDone: () => broken !== undefined,
  };
  await exploreMachine('SC', program, new Budget({ maxStates: mostStates }), visitor);
  return broken;
}

/** Returns the indices that `*` may stand for in an invariant. */
function indicesFor({ templates }: Templates, { condition }: Invariant): readonly number[] {
  if (!JSON.stringify(condition).includes('every-index')) return [0];
  const most = Math.max(...templates.symbols.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => index);
}

function someBinding(
  { binders }: Invariant,
  templateOf: readonly number[],
  test: (bound: readonly number[]) => boolean,
  bound: readonly number[] = [],
): boolean {
  const binder = binders[bound.length];
  if (!binder) return test(bound);
  return templateOf.some(
    (template, thread) =>
      template === binder.thread &&
      !bound.includes(thread) &&
      someBinding(
        { name: '', binders, condition: { kind: 'constant', value: 1 } },
        templateOf,
        test,
        [...bound, thread],
      ),
  );
}

/**
 * Returns the value of an expression in a state. Throws for expressions that `random-proof-text`
 * does not make.
 */
function valueOf(
  open: Templates,
  program: Program,
  state: MachineState,
  expression: InvariantExpression,
  bound: readonly number[],
  every: number,
): number {
  const value = (each: InvariantExpression): number =>
    valueOf(open, program, state, each, bound, every);
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'at':
      return Number(state.locations[bound[expression.binder]!] === expression.location);
    case 'ended': {
      const thread = bound[expression.binder]!;
      const leaves = program.threads[thread]!.transitions.map(({ from }) => from);
      return Number(!leaves.includes(state.locations[thread]!));
    }
    case 'register':
      return state.registers[bound[expression.binder]!]![expression.register]!;
    case 'cell': {
      const { base } = open.templates.symbols[expression.symbol]!;
      return state.memory.get(base + (expression.index ? value(expression.index) : 0)) ?? 0;
    }
    case 'every-index':
      return every;
    case 'unary':
      if (expression.operator !== '!') throw new Error(expression.operator);
      return Number(value(expression.operand) === 0);
    case 'binary': {
      const [a, b] = [value(expression.left), value(expression.right)];
      switch (expression.operator) {
        case '==':
          return Number(a === b);
        case '!=':
          return Number(a !== b);
        case '<':
          return Number(a < b);
        case '<=':
          return Number(a <= b);
        case '>=':
          return Number(a >= b);
        case '&&':
          return Number(a !== 0 && b !== 0);
        case '||':
          return Number(a !== 0 || b !== 0);
        default:
          throw new Error(expression.operator);
      }
    }
  }
}

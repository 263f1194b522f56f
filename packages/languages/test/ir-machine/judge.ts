import { explore, type Exploration, type Found } from './explore.js';
import { type Image, loadImage, objectAt } from './image.js';
import type { State } from './state.js';
import { NotKnown } from './stop.js';
import { fromBytes, toSigned } from './value.js';

/** A value in memory that is observed after the end of the process. */
export interface Watched {
  /** The name that the tool gives to the observed cell. */
  readonly name: string;
  readonly global: string;
  readonly offset: number;
  readonly size: 1 | 2 | 4 | 8;
  readonly isSigned: boolean;
}

/** The behaviour of a program on one memory model. */
export interface ModelJudgement {
  readonly states: number;
  /** Whether all executions under the memory model were explored. */
  readonly isComplete: boolean;
  /** The watched values, the exit status and the output of each final state, without duplicates. */
  readonly finals: readonly Final[];
  /** The lines of the assertions that fail. */
  readonly assertions: readonly string[];
  readonly faults: readonly string[];
  readonly isAborted: boolean;
  /** Whether some execution reaches a state in which no thread can go on. */
  readonly isStuck: boolean;
}

export interface Final {
  readonly cells: Readonly<Record<string, string>>;
  readonly status: number;
  readonly output: string;
}

export interface Judgement {
  readonly kind: 'judged';
  readonly sc: ModelJudgement;
  readonly tso: ModelJudgement;
  /** The verdict by the definition: not robust if some TSO trace has a cycle. */
  readonly verdict: 'robust' | 'not-robust' | 'unknown';
}

export type Judged = Judgement | { readonly kind: 'not-known'; readonly why: string };

export interface JudgeOptions {
  readonly watched: readonly Watched[];
  readonly maxStates: number;
  readonly argumentCounts?: readonly number[];
  readonly seed?: number;
  /** By name of a library function, its known result. */
  readonly given?: Readonly<Record<string, number>>;
}

/** Returns the correct answer about a program, from the text of its LLVM IR. */
export function judge(text: string, options: JudgeOptions): Judged {
  try {
    return judged({ ...loadImage(text, options.seed), given: options.given ?? {} }, options);
  } catch (failure) {
    if (failure instanceof NotKnown) return { kind: 'not-known', why: failure.message };
    throw failure;
  }
}

function judged(image: Image, { watched, maxStates, argumentCounts }: JudgeOptions): Judged {
  const common = { maxStates, ...(argumentCounts && { argumentCounts }) };
  const look = (options: Omit<Exploration, 'maxStates'>): Found =>
    explore(image, { ...common, ...options });
  const [sc, tso] = (['SC', 'TSO'] as const).map((model) =>
    summary(image, look({ model }), watched),
  ) as [ModelJudgement, ModelJudgement];
  const watchedRuns = look({ model: 'TSO', watches: true });
  const verdict = watchedRuns.isCyclic
    ? 'not-robust'
    : watchedRuns.isComplete
      ? 'robust'
      : 'unknown';
  return { kind: 'judged', sc, tso, verdict };
}

function summary(image: Image, found: Found, watched: readonly Watched[]): ModelJudgement {
  const finals = new Map<string, Final>();
  const assertions = new Set<string>();
  const faults = new Set<string>();
  let isAborted = false;
  let isStuck = false;
  for (const state of found.ends) {
    const { end } = state;
    if (!end) isStuck = true;
    else if (end.kind === 'assertion') assertions.add(end.text);
    else if (end.kind === 'fault') faults.add(end.why);
    else if (end.kind === 'abort') isAborted = true;
    else {
      const final = {
        cells: cellsOf(image, state, watched),
        status: end.status,
        output: state.output,
      };
      finals.set(JSON.stringify(final), final);
    }
  }
  return {
    states: found.states,
    isComplete: found.isComplete,
    finals: [...finals.values()],
    assertions: [...assertions].toSorted(),
    faults: [...faults].toSorted(),
    isAborted,
    isStuck,
  };
}

function cellsOf(
  image: Image,
  state: State,
  watched: readonly Watched[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    watched.map(({ name, global, offset, size, isSigned }) => {
      const bytes = state.pieces.get(objectAt(image.addressOf.get(global) ?? 0))?.bytes;
      if (!bytes) throw new NotKnown(`no global ${global}`);
      const value = fromBytes({ kind: 'integer', bits: size * 8, size }, bytes, offset);
      if (value === undefined) return [name, '?'];
      return [name, String(isSigned ? toSigned(size * 8, value) : value)];
    }),
  );
}

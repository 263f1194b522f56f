import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  ModelChecker,
  ModelCheckerFailure,
  Verification,
  Verifier,
} from '@fencewright/ground/solvers/model-checker.js';
import type {
  GoalRun,
  ReachabilityAnswer,
  ReachabilityEngine,
  ReachabilityQuery,
  TransitionOfRun,
} from '@fencewright/model/reach/engine.js';
import { toPromela, type PromelaModel } from './print-promela.js';

interface PromelaEngineOptions {
  /** The program that queries are about, before instrumentation. */
  readonly original: Program;
  readonly modelChecker: ModelChecker;
  /**
   * The number of searches that run at the same time. A query about several combinations of
   * observed values needs one search for each combination.
   */
  readonly jobs?: number;
}

const permissionVariable = 'FENCEWRIGHT_ALLOWED';

/**
 * Returns the definitions of the model's macros. Each fault is printed once. An environment
 * variable selects the choices covered by the search, with a digit for each choice; by default all.
 */
function definitions({ faults, choices }: PromelaModel): string {
  return `#define FAULT(n) c_code { if (!fw_told[n]) { fw_told[n] = 1; printf("note fault %d\\n", n); } }
#define ALLOWED(n) c_expr { fw_allowed[n] }
c_decl {
extern char *getenv(const char *);
static unsigned char fw_told[${Math.max(1, faults.length)}];
static unsigned char fw_allowed[${Math.max(1, choices.length)}];
static void __attribute__((constructor)) fw_start(void)
{ const char *s = getenv("${permissionVariable}"); int i;
  for (i = 0; i < ${choices.length}; i++) fw_allowed[i] = !s || s[i] == '1'; }
}
`;
}

/** Returns the environment variables of a search for one combination of observed values. */
function permissionsFor(
  { choices }: PromelaModel,
  observe: readonly number[],
  wanted: readonly number[],
): Readonly<Record<string, string>> {
  const digits = choices.map(({ cell, value }) =>
    wanted[observe.indexOf(cell)] === value ? 1 : 0,
  );
  return { [permissionVariable]: digits.join('') };
}

/** Returns the run that a trail describes; `undefined` if the text is no trail of the verifier. */
function readTrail(trail: readonly string[]): GoalRun | undefined {
  const run: TransitionOfRun[] = [];
  for (const line of trail) {
    const [word, ...numbers] = line.trim().split(' ');
    const [thread, transition, choice] = numbers.map(Number);
    if (word === 'observed') return { run, observed: numbers.map(Number) };
    if (word !== 'step' || thread === undefined || transition === undefined) continue;
    run.push({ thread, transition, ...(choice !== undefined && { choice }) });
  }
  return undefined;
}

/**
 * Awaits `work`, which is cancelled when a limit is reached; returns the result, and the limit if
 * one was reached.
 */
async function supervise<T>(
  budget: Budget,
  searches: Searches,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T; readonly exhaustion?: Exhaustion }> {
  const controller = new AbortController();
  let isDone = false;
  const running = work(controller.signal).finally(() => (isDone = true));
  let exhaustion: Exhaustion | undefined;
  while (!isDone) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pause = new Promise((resolve) => (timer = setTimeout(resolve, 50)));
    await Promise.race([running.catch(() => undefined), pause]);
    clearTimeout(timer);
    if (isDone) break;
    exhaustion ??= (await budget.checkTime(searches.states, 0)) ?? searches.exceeded;
    if (exhaustion) controller.abort();
  }
  return { result: await running, ...(exhaustion && { exhaustion }) };
}

/** The searches of one query in their order, with the findings so far. */
class Searches {
  readonly #model: PromelaModel;
  /**
   * The maximum number of states of all searches together; `#limit` names the limit from which this
   * number follows.
   */
  readonly #room: number;
  readonly #limit: 'states' | 'work';
  readonly #done: Verification[] = [];
  /** By search, the number of its states so far. */
  readonly #states: number[] = [];
  #failure: ModelCheckerFailure | undefined;

  constructor(model: PromelaModel, budget: Budget) {
    this.#model = model;
    this.#room = Math.min(budget.room(0), budget.workLeft);
    this.#limit = budget.room(0) <= budget.workLeft ? 'states' : 'work';
  }

  get states(): number {
    return this.#states.reduce((sum, states) => sum + states, 0);
  }

  /**
   * The limit that the searches exceed together, if any. Searches count in their order, up to the
   * first search that still runs. With later searches, the answer would depend on the speed of the
   * searches.
   */
  get exceeded(): 'states' | 'work' | undefined {
    let states = 0;
    for (let i = 0; i < this.#states.length; i++) {
      states += this.#states[i] ?? 0;
      if (states > this.#room) return this.#limit;
      if (!this.#done[i]) return undefined;
    }
    return undefined;
  }

  /** Runs the search number `index`. */
  async run(
    index: number,
    verifier: Verifier,
    environment: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const onProgress = (states: number): void => void (this.#states[index] = states);
    const result = await verifier.run({ environment, signal, onProgress });
    if (result === 'stopped') return;
    if (result.kind === 'verification') {
      this.#states[index] = result.states;
      this.#done[index] = result;
    } else this.fail(result);
  }

  fail(failure: ModelCheckerFailure): void {
    this.#failure ??= failure;
  }

  /**
   * The answer of the searches within the limit on states; `stopped` is the limit that stopped the
   * searches.
   */
  answer(stopped: Exhaustion | undefined): ReachabilityAnswer {
    const goals: GoalRun[] = [];
    const faults = new Set<number>();
    let incomplete = stopped;
    let states = 0;
    for (const result of this.#done) {
      if (!result) break;
      states += result.states;
      if (states > this.#room) {
        incomplete ??= this.#limit;
        break;
      }
      const goal = result.trail && readTrail(result.trail);
      if (goal) goals.push(goal);
      else if (result.trail)
        this.fail({ kind: 'failed', program: 'pan', output: result.trail.join(' ').slice(0, 200) });
      if (result.incomplete) incomplete ??= result.incomplete;
      for (const note of result.notes) {
        const [word, number] = note.split(' ');
        if (word === 'fault') faults.add(Number(number));
      }
    }
    return {
      goals,
      states: this.states,
      faults: [...faults].flatMap((number) => this.#model.faults[number] ?? []),
      ...(incomplete && { incomplete }),
      ...(this.#failure && { failure: this.#failure }),
    };
  }
}

/** Runs the searches of a query with one verifier, at most `jobs` at a time. */
async function search(
  verifier: Verifier,
  searches: Searches,
  environments: readonly Readonly<Record<string, string>>[],
  jobs: number,
  signal: AbortSignal,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < environments.length && !signal.aborted; i = next++)
      await searches.run(i, verifier, environments[i] ?? {}, signal);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, environments.length) }, lane));
}

/**
 * Returns an engine that decides SC reachability by a model checker for Promela. One verifier
 * serves a whole query: with `among`, the verifier runs once for each combination of observed
 * values, restricted to the combination.
 */
export function createPromelaEngine({
  original,
  modelChecker,
  jobs = 1,
}: PromelaEngineOptions): ReachabilityEngine {
  return {
    name: modelChecker.name,
    async explore(query: ReachabilityQuery, budget: Budget): Promise<ReachabilityAnswer> {
      const { program, goals, observe = [], among, allGoals = false } = query;
      if (allGoals && !among) throw new InternalError('all goals, but it is not said which');
      const begin = budget.milliseconds;
      const model = toPromela(program, { original, goals, observe, maskDeadRegisters: true });
      const text = `${definitions(model)}${model.text}`;
      const environments =
        allGoals && among ? among.map((wanted) => permissionsFor(model, observe, wanted)) : [{}];
      const searches = new Searches(model, budget);
      const generated = budget.milliseconds;
      let compiled = generated;
      const { exhaustion } = await supervise(budget, searches, (signal) =>
        modelChecker.withVerifier(
          text,
          { stateBytes: model.stateBytes, signal },
          async (verifier) => {
            compiled = budget.milliseconds;
            if (verifier === 'stopped') return;
            if (verifier.kind === 'verifier')
              await search(verifier, searches, environments, jobs, signal);
            else searches.fail(verifier);
          },
        ),
      );
      const answer = searches.answer(exhaustion);
      budget.finishSearch(answer.states);
      return {
        ...answer,
        phases: {
          generating: generated - begin,
          compiling: compiled - generated,
          verifying: budget.milliseconds - compiled,
        },
      };
    },
  };
}

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
  RunStep,
} from '@fencewright/model/reach/engine.js';
import { toPromela, type PromelaModel } from './print-promela.js';

interface PromelaEngineOptions {
  /** The program that queries are about, before instrumentation. */
  readonly original: Program;
  readonly modelChecker: ModelChecker;
  /**
   * The number of searches at the same time, for queries about several combinations of observed
   * values.
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
  const run: RunStep[] = [];
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
 * Awaits `work`, and cancels it once the budget is used up; returns the result, and what was used
 * up.
 */
async function supervise<T>(
  budget: Budget,
  states: () => number,
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
    exhaustion ??= await budget.checkpoint(states(), 0);
    if (exhaustion) controller.abort();
  }
  return { result: await running, ...(exhaustion && { exhaustion }) };
}

/** The searches of one query, and their findings so far. */
class Searches {
  readonly #model: PromelaModel;
  readonly #goals: GoalRun[] = [];
  readonly #faults = new Set<number>();
  readonly #running = new Map<object, number>();
  #states = 0;
  #incomplete = false;
  #failure: ModelCheckerFailure | undefined;

  constructor(model: PromelaModel) {
    this.#model = model;
  }

  get states(): number {
    return [...this.#running.values()].reduce((sum, states) => sum + states, this.#states);
  }

  async run(
    verifier: Verifier,
    environment: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const key = {};
    const onProgress = (states: number): void => void this.#running.set(key, states);
    const result = await verifier.run({ environment, signal, onProgress });
    const seen = this.#running.get(key) ?? 0;
    this.#running.delete(key);
    if (result === 'stopped') this.#states += seen;
    else if (result.kind === 'verification') this.#add(result);
    else this.fail(result);
  }

  fail(failure: ModelCheckerFailure): void {
    this.#failure ??= failure;
  }

  #add({ trail, notes, states, incomplete }: Verification): void {
    this.#states += states;
    const goal = trail && readTrail(trail);
    if (goal) this.#goals.push(goal);
    else if (trail)
      this.fail({ kind: 'failed', program: 'pan', output: trail.join(' ').slice(0, 200) });
    if (incomplete) this.#incomplete = true;
    for (const note of notes) {
      const [word, number] = note.split(' ');
      if (word === 'fault') this.#faults.add(Number(number));
    }
  }

  answer(exhaustion: Exhaustion | undefined): ReachabilityAnswer {
    const incomplete = exhaustion ?? (this.#incomplete ? 'memory' : undefined);
    return {
      goals: this.#goals,
      states: this.#states,
      faults: [...this.#faults].flatMap((number) => this.#model.faults[number] ?? []),
      ...(incomplete && { incomplete }),
      ...(this.#failure && { failure: this.#failure }),
    };
  }
}

/** Runs the searches of a query with one verifier, `jobs` at a time. */
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
      await searches.run(verifier, environments[i] ?? {}, signal);
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
      const searches = new Searches(model);
      const generated = budget.milliseconds;
      let compiled = generated;
      const { exhaustion } = await supervise(
        budget,
        () => searches.states,
        (signal) =>
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

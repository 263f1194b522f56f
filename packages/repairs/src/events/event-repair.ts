import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { type Clause, type CheapestAnswer, findCheapest } from '../fences/cheapest-hitting.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import {
  type CriterionVerdict,
  decisive,
  type EventCheckResult,
  type EventWitness,
  eventVerdict,
  type WhyEventsUnknown,
} from '@fencewright/model/verdict/event-check-result.js';
import type {
  EventFenceReason,
  EventFenceVerdict,
  FencePlace,
  PricedPlace,
} from '@fencewright/model/verdict/event-fence-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type { EventMachineOptions } from '@fencewright/model/events/machine.js';
import { insertEventFences, withoutInserted } from './insert-event-fences.js';
import { passedPlaces } from './passed-places.js';

/**
 * The task to fence a program of events: candidate fences, and functions that check programs and
 * judge runs.
 */
interface EventRepairTask {
  readonly program: EventProgram;
  readonly items: readonly PricedPlace[];
  readonly options: EventMachineOptions;
  /** Checks the program of the task with some of the candidate fences inserted. */
  readonly check: (program: EventProgram) => Promise<EventCheckResult>;
  /**
   * Judges a run of the original program. `witness`: the violation that the run has in a program
   * with fences.
   */
  readonly judge: (run: EventRun, witness: EventWitness) => EventWitness;
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
}

/**
 * The answer to a fencing task, with the check of the original program and the check of the last
 * fenced program.
 */
interface EventRepairRun {
  readonly verdict: EventFenceVerdict;
  readonly asIs: EventCheckResult;
  readonly last: EventCheckResult;
  readonly rounds: number;
  readonly clauses: number;
}

interface EventClause extends Clause {
  readonly witness: EventWitness;
  readonly passed: readonly FencePlace[];
}

class EventRepair {
  readonly #task: EventRepairTask;
  #rounds = 1;
  #last: EventCheckResult;
  #why: WhyEventsUnknown | undefined;

  constructor(
    task: EventRepairTask,
    readonly asIs: EventCheckResult,
  ) {
    this.#task = task;
    this.#last = asIs;
  }

  async run(): Promise<EventRepairRun> {
    const [verdict, clauses] = await this.#answer();
    return { verdict, asIs: this.asIs, last: this.#last, rounds: this.#rounds, clauses };
  }

  async #answer(): Promise<readonly [EventFenceVerdict, clauses: number]> {
    const verdict = eventVerdict(this.asIs);
    if (verdict.kind === 'not-robust' && decisive(this.asIs) === 'concurrency') {
      const { witness } = verdict;
      return [{ kind: 'impossible', why: 'concurrency', witness, passed: [] }, 0];
    }
    const { items, solver, budget } = this.#task;
    const answer = await findCheapest<EventClause>({
      costs: items.map(({ cost }) => cost),
      solver,
      budget,
      refute: (chosen) => this.#refute(chosen),
    });
    return [this.#verdictOf(answer), answer.kind === 'impossible' ? 0 : answer.clauses.length];
  }

  async #refute(chosen: readonly number[]): Promise<EventClause | UnknownReason | undefined> {
    const { program, items, check } = this.#task;
    if (chosen.length > 0) {
      const fences = chosen.map((index) => items[index]!);
      this.#last = await check(insertEventFences(program, fences));
      this.#rounds++;
    }
    const verdict = eventVerdict(this.#last);
    switch (verdict.kind) {
      case 'robust':
        return undefined;
      case 'not-robust':
        return this.#clauseOf(verdict);
      case 'unknown':
        this.#why = verdict.why;
        return verdict.why.kind === 'limit' ? verdict.why.reason : 'undecided';
      case 'error':
        return 'unsupported';
      case 'not-asked':
        throw new InternalError('a check left its question open');
    }
  }

  #clauseOf({ witness: found }: Extract<CriterionVerdict, { kind: 'not-robust' }>): EventClause {
    const { program, items, options, judge } = this.#task;
    const run = withoutInserted(program, found.run);
    const witness = judge(run, found);
    const passed = passedPlaces(program, run, options);
    return {
      items: items.flatMap(({ body, location }, index) =>
        passed.some((place) => place.body === body && place.location === location) ? [index] : [],
      ),
      witness,
      passed,
    };
  }

  #verdictOf(answer: CheapestAnswer<EventClause>): EventFenceVerdict {
    const { program, items } = this.#task;
    const reasonsOf = (clauses: readonly EventClause[]): readonly EventFenceReason[] =>
      clauses.map(({ passed, witness }) => ({
        places: passed.flatMap(
          ({ body, location }) =>
            items.find((item) => item.body === body && item.location === location) ?? [],
        ),
        witness,
      }));
    switch (answer.kind) {
      case 'optimal': {
        const { chosen, cost, clauses } = answer;
        const fences = chosen.map((index) => items[index]!);
        const repaired = insertEventFences(program, fences);
        return { kind: 'found', fences, cost, reasons: reasonsOf(clauses), repaired };
      }
      case 'impossible': {
        const { witness, passed } = answer.clause;
        return { kind: 'impossible', why: 'no-place', witness, passed };
      }
      case 'unknown': {
        if (eventVerdict(this.#last).kind === 'error') return { kind: 'error' };
        const { reason, bound, clauses } = answer;
        const why = this.#why ?? { kind: 'limit', reason };
        return { kind: 'unknown', why, bound, reasons: reasonsOf(clauses) };
      }
    }
  }
}

/**
 * Finds a cheapest set of fences with which a program of events passes its check, by an implicit
 * hitting set: a set that fails gives a run, and every repair has a fence at one of the places that
 * the run leaves with stores in its buffer. Fences keep every SC run possible: they cannot repair
 * violations without store buffers. Fences add no runs either, so more fences never harm.
 */
export async function repairEvents(task: EventRepairTask): Promise<EventRepairRun> {
  return new EventRepair(task, await task.check(task.program)).run();
}

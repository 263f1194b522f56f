import { at, valueAt } from '@fencewright/ground/base/at.js';
import { computeControlFlow } from '@fencewright/model/analysis/control-flow.js';
import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import {
  isOfThreads,
  type Body,
  type EventCall,
  type EventInstruction,
  type Invocation,
} from '@fencewright/model/program/event-program.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type {
  LocationId,
  RegisterId,
  SymbolId,
  TransitionId,
} from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Origin, Transition } from '@fencewright/model/program/program.js';
import { BodyDraft } from './body-draft.js';

type Step<I = EventInstruction> = Transition<I>;

/** The cell by which a called procedure tells callers that the task stops. */
export interface StopFlag {
  readonly symbol: SymbolId;
  /**
   * The value of the cell while the task runs. The cell holds the next greater value once the task
   * stops.
   */
  readonly runs: number;
}

/** A posted task that is called at the end of the body. */
interface Postponed {
  /** The register that is 1 if the task was posted. */
  readonly isPosted: RegisterId;
  readonly call: EventCall;
  readonly origin: Origin;
}

/** Writes the body of seq(P) that replaces a body of P. */
export class SequentialBody {
  readonly #body: Body;
  readonly #draft: BodyDraft;
  readonly #flag: StopFlag;
  /** Whether the body runs as a task of its own; otherwise the body is part of a caller's task. */
  readonly #isTask: boolean;
  readonly #late: readonly TransitionId[];
  /** Where control goes if the task stops. */
  readonly #end: LocationId;
  readonly #steps: Step[] = [];
  readonly #postponed = new Map<TransitionId, Postponed>();

  /**
   * `late` are the postings whose tasks are called only at the end of the body, in the order of the
   * calls.
   */
  constructor(body: Body, flag: StopFlag, isTask: boolean, late: readonly TransitionId[]) {
    this.#body = body;
    this.#flag = flag;
    this.#isTask = isTask;
    this.#late = late;
    this.#draft = new BodyDraft(body);
    const { outgoing } = computeControlFlow(body);
    const ends = [...body.locations.keys()].filter((one) => at(outgoing, one).length === 0);
    this.#end =
      (late.length === 0 ? ends[0] : undefined) ?? this.#draft.hidden({ from: body.initial });
  }

  /** Adds a step of the original body; a posting becomes a call at its place. */
  keep(step: Step): void {
    const { instruction } = step;
    this.#steps.push(
      instruction.kind === 'post' ? { ...step, instruction: callOf(instruction) } : step,
    );
  }

  /**
   * Adds a call of the original body. After the call, control goes to the end of the body if the
   * called procedure has stopped the task.
   */
  call({ instruction, ...step }: Step<EventCall>): void {
    const { origin, to } = step;
    const [returned, looked] = [this.#draft.hidden(step), this.#draft.hidden(step)];
    const seen = this.#draft.register('task_stopped');
    const runs = constant(this.#flag.runs);
    this.#steps.push({ ...step, to: returned, instruction });
    this.#own(returned, looked, { kind: 'load', into: seen, address: this.#cell }, origin);
    const test = (operator: '==' | '!='): Instruction => ({
      kind: 'assume',
      condition: binary(operator, registerValue(seen), runs),
    });
    this.#own(looked, to, test('=='), origin);
    const stopping = this.#isTask ? this.#draft.hidden(step) : this.#end;
    this.#own(looked, stopping, test('!='), origin);
    if (this.#isTask) this.#own(stopping, this.#end, this.#tell(this.#flag.runs), origin);
  }

  /**
   * Adds a posting whose task is called only at the end of the body. The arguments get the values
   * that they have at the posting.
   */
  postpone({ instruction, ...step }: Step<Invocation>, id: TransitionId): void {
    const saved = instruction.arguments.map((value, place) => ({
      into: this.#draft.register(`argument${place}_of_${id}`),
      value,
    }));
    const isPosted = this.#draft.register(`posted_${id}`);
    const assigned = [...saved, { into: isPosted, value: constant(1) }];
    let { from } = step;
    assigned.forEach(({ into, value }, place) => {
      const to = place === assigned.length - 1 ? step.to : this.#draft.hidden(step);
      const marks = place === 0 ? step : { origin: step.origin };
      this.#steps.push({ ...marks, from, to, instruction: { kind: 'assign', into, value } });
      from = to;
    });
    const given = saved.map(({ into }) => registerValue(into));
    const call = { ...callOf(instruction), arguments: given };
    this.#postponed.set(id, { isPosted, call, origin: step.origin });
  }

  /**
   * Returns the finished body with the given name. From each location outside of lock blocks,
   * control may also go to the end of the body, where the postponed tasks are called.
   */
  finish(name: string): Body {
    const body = this.#body;
    const lockBlockAt = computeLockBlocks(threadOf(body));
    const { outgoing } = computeControlFlow(body);
    for (const location of body.locations.keys()) {
      const isEnd = at(outgoing, location).length === 0;
      if (isEnd && this.#late.length === 0) continue;
      if (lockBlockAt(location).length > 0) continue;
      const tells = !this.#isTask && !isEnd;
      const leave = tells ? this.#tell(this.#flag.runs + 1) : ({ kind: 'skip' } as const);
      this.#own(location, this.#end, leave, {});
    }
    this.#callPostponed();
    const { registers, locations } = this.#draft;
    return { ...body, name, registers, locations, transitions: this.#steps };
  }

  #callPostponed(): void {
    let place = this.#end;
    for (const posting of this.#late) {
      const { isPosted, call, origin } = valueAt(this.#postponed, posting);
      const step = { from: this.#body.initial };
      const [chosen, next] = [this.#draft.hidden(step), this.#draft.hidden(step)];
      const condition = (operator: '==' | '!='): Expression =>
        binary(operator, registerValue(isPosted), constant(0));
      this.#own(place, chosen, { kind: 'assume', condition: condition('!=') }, origin);
      this.#own(chosen, next, call, origin);
      this.#own(place, next, { kind: 'assume', condition: condition('==') }, origin);
      place = next;
    }
  }

  #own(from: LocationId, to: LocationId, instruction: EventInstruction, origin: Origin): void {
    this.#steps.push({ from, to, instruction, origin });
  }

  get #cell(): Expression {
    return { kind: 'address', symbol: this.#flag.symbol };
  }

  #tell(value: number): Instruction {
    return { kind: 'store', address: this.#cell, value: constant(value) };
  }
}

function callOf({ body, arguments: given }: Invocation): EventCall {
  return { kind: 'call', body, arguments: given };
}

/**
 * Returns the body with instructions of threads only; lock blocks contain no other instructions.
 */
function threadOf(body: Body) {
  const transitions = body.transitions.map((step) => ({
    ...step,
    instruction: isOfThreads(step.instruction) ? step.instruction : ({ kind: 'skip' } as const),
  }));
  return { ...body, transitions };
}

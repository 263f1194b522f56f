import { at } from '@fencewright/ground/base/at.js';
import {
  computeControlFlow,
  computeReachableAvoiding,
} from '@fencewright/model/analysis/control-flow.js';
import type {
  Body,
  BodyId,
  EventInstruction,
  MilestoneId,
  PostedTo,
  EventCall,
} from '@fencewright/model/program/event-program.js';
import { registerValue, type Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, SymbolId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Transition } from '@fencewright/model/program/program.js';
import { mapInstruction, substituteRegisters } from '@fencewright/model/program/rewrite.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { BoundHit } from './bounds.js';
import type { TaskNode, TransitionMeaning } from './lowered-program.js';
import { giveArgument, post } from './mailboxes.js';
import type { ThreadWriter } from './thread-writer.js';

/** An invocation of a body inside of a task, whose code is inlined into a thread. */
export interface InlinedInvocation {
  readonly task: TaskNode;
  readonly body: BodyId;
  /** The first register of the thread that belongs to the invocation. */
  readonly base: RegisterId;
  /** The bodies on the call path from the handler to this invocation, inclusive. */
  readonly chain: readonly BodyId[];
  /** Whether a task may execute the invocation more than once. */
  readonly isRepeated: boolean;
}

/**
 * An argument of a task: equal for all postings of the task (`known`), or passed through a mailbox
 * (`handed`).
 */
export type TaskArgument =
  | { readonly kind: 'known'; readonly value: number }
  | { readonly kind: 'handed'; readonly mailbox: SymbolId };

/** A task to be posted, with its mailbox and arguments. */
export interface Posting {
  readonly kind: 'task';
  readonly task: TaskNode;
  readonly mailbox: SymbolId;
  readonly arguments: readonly TaskArgument[];
}

/**
 * A place at which a thread passes a milestone. Between the two locations, the thread posts the
 * messages to the waiting handlers.
 */
export interface PassingPlace {
  readonly from: LocationId;
  readonly to: LocationId;
  readonly site: Site;
}

/** The thread and the bounds that `writeBody` uses to write the code of bodies. */
export interface Target {
  readonly writer: ThreadWriter;
  readonly bodies: readonly Body[];
  /** Whether a fence is written before every posting. */
  readonly isFenced: boolean;
  /** The maximum number of postings by one instruction of a task in a loop. */
  readonly mostPostings: number;
  /**
   * Returns the bound that an invocation of a body would exceed after the invocations in `chain`;
   * `undefined` if the invocation is allowed.
   */
  readonly tooDeep: (chain: readonly BodyId[], body: BodyId) => BoundHit | undefined;
  /**
   * Adds a task with the given arguments to a call tree. If a bound forbids the task, returns the
   * bound instead.
   */
  readonly addTask: (
    frame: InlinedInvocation,
    body: BodyId,
    to: PostedTo,
    given: readonly Expression[],
  ) => Posting | BoundHit;
  /** Records a place at which the thread passes a milestone. */
  readonly addPass: (milestone: MilestoneId, place: PassingPlace) => void;
  readonly cut: (from: LocationId, bound: BoundHit) => void;
}

type Post = Extract<EventInstruction, { kind: 'post' }>;

/**
 * Writes the code of a body after the location `entry` of a thread; `exit` writes the transitions
 * from the ends of the body.
 */
export function writeBody(
  target: Target,
  frame: InlinedInvocation,
  entry: LocationId,
  exit: (end: LocationId) => void,
): void {
  const { writer } = target;
  const body = at(target.bodies, frame.body);
  writer.reach(frame.base + body.registers.length);
  const places = body.locations.map(() => writer.location());
  writer.write(entry, at(places, body.initial), { kind: 'skip' });
  const isOnCycle = ({ from, to }: Transition<EventInstruction>) =>
    computeReachableAvoiding(body, to, () => false)[from] === true;
  body.transitions.forEach((transition, id) => {
    const { instruction, origin } = transition;
    const from = at(places, transition.from);
    const to = at(places, transition.to);
    const site = { body: frame.body, transition: id };
    const step = { kind: 'step', task: frame.task, site } as const;
    switch (instruction.kind) {
      case 'call':
        writeCall(
          target,
          { ...frame, isRepeated: frame.isRepeated || isOnCycle(transition) },
          instruction,
          site,
          writer.then(from, { kind: 'skip' }, step, origin),
          (end) => writer.write(end, to, { kind: 'skip' }, step, origin),
        );
        break;
      case 'post':
        writePosts(
          target,
          { ...frame, isRepeated: frame.isRepeated || isOnCycle(transition) },
          instruction,
          id,
          from,
          to,
        );
        break;
      case 'pass': {
        const isRepeated = frame.isRepeated || isOnCycle(transition);
        writePass(target, instruction.milestone, step, isRepeated, from, to);
        break;
      }
      default:
        writer.write(from, to, shifted(instruction, frame.base), step, origin);
    }
  });
  const { outgoing } = computeControlFlow(body);
  places.forEach((place, location) => {
    if (outgoing[location]?.length === 0) exit(place);
  });
}

/**
 * Writes the code that passes a milestone. Messages to the waiting handlers are posted only the
 * first time, so that passing the milestone again orders nothing. `isRepeated`: whether the
 * milestone may be passed again.
 */
function writePass(
  { writer, addPass }: Target,
  milestone: MilestoneId,
  step: Extract<TransitionMeaning, { kind: 'step' }>,
  isRepeated: boolean,
  from: LocationId,
  to: LocationId,
): void {
  const told = (place: LocationId): void => {
    const first = writer.then(place, { kind: 'skip' }, step);
    addPass(milestone, { from: first, to, site: step.site });
  };
  if (!isRepeated) {
    told(from);
    return;
  }
  const counter = writer.counter();
  told(writer.countUp(from, counter, 0));
  writer.write(writer.test(from, counter, 1), to, { kind: 'skip' }, step);
}

/** Returns the instruction with the number of each of its registers increased by `base`. */
function shifted(instruction: Instruction, base: RegisterId): Instruction {
  const moved = mapInstruction(instruction, (expression) => inFrame(expression, base));
  return 'into' in moved && moved.into !== undefined
    ? { ...moved, into: moved.into + base }
    : moved;
}

function inFrame(expression: Expression, base: RegisterId): Expression {
  return substituteRegisters(expression, (register) => registerValue(register + base));
}

function writeCall(
  target: Target,
  { task, body, base, chain, isRepeated }: InlinedInvocation,
  call: EventCall,
  site: Site,
  from: LocationId,
  comeBack: (end: LocationId) => void,
): void {
  const tooDeep = target.tooDeep(chain, call.body);
  if (tooDeep) {
    target.cut(from, tooDeep);
    return;
  }
  const { writer, bodies } = target;
  const callee = at(bodies, call.body);
  const first = base + at(bodies, body).registers.length;
  let entry = from;
  call.arguments.forEach((argument, i) => {
    entry = writer.assign(entry, first + i, inFrame(argument, base), { kind: 'inside', site });
  });
  entry = writer.clear(entry, first + callee.parameters, first + callee.registers.length);
  const frame = { task, body: call.body, base: first, chain: [...chain, call.body], isRepeated };
  writeBody(target, frame, entry, comeBack);
}

/**
 * Writes the code of a posting; a posting in a loop is written as often as the bounds allow, one
 * copy after another.
 */
function writePosts(
  target: Target,
  frame: InlinedInvocation,
  instruction: Post,
  transition: number,
  from: LocationId,
  to: LocationId,
): void {
  const { writer, mostPostings } = target;
  if (!frame.isRepeated) {
    writePost(target, frame, instruction, transition, from, to);
    return;
  }
  const counter = writer.counter();
  for (let number = 0; number < mostPostings; number++)
    writePost(target, frame, instruction, transition, writer.countUp(from, counter, number), to);
  target.cut(writer.countUp(from, counter, mostPostings), {
    kind: 'postings',
    body: frame.body,
    most: mostPostings,
  });
}

function writePost(
  target: Target,
  frame: InlinedInvocation,
  instruction: Post,
  transition: number,
  from: LocationId,
  to: LocationId,
): void {
  const { writer } = target;
  const given = instruction.arguments.map((argument) => inFrame(argument, frame.base));
  const posting = target.addTask(frame, instruction.body, instruction.to, given);
  if (posting.kind !== 'task') {
    target.cut(from, posting);
    return;
  }
  const { task: posted, mailbox } = posting;
  const site = { body: frame.body, transition };
  let place = target.isFenced ? writer.then(from, { kind: 'fence' }) : from;
  for (const [i, argument] of posting.arguments.entries())
    if (argument.kind === 'handed')
      place = writer.then(place, giveArgument(argument.mailbox, at(given, i)), {
        kind: 'argument',
        task: posted,
        index: i,
        side: 'post',
        site,
      });
  writer.write(place, to, post(mailbox), { kind: 'post', task: frame.task, site, posted });
}

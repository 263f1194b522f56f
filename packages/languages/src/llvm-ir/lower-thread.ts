import { at } from '@fencewright/ground/base/at.js';
import { mayRemoveTag } from './tag-sums.js';
import { atPointer, questionSite } from './asked-values.js';
import { CurrentPlace } from './current-place.js';
import { calledFunction, calledFunctions } from './called-function.js';
import { CodeCopies } from './code-copies.js';
import { constant, negate, binary, registerValue } from '@fencewright/model/program/expression.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import { GraphWriter } from './graph-writer.js';
import { knownFunction } from './known-functions.js';
import { KnownAccesses } from './known-accesses.js';
import { chosenPhis } from './phis.js';
import {
  copyState,
  innermost,
  instructionAt,
  type CallFrame,
  type LoweringState,
} from './lowering-state.js';
import { ThreadCreation } from './lower-creation.js';
import { assemblyRefused } from './lift-assembly.js';
import { AccessLowering } from './lower-access.js';
import { OutputLowering } from './lower-outputs.js';
import { ValueLowering } from './lower-values.js';
import type { Lowering } from './lowering.js';
import { OpenLoops } from './open-loops.js';
import { type Arrival, type PathMeeting, type Pending, PendingPaths } from './pending-paths.js';
import { PathJoins } from './path-joins.js';
import type { SourcePlaces } from './places.js';
import type { Refuse, ThreadEntry } from './thread-entry.js';
import { ThreadRefusals } from './thread-refusals.js';
import { ShapeTable } from './shape-table.js';
import {
  isAccessStep,
  type FaultReason,
  type LockManner,
  type StepNode,
  type LoweredStep,
  type StepGraph,
} from './step.js';
import type {
  IrFunction,
  IrInstruction,
  IrOperation,
  IrValue,
  Typed,
  IrOperationOf,
} from './syntax.js';
import { lonelyEnd, unknownInstruction, Unsupported, withoutBody } from './unsupported.js';
import { Unwinding } from './unwinding.js';
import { nothing, numberValue, toExpression, type LoweredValue } from './value.js';
import type { Round } from './world.js';

/** Ends the current path of the lowering; other paths continue. */
class PathEnd extends Error {}

/**
 * The error thrown at each end of a path. All ends share one error, since each new error would
 * collect a stack trace.
 */
const pathEnd = new PathEnd();

/**
 * Returns the graph of a thread: a partial evaluation of its function, with all calls inlined.
 * Where paths meet, variables with different values get registers. Passes over the code are
 * repeated until nothing changes.
 */
export function lowerThread(
  round: Round,
  places: SourcePlaces,
  entry: ThreadEntry,
  refuse: Refuse,
): StepGraph {
  const shapes = new ShapeTable(round);
  for (;;) {
    const lowering = new ThreadLowering(round, places, entry, shapes);
    const graph = lowering.run();
    if (lowering.joins.areWrong && !lowering.refusals.isTooLong) continue;
    lowering.refusals.tell(graph, refuse);
    round.awaited.push(...lowering.known.awaitedIn(graph, round.world.linked));
    return graph;
  }
}

/** One pass over the code of a thread. */
class ThreadLowering implements Lowering {
  readonly writer = new GraphWriter();
  readonly memory: AccessLowering;
  readonly threads: ThreadCreation;
  readonly values: ValueLowering;
  readonly outputs: OutputLowering;
  readonly exceptions: Unwinding;
  readonly #pending = new PendingPaths();
  readonly #place: CurrentPlace;
  state: LoweringState;
  #node: StepNode = 0;
  readonly known = new KnownAccesses();
  readonly refusals: ThreadRefusals;
  readonly #copies: CodeCopies;
  readonly #loops: OpenLoops;
  readonly joins: PathJoins;

  constructor(
    readonly round: Round,
    readonly places: SourcePlaces,
    readonly entry: ThreadEntry,
    readonly shapes: ShapeTable,
  ) {
    this.state = copyState(entry.state);
    this.#place = new CurrentPlace(places, entry.origin);
    this.#copies = new CodeCopies(this);
    this.memory = new AccessLowering(this);
    this.threads = new ThreadCreation(this);
    this.values = new ValueLowering(this, this.memory.blocks);
    this.outputs = new OutputLowering(this);
    this.exceptions = new Unwinding(this);
    this.refusals = new ThreadRefusals(round, entry);
    const { known, memory, outputs, refusals, writer } = this;
    this.#loops = new OpenLoops(this.#pending);
    this.joins = new PathJoins(writer, shapes, this.#loops);
    this.#loops.growing.push(writer, known, outputs, memory.blocks, this.joins, refusals);
  }

  get thread(): number {
    return this.entry.id;
  }

  get isUnrolled(): boolean {
    return this.#copies.areMade;
  }

  run(): StepGraph {
    const initial = this.writer.node();
    this.#node = initial;
    this.outputs.begin();
    this.#takeArgument();
    this.#pending.addPath({ state: this.state, node: this.#node });
    for (let next = this.#loops.next(); next; next = this.#loops.next()) this.#follow(next);
    return this.outputs.withTextsJudged(this.writer.graph(initial), this.refuse);
  }

  get refuse(): Refuse {
    return this.refusals.add;
  }

  noteKnownAccess(does: 'load' | 'store', address: number, size: number): void {
    const instruction = !this.isInLibrary && instructionAt(innermost(this.state));
    this.known.note({ does, address, size, node: this.#node, instruction });
  }

  #takeArgument(): void {
    const { argument } = this.entry;
    const frame = innermost(this.state);
    const [parameter] = frame.flow.of.parameters;
    if (!argument || !parameter) return;
    const { address, size } = argument;
    const into = this.register('argument', parameter.name);
    this.emit({ kind: 'load', into, address: constant(address), size });
    frame.locals.set(parameter.name, { kind: 'expression', expression: registerValue(into) });
    const isStored = { isStored: true, isComputed: true };
    this.round.world.facts.touch(this.thread, address, size, isStored);
  }

  /** Follows a path until control ends or reaches a point where paths meet. */
  #follow(pending: Pending): void {
    let isJoining = pending.kind !== 'path';
    try {
      if (pending.kind === 'path') {
        // A loop that is lowered again follows the path once more.
        this.state = this.#loops.areAny ? copyState(pending.state) : pending.state;
        this.#node = pending.node;
      } else this.#join(pending);
      isJoining = false;
      for (;;) {
        const instruction = instructionAt(innermost(this.state));
        this.spend(1);
        this.#step(instruction);
      }
    } catch (problem) {
      if (problem === pathEnd) return;
      if (!(problem instanceof Unsupported)) throw problem;
      this.round.world.isRefusedOnPaths = true;
      if (!isJoining && this.#endsLate(problem)) return;
      this.refuse(this.origin, problem.message, problem.hint);
      if (this.refusals.isTooLong) this.#loops.clear();
    }
  }

  /**
   * Ends the path in a limit of the model at a statement without a model, and returns true; returns
   * false if such statements refuse the program.
   */
  #endsLate(problem: Unsupported): boolean {
    const fault = this.refusals.faultFor(problem, this.origin);
    if (fault) this.emit(fault);
    return fault !== undefined;
  }

  /** Counts `steps` instructions against the limit. Throws `Unsupported`. */
  spend(steps: number): void {
    this.refusals.spend(steps);
  }

  beginTail(): void {
    this.refusals.beginTail();
  }

  get isInLibrary(): boolean {
    return this.places.isInLibrary(innermost(this.state).flow.of);
  }

  get origin(): Origin {
    return this.#place.in(this.state).origin;
  }

  /**
   * Appends a step; control continues after the step. No fence may stand before a step that
   * `isInner`, in the midst of an instruction.
   */
  emit(step: LoweredStep, isInner = false): void {
    const { origin, state } = this;
    const place = this.#place.in(state).hidden;
    const isHidden = place !== '' && state.hiddenAt === place;
    this.#node = this.writer.step(this.#node, step, origin, isInner || isHidden);
    if (isAccessStep(step)) {
      state.hiddenAt = place;
      if (step.address.kind !== 'constant' || mayRemoveTag(step))
        this.round.sites.set(step, questionSite(this));
    }
    if (this.thread === 0) this.round.noteOfMain(step);
  }

  /** Ends the path, after a last step if given. */
  end(step?: LoweredStep): never {
    if (step) this.emit(step);
    throw pathEnd;
  }

  /** Continues if the condition holds; otherwise the execution faults. */
  guard(condition: Expression, reason: FaultReason): void {
    if (condition.kind === 'constant') {
      if (condition.value === 0) this.end({ kind: 'fault', reason });
      return;
    }
    const { writer, origin } = this;
    const wrong = writer.step(this.#node, { kind: 'assume', condition: negate(condition) }, origin);
    writer.emit(wrong, writer.node(), { kind: 'fault', reason }, origin);
    this.emit({ kind: 'assume', condition });
  }

  register(key: string, name: string): RegisterId {
    return this.writer.register(key, name);
  }

  /** Returns the register for the result of the current instruction. */
  resultRegister(part = ''): RegisterId {
    const frame = innermost(this.state);
    const { result = '' } = instructionAt(frame);
    return this.register(`${frame.path}%${result || frame.next}${part}`, result || 'result');
  }

  // Control flow

  #step(instruction: IrInstruction): void {
    if (this.state.hiddenAt !== '' && !this.places.isHidden(innermost(this.state)))
      this.state.hiddenAt = '';
    const { operation, result } = instruction;
    switch (operation.kind) {
      case 'jump':
        this.goTo(operation.to);
        return;
      case 'branch':
        this.#branch(operation);
        return;
      case 'switch':
        this.#switch(operation);
        return;
      case 'return':
        this.return(operation.value ? this.value(operation.value) : nothing);
        return;
      case 'call':
        this.#call(operation);
        return;
      case 'unreachable':
        this.end({ kind: 'fault', reason: 'trap' });
        return;
      case 'resume':
        this.exceptions.resume(this.value(operation.exception));
        return;
      default: {
        const value = this.values.compute(operation) ?? this.#access(operation);
        if (operation.kind === 'compare') this.#inEachTruth(value);
        this.finish(result, value);
      }
    }
  }

  /**
   * Continues separately with 0 and 1 if the truth value of the current instruction is unknown and
   * `main` has not started a thread: the value may decide how many threads `main` starts.
   */
  #inEachTruth(value: LoweredValue): void {
    const isSplit = this.thread === 0 && this.isUnrolled && this.state.created.length === 0;
    if (!isSplit || value.kind !== 'expression') return;
    this.state.isTrunk = false;
    const both = [negate(value.expression), value.expression];
    const way = (condition: Expression, truth: number): LoweredValue => {
      this.emit({ kind: 'assume', condition });
      return numberValue(truth);
    };
    this.inEachWay(both.map((each, truth) => () => way(each, truth)));
  }

  /** Performs the memory access of an instruction and returns its result. */
  #access(operation: IrOperation): LoweredValue {
    const { memory, values } = this;
    switch (operation.kind) {
      case 'fence':
        memory.fence(operation);
        return nothing;
      case 'alloca': {
        const { count } = operation;
        const message = 'the size of an array has to be known';
        return memory.allocate(operation, count ? Number(values.number(count, message)) : 1);
      }
      case 'load':
      case 'store':
      case 'modify':
      case 'exchange-if':
        return atPointer(this, values.pointer(operation.address), operation.alignment, (address) =>
          memory.perform(operation, address),
        );
      case 'unknown':
        throw unknownInstruction(operation.name);
      case 'landing':
        return this.exceptions.landed();
      default:
        throw new Unsupported('an instruction stands in a wrong place');
    }
  }

  /** Sets the result of the current instruction and moves on to the next instruction. */
  finish(result: string | undefined, value: LoweredValue): void {
    const frame = innermost(this.state);
    if (result !== undefined) frame.locals.set(result, value);
    frame.next += 1;
  }

  inEachWay(ways: readonly (() => LoweredValue)[], met?: () => void): never {
    const frame = innermost(this.state);
    const { result } = instructionAt(frame);
    const place = `${frame.path}:${frame.block}.${frame.next}`;
    for (const way of ways)
      this.#fork(undefined, () => {
        const { origin } = this;
        this.finish(result, way());
        this.state.hiddenAt = this.#place.in(this.state).hidden;
        this.#meet(place, false, origin, met);
      });
    throw pathEnd;
  }

  /**
   * Adds a path that starts at the current point if `condition` holds, and lowers it by calling
   * `go`. The current path stays at the point.
   */
  #fork(condition: Expression | undefined, go: () => void): void {
    const [state, node] = [copyState(this.state), this.#node];
    if (condition) this.emit({ kind: 'assume', condition });
    try {
      go();
      this.#pending.addPath({ state: this.state, node: this.#node });
    } catch (end) {
      // The other paths continue, also if this one is not supported.
      const isEnd = end === pathEnd || (end instanceof Unsupported && this.#endsLate(end));
      if (!isEnd) throw end;
    }
    this.state = state;
    this.#node = node;
  }

  #branch({ condition, then, otherwise }: IrOperationOf<'branch'>): void {
    const value = this.value({ type: { kind: 'int', bits: 1 }, value: condition });
    if (value.kind === 'number') {
      this.goTo(value.number === 0n ? otherwise : then);
      return;
    }
    const test = toExpression(value);
    this.state.isTrunk = false;
    this.#fork(test, () => {
      this.goTo(then);
    });
    this.emit({ kind: 'assume', condition: negate(test) });
    this.goTo(otherwise);
  }

  #switch({ on, otherwise, cases }: IrOperationOf<'switch'>): void {
    const value = this.value(on);
    const ways = cases.map(({ value: label, to }) => {
      const number = this.values.number({ type: on.type, value: label });
      const go = (): void => {
        this.goTo(to);
      };
      return { number, to, label: toExpression(numberValue(number)), go };
    });
    if (value.kind === 'number') {
      const chosen = ways.find(({ number }) => number === value.number);
      this.goTo(chosen?.to ?? otherwise);
      return;
    }
    this.#forkByValue(toExpression(value), ways);
    this.goTo(otherwise);
  }

  /**
   * Adds a path for each element of `ways`, on which the value equals the element's label. On the
   * current path, the value then equals none of the labels.
   */
  #forkByValue(
    value: Expression,
    ways: readonly { readonly label: Expression; readonly go: () => void }[],
  ): void {
    this.state.isTrunk = false;
    for (const { label, go } of ways) this.#fork(binary('==', value, label), go);
    const [first, ...others] = ways.map(({ label }) => binary('!=', value, label));
    if (!first) return;
    const condition = others.reduce((all, each) => binary('&&', all, each), first);
    this.emit({ kind: 'assume', condition });
  }

  /**
   * Jumps to a block of the innermost call. `isJoint`: other paths may lead to the block as well.
   */
  goTo(label: string, isJoint = innermost(this.state).flow.joints.has(label)): void {
    const frame = innermost(this.state);
    const block = frame.flow.labels.get(label);
    if (block === undefined) throw new Unsupported(`there is no label '${label}'`);
    const { origin } = this;
    frame.previous = at(frame.flow.of.blocks, frame.block).label;
    const { instructions } = at(frame.flow.of.blocks, block);
    const phis = chosenPhis(instructions, frame.previous, (typed) => this.value(typed));
    frame.block = block;
    frame.next = phis.length;
    for (const { result, value } of phis) if (result !== undefined) frame.locals.set(result, value);
    if (isJoint) this.#meet(`${frame.path}:${label}`, true, origin);
  }

  /**
   * Ends the path at a place where paths meet. All paths that reach the place continue together;
   * `met` is called after the paths have been joined. `isBlockStart` as for `ShapeTable.keyOf`.
   */
  #meet(place: string, isBlockStart: boolean, origin: Origin, met?: () => void): never {
    const { state, isUnrolled } = this;
    const key = this.shapes.keyOf(place, state, isBlockStart, isUnrolled);
    if (isUnrolled && this.#copies.areTooMany(place, key)) this.refusals.endTooLong();
    const arrival: Arrival = { state, node: this.#node, origin, met };
    this.#pending.addArrival({ key, isBlockStart }, arrival);
    throw pathEnd;
  }

  /** Joins paths at a meeting. The paths end if the code after the meeting is lowered already. */
  #join(meeting: PathMeeting): void {
    const [first] = meeting.arrivals;
    this.state = first!.state;
    const joined = this.joins.join(meeting, this.isUnrolled);
    if (!joined) throw pathEnd;
    this.state = joined.state;
    this.#node = joined.node;
    first!.met?.();
  }

  // Calls

  #call(operation: IrOperationOf<'call'>): void {
    const { callee, operands } = operation;
    if (callee.kind === 'assembly') throw assemblyRefused(callee);
    const values = operands.map((operand) => ({ type: operand.type, value: operand.value }));
    const of = calledFunction(this, callee);
    if (of) this.call(of, values);
    else this.#callOneOf({ ...operation, operands: values }, callee);
  }

  #callOneOf(operation: IrOperationOf<'call'>, callee: IrValue): void {
    const { pointer, functions } = calledFunctions(this, operation, callee);
    const ways = functions.map((of) => ({
      label: constant(this.round.world.image.addressOf(of.name)),
      go: () => {
        this.call(of, operation.operands, true);
      },
    }));
    this.#forkByValue(pointer, ways);
    this.end({ kind: 'fault', reason: 'unknown-function' });
  }

  /**
   * Calls a function from the current instruction; `isOneOfSeveral`: it is one of several
   * candidates for a call through a pointer.
   */
  call(of: IrFunction, operands: readonly Typed[], isOneOfSeveral = false): void {
    const { world } = this.round;
    const frame = innermost(this.state);
    world.noteCall(of, frame.flow.of, instructionAt(frame));
    const isFirst = world.linked.homes.get(of.name) === this.places.library;
    if (isFirst) this.outputs.called(of.name, operands);
    if (of.blocks.length === 0 || isFirst) {
      const known = knownFunction(of.name);
      if (known) {
        const { memory, threads, exceptions } = this;
        known({ lowering: this, memory, threads, exceptions }, operands);
        return;
      }
    }
    if (of.blocks.length === 0) throw withoutBody(of.name);
    if (this.state.frames.some(({ flow }) => flow.of === of))
      throw new Unsupported(
        `'${of.name}' calls itself: calls are inlined, so recursion is not supported`,
        'write the recursion as a loop',
      );
    const given = operands.map((operand) => this.value(operand));
    const copies = this.memory.bytes.copiesForCall(of, given);
    const isAtomic = /^__VERIFIER_atomic_(?!begin$|end$)/.test(of.name);
    if (isAtomic) this.lock();
    this.state.frames.push({
      flow: world.flowOf(of),
      path: `${frame.path}/${of.name}.${frame.block}.${frame.next}`,
      locals: new Map(
        of.parameters.map(({ name }, i) => {
          const copy = copies.get(i);
          return [name, copy ? numberValue(copy.address) : (given[i] ?? nothing)];
        }),
      ),
      block: 0,
      previous: '',
      next: 0,
      objects: [...copies.values()],
      isAtomic,
      isOneOfSeveral,
    });
    this.#noteName(of);
  }

  /** Names the thread after `of`, if this is the first user function that the thread calls. */
  #noteName(of: IrFunction): void {
    const { places, round, state, thread } = this;
    if (round.namesOfThreads.has(thread) || !places.isShown(of)) return;
    const isFirst = state.frames.slice(0, -1).every(({ flow }) => !places.isShown(flow.of));
    if (isFirst) round.namesOfThreads.set(thread, places.threadNameOf(of));
  }

  /** Returns from the innermost call; a return from the outermost call ends the thread. */
  return(value: LoweredValue): void {
    const { state } = this;
    const frame = innermost(state);
    if (this.thread === 0 && frame.flow.of.name === 'main') this.outputs.ended('return', value);
    if (state.frames.length === 1) this.endThread(value, this.thread === 0 ? 'return' : undefined);
    const { origin } = this;
    this.leave();
    const caller: CallFrame = innermost(state);
    this.finish(instructionAt(caller).result, value);
    if (frame.flow.returns > 1 || frame.isOneOfSeveral)
      this.#meet(`${caller.path}:${caller.block}.${caller.next}`, false, origin);
  }

  /** Removes the innermost call and its locals without continuing after the call. */
  leave(): void {
    const frame = innermost(this.state);
    if (frame.isAtomic) this.unlock();
    this.state.frames.pop();
    for (const object of frame.objects) this.memory.forget(object);
  }

  /** Ends the thread with a result for a join. */
  endThread(value: LoweredValue, isLast?: 'return'): never {
    const isAsked = value.kind === 'number' || value.kind === 'expression';
    if (this.thread !== 0) this.outputs.ended('return', value);
    this.outputs.observe();
    const step = { kind: 'end', ...(isLast && { isLast }) } as const;
    return this.end(isAsked ? { ...step, value: toExpression(value) } : step);
  }

  lock(how: LockManner = {}): void {
    if (this.state.locks === 0) this.emit({ kind: 'lock', ...how });
    this.state.locks += 1;
  }

  unlock(isInner = false): void {
    if (this.state.locks === 0) throw lonelyEnd();
    this.state.locks -= 1;
    if (this.state.locks === 0) this.emit({ kind: 'unlock' }, isInner);
  }

  value(typed: Typed): LoweredValue {
    return this.values.value(typed);
  }

  choose(into: RegisterId, condition: Expression, then: Expression, otherwise: Expression): void {
    const test = { condition, then, otherwise };
    this.#node = this.writer.choose(this.#node, into, test, this.origin);
  }
}

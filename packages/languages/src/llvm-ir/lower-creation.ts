import { type Lowering, runsAlone } from './lowering.js';
import { innermost } from './lowering-state.js';
import { mayStillCall } from './call-graph.js';
import { unknownJoin, unknownStart, Unsupported } from './unsupported.js';
import { expressionValue, numberValue, toExpression, type LoweredValue } from './value.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';

/**
 * The number in the program that is the handle of a thread. The handle of `main` is 1; the number 0
 * is no handle.
 */
export function handleOf(thread: number): number {
  return thread + 1;
}

function threadOfHandle(handle: bigint): number {
  return Number(handle) - 1;
}

/** The maximum number of threads of which one is joined by a handle that memory holds. */
const mostCandidates = 4;

/** Lowers the calls of one thread for creating and joining threads. */
export class ThreadCreation {
  constructor(readonly lowering: Lowering) {}

  /** The handle of a new thread, created by the current call. */
  create(start: LoweredValue, argument: LoweredValue): LoweredValue {
    const { lowering } = this;
    const { round, state } = lowering;
    const { world } = round;
    if (!lowering.isUnrolled) {
      // The next round unrolls the thread's code, unless the code is too long.
      if (world.noteStarting(lowering.thread)) lowering.end();
      const hint = 'call the function that creates the thread by its name';
      throw new Unsupported(unknownStart, hint, undefined, true);
    }
    if (start.kind !== 'number')
      throw new Unsupported(unknownStart, 'name the function in the call that creates the thread');
    const of = world.image.functionAt(Number(start.number));
    if (!of) throw new Unsupported('the start address of a thread is not a function');
    if (of.blocks.length === 0)
      throw new Unsupported(`'${of.name}' has no body`, 'link the file that defines the function');
    const frame = innermost(state);
    const given = argument.kind === 'number' ? argument.number : argument.kind;
    const site = `${lowering.thread}:${frame.path}:${frame.block}.${frame.next}`;
    const key = `${site}#${state.created.length}:${of.name}(${given})`;
    const id = world.threadOf(key, lowering.thread);
    if (state.created.includes(id))
      throw new Unsupported('the number of threads that start here is unknown');
    const isComputed = argument.kind === 'expression';
    // A computed argument has to be stored before the new thread reads it.
    const isOnTrunk = state.isTrunk && round.isQuiet && state.joined.length === 0 && !isComputed;
    const known = round.starts.get(id);
    round.starts.set(id, {
      id,
      by: lowering.thread,
      function: of,
      argument:
        argument.kind === 'number' ? argument.number : isComputed ? 'computed' : 'undefined',
      isOnTrunk: isOnTrunk && known?.isOnTrunk !== false,
      origin: lowering.origin,
    });
    state.created.push(id);
    state.created.sort((a, b) => a - b);
    lowering.emit({
      kind: 'create',
      thread: id,
      ...(isComputed && { argument: toExpression(argument) }),
    });
    return numberValue(handleOf(id));
  }

  /**
   * Whether `main` can end at this join: all threads are joined, no creation or assertion can
   * follow, and `main` has read no memory that threads may store to, so the final state follows
   * from memory. If `main` has read such memory, its code after the join is kept for its outcomes,
   * unless the program is lowered with the option to end `main` at its last join.
   */
  #isDone(): boolean {
    const {
      state,
      round: { world },
    } = this.lowering;
    if (!runsAlone(this.lowering)) return false;
    const checks = ['__fencewright_thread_create', '__fencewright_assert'];
    if (mayStillCall(world.linked, state.frames, checks)) return false;
    if (!world.hasMainLooked || world.manner.endsAtLastJoin) return true;
    world.isTailLowered = true;
    this.lowering.beginTail();
    return false;
  }

  /** The result of a thread, after its end. */
  join(handle: LoweredValue): LoweredValue {
    const { lowering } = this;
    const { state, round } = lowering;
    const candidates = state.created.filter((id) => !state.joined.includes(id));
    const areFew = candidates.length > 0 && candidates.length <= mostCandidates;
    if (handle.kind === 'expression' && areFew) return this.#joinOne(handle.expression, candidates);
    if (handle.kind !== 'number')
      throw new Unsupported(unknownJoin, 'keep the handle where no other thread changes it');
    const id = threadOfHandle(handle.number);
    if (!round.starts.has(id)) throw new Unsupported('the handle joined here is not a thread');
    return this.#joinThread(id);
  }

  /**
   * Joins the thread whose handle is the value of the expression, on a path for each of
   * `candidates`. An execution with any other handle ends at a limit of the model.
   */
  #joinOne(handle: Expression, candidates: readonly number[]): LoweredValue {
    const { lowering } = this;
    lowering.state.isTrunk = false;
    const isHandleOf = (test: '==' | '!=', id: number): void => {
      lowering.emit({ kind: 'assume', condition: binary(test, handle, constant(handleOf(id))) });
    };
    const ways = candidates.map((id) => (): LoweredValue => {
      isHandleOf('==', id);
      return this.#joinThread(id);
    });
    const other = (): LoweredValue => {
      for (const id of candidates) isHandleOf('!=', id);
      return lowering.end({ kind: 'fault', reason: 'library-limit', said: unknownJoin });
    };
    return lowering.inEachWay([...ways, other]);
  }

  #joinThread(id: number): LoweredValue {
    const { lowering } = this;
    const { state } = lowering;
    const into = lowering.resultRegister('.value');
    lowering.emit({ kind: 'join', thread: id, into });
    if (!state.joined.includes(id)) state.joined.push(id);
    state.joined.sort((a, b) => a - b);
    if (this.#isDone()) return lowering.end();
    return expressionValue(registerValue(into));
  }
}

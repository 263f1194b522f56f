import { SeededRandom } from '@fencewright/ground/base/random.js';
import { runOn, step } from './execute.js';
import { type Image, objectAt } from './image.js';
import { monitorsKey } from './monitors.js';
import { forgetWords, keyOf, type Piece, type State } from './state.js';
import { Beyond, NotKnown } from './stop.js';
import { toBytes, type Value } from './value.js';
import { long } from './library-call.js';
import { constantOwner, type Model, World } from './world.js';

/** What an exploration of the executions of a program found. */
export interface Found {
  /** Whether all executions of the program were explored. */
  readonly isComplete: boolean;
  readonly states: number;
  /** The states from which no step is possible, and those in which the process has ended. */
  readonly ends: readonly State[];
  /** Whether a store closed a cycle of happens-before; false if cycles are not looked for. */
  readonly isCyclic: boolean;
}

export interface Exploration {
  readonly model: Model;
  /** Whether to look for cycles of happens-before, and stop at the first. */
  readonly watches?: boolean;
  readonly maxStates: number;
  /** The values of `argc` to explore. */
  readonly argumentCounts?: readonly number[];
}

/** Returns the states before `main` begins; constructors have run. */
function starts(
  image: Image,
  { argumentCounts = [1], watches, model }: Exploration,
): readonly State[] {
  const pieces = new Map<number, Piece>();
  image.globals.forEach(({ address, bytes, isConstant, isThreadLocal }) => {
    if (!isThreadLocal)
      pieces.set(objectAt(address), {
        base: address,
        bytes,
        owner: isConstant ? constantOwner : -1,
      });
  });
  pieces.set(objectAt(image.word), { base: image.word, bytes: [97, 0], owner: -1 });
  const main = image.functionAt.get(image.addressOf.get('main') ?? -1);
  if (main === undefined || typeof main === 'string') throw new NotKnown('no main');
  return argumentCounts.map((count) => {
    const words = toBytes(long, BigInt(image.word));
    const list = Array.from({ length: 8 * (count + 1) }, (_, i) =>
      i < 8 * count ? words[i % 8]! : 0,
    );
    const given = { base: image.words, bytes: list, owner: -1 };
    const empty: State = {
      threads: [],
      pieces: new Map([...pieces, [objectAt(image.words), given]]),
      output: '',
      atExit: [],
      leaving: 0,
      ...(watches && { monitors: new Map() }),
    };
    const world = new World(image, empty, model);
    const operands: Value[] = [count, image.words];
    const constructors = image.constructors.map((fn) => world.frameOf(world.codeAt(fn), [], true));
    world.addThread([world.frameOf(main, operands), ...constructors.toReversed()]);
    return world.state;
  });
}

/** A possible move in a state: a step of a thread, or the commit of its oldest buffered store. */
interface Move {
  readonly thread: number;
  readonly isCommit: boolean;
}

function movesOf({ threads, section, end }: State): readonly Move[] {
  if (end) return [];
  const able = section ? [threads[section.thread]!] : threads;
  return able.flatMap(({ id, buffer, status }) => [
    ...(status === 'running' ? [{ thread: id, isCommit: false }] : []),
    ...(buffer.length > 0 ? [{ thread: id, isCommit: true }] : []),
  ]);
}

interface Next {
  readonly state: State;
  readonly isCyclic: boolean;
}

/** Returns all successors of a move; none if the move has to wait. */
function follow(image: Image, state: State, move: Move, model: Model): readonly Next[] {
  const found: Next[] = [];
  const plans: number[][] = [[]];
  for (let plan = plans.pop(); plan; plan = plans.pop()) {
    const world = new World(image, state, model, plan);
    const isDone = move.isCommit ? (world.commit(move.thread), true) : step(world, move.thread);
    // A new thread executes its invisible steps.
    for (let id = state.threads.length; id < world.threadCount; id++) runOn(world, id);
    for (let i = plan.length; i < world.choices.length; i++)
      for (let other = 1; other < world.choices[i]!; other++)
        plans.push([...plan, ...Array.from({ length: i - plan.length }, () => 0), other]);
    if (!isDone) continue;
    found.push({ state: world.state, isCyclic: world.isCyclic });
  }
  return found;
}

function followIfShort(
  image: Image,
  state: State,
  move: Move,
  model: Model,
): readonly Next[] | 'beyond' {
  try {
    return follow(image, state, move, model);
  } catch (failure) {
    if (failure instanceof Beyond) return 'beyond';
    throw failure;
  }
}

function keyFor(state: State): string {
  if (!state.monitors || state.monitors.size === 0) return keyOf(state, '');
  const places = new Map<string, string>();
  for (const { id, buffer } of state.threads)
    buffer.forEach(({ serial }, i) => places.set(`${id}.${serial}`, `${id}.${i}`));
  return keyOf(
    state,
    monitorsKey(state.monitors, (store) => places.get(store)!),
  );
}

/** Explores all executions of a program, up to a limit on states. */
export function explore(image: Image, options: Exploration): Found {
  forgetWords();
  const seen = new Set<string>();
  const stack: State[] = [];
  const ends = new Map<string, State>();
  let isCyclic = false;
  let isComplete = true;
  const visit = (state: State): void => {
    const key = keyFor(state);
    if (seen.has(key)) return;
    seen.add(key);
    stack.push(state);
  };
  starts(image, options).forEach(visit);
  for (let state = stack.pop(); state; state = stack.pop()) {
    if (seen.size > options.maxStates) {
      isComplete = false;
      break;
    }
    let isOver = true;
    for (const move of movesOf(state)) {
      const followed = followIfShort(image, state, move, options.model);
      if (followed === 'beyond') isComplete = isOver = false;
      else
        for (const next of followed) {
          isOver = false;
          if (next.isCyclic) isCyclic = true;
          else visit(next.state);
        }
    }
    if (isCyclic) break;
    if (isOver) ends.set(keyFor(state), state);
  }
  return {
    isComplete: isComplete && !isCyclic,
    states: seen.size,
    ends: [...ends.values()],
    isCyclic,
  };
}

/** Runs a program a number of times with random choices. */
export function runRandomly(
  image: Image,
  options: Exploration & { readonly runs: number; readonly seed: number },
): Found {
  const random = new SeededRandom(options.seed);
  const ends: State[] = [];
  let states = 0;
  let isCyclic = false;
  for (let run = 0; run < options.runs; run++) {
    const begun = starts(image, options);
    let state = begun[random.below(begun.length)]!;
    for (let count = 0; count < options.maxStates; count++) {
      const moves = [...movesOf(state)];
      let next: Next | undefined;
      while (!next && moves.length > 0) {
        const [move] = moves.splice(random.below(moves.length), 1);
        const all = follow(image, state, move!, options.model);
        next = all[random.below(all.length)];
      }
      if (!next) {
        ends.push(state);
        break;
      }
      isCyclic ||= next.isCyclic;
      if (next.isCyclic) break;
      states += 1;
      state = next.state;
    }
  }
  return { isComplete: false, states, ends, isCyclic };
}

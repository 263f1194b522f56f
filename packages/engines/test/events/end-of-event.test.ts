import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { reachEvents } from '@fencewright/model/events/reach-events.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';

// The judge: the final memories of small programs of events, by a direct reading of "event `b`
// begins once event `a` has ended", with no milestones. Bodies are lists of operations.

type Operation =
  | { readonly kind: 'store'; readonly to: number; readonly value: number }
  | { readonly kind: 'copy'; readonly from: number; readonly to: number }
  | { readonly kind: 'post'; readonly body: string; readonly target: 'main' | 'any' };

interface Story {
  readonly bodies: ReadonlyMap<string, readonly Operation[]>;
  readonly events: readonly string[];
  /** The event that starts only after the end of the first event. */
  readonly waits: string;
}

interface Task {
  readonly body: string;
  readonly root: number;
  readonly target: 'main' | 'any';
  readonly at: number;
  /** The value that the task has loaded by a copying statement and not yet stored. */
  readonly loaded: number | undefined;
  readonly hasBegun: boolean;
  readonly id: number;
}

interface State {
  readonly memory: readonly number[];
  readonly tasks: readonly Task[];
  readonly started: readonly boolean[];
  /**
   * By thread, the stores that wait in its buffer. Main is thread -1; each background task is a
   * thread of its own.
   */
  readonly buffers: ReadonlyMap<number, readonly (readonly [number, number])[]>;
  readonly next: number;
}

const cells = ['x', 'y', 'z'];

function successors({ bodies, events, waits }: Story, state: State, isTso: boolean): State[] {
  const found: State[] = [];
  const { memory, tasks, started, buffers, next } = state;
  const isMainBusy = tasks.some(({ target, hasBegun }) => target === 'main' && hasBegun);
  const hasEnded = started[0] === true && !tasks.some(({ root }) => root === 0);
  if (!isMainBusy)
    events.forEach((body, root) => {
      if (started[root] || (body === waits && !hasEnded)) return;
      const task: Task = {
        body,
        root,
        target: 'main',
        at: 0,
        loaded: undefined,
        hasBegun: true,
        id: next,
      };
      found.push({
        ...{ ...state, tasks: [...tasks, task], next: next + 1 },
        started: started.map((one, i) => one || i === root),
      });
    });
  tasks.forEach((task, i) => {
    const others = tasks.filter((_, j) => j !== i);
    const becomes = (changed: Partial<Task>, more: Partial<State> = {}): void => {
      const rest = more.tasks ?? others;
      found.push({ ...state, ...more, tasks: [...rest, { ...task, ...changed }] });
    };
    if (!task.hasBegun) {
      if (task.target === 'any' || !isMainBusy) becomes({ hasBegun: true });
      return;
    }
    const operation = bodies.get(task.body)![task.at];
    const thread = task.target === 'main' ? -1 : task.id;
    const pending = buffers.get(thread) ?? [];
    const done = { at: task.at + 1, loaded: undefined };
    const store = (to: number, value: number): void => {
      if (isTso)
        becomes(done, { buffers: new Map(buffers).set(thread, [...pending, [to, value]]) });
      else becomes(done, { memory: memory.with(to, value) });
    };
    switch (operation?.kind) {
      case undefined:
        found.push({ ...state, tasks: others });
        return;
      case 'store':
        store(operation.to, operation.value);
        return;
      case 'copy': {
        const own = pending.findLast(([cell]) => cell === operation.from);
        if (task.loaded === undefined) becomes({ loaded: own ? own[1] : memory[operation.from]! });
        else store(operation.to, task.loaded);
        return;
      }
      case 'post': {
        const { body, target } = operation;
        const posted: Task = {
          body,
          root: task.root,
          target,
          at: 0,
          loaded: undefined,
          hasBegun: false,
          id: next,
        };
        becomes(done, { tasks: [...others, posted], next: next + 1 });
      }
    }
  });
  for (const [thread, [first, ...rest]] of buffers)
    if (first)
      found.push({
        ...{ ...state, memory: memory.with(first[0], first[1]) },
        buffers: new Map(buffers).set(thread, rest),
      });
  return found;
}

/** Returns the final memories, and whether the waiting event can begin at all. */
function finals(story: Story, isTso: boolean): readonly string[] {
  const start: State = {
    memory: cells.map(() => 0),
    tasks: [],
    started: story.events.map(() => false),
    buffers: new Map(),
    next: 0,
  };
  const keyOf = ({ memory, tasks, started, buffers }: State): string =>
    JSON.stringify([memory, tasks, started, [...buffers].filter(([, { length }]) => length > 0)]);
  const seen = new Map([[keyOf(start), start]]);
  const ends = new Set<string>();
  for (const state of seen.values()) {
    const next = successors(story, state, isTso);
    if (next.length === 0 && state.started.every(Boolean)) ends.add(state.memory.join(' '));
    for (const one of next) seen.set(keyOf(one), one);
  }
  return [...ends].sort();
}

function randomStory(random: SeededRandom): Story {
  const cell = (): number => random.below(cells.length);
  const access = (): Operation =>
    random.below(2) === 0
      ? { kind: 'store', to: cell(), value: 1 + random.below(2) }
      : { kind: 'copy', from: cell(), to: cell() };
  const list = (most: number): Operation[] =>
    Array.from({ length: 1 + random.below(most) }, access);
  const target = (): 'main' | 'any' => (random.below(3) === 0 ? 'main' : 'any');
  const depth = random.below(3);
  const bodies = new Map<string, readonly Operation[]>();
  const withPost = (operations: readonly Operation[], body: string | undefined) =>
    body === undefined
      ? operations
      : operations.toSpliced(random.below(operations.length + 1), 0, {
          ...{ kind: 'post' as const, body, target: target() },
        });
  bodies.set('a', withPost(list(2), depth > 0 ? 'p' : undefined));
  if (depth > 0) bodies.set('p', withPost(list(1), depth > 1 ? 'q' : undefined));
  if (depth > 1) bodies.set('q', list(1));
  bodies.set('b', list(2));
  return { bodies, events: ['a', 'b'], waits: 'b' };
}

function textOf({ bodies, events, waits }: Story, isWaiting: boolean): string {
  const statement = (operation: Operation): string => {
    if (operation.kind === 'store') return `${cells[operation.to]!} = ${operation.value};`;
    if (operation.kind === 'copy')
      return `r = ${cells[operation.from]!}; ${cells[operation.to]!} = r;`;
    return `async[${operation.target}] ${operation.body}();`;
  };
  const texts = [...bodies].map(([name, operations]) => {
    const kind = events.includes(name) ? 'event' : 'procedure';
    return `${kind} ${name}() { local r; ${operations.map(statement).join(' ')} }`;
  });
  const list = events.map((name) =>
    name === waits && isWaiting ? `${name}() after ${events[0]!}` : `${name}()`,
  );
  return `program P var ${cells.join(', ')} ${texts.join(' ')} events ${list.join(', ')}`;
}

const features = [
  'waiting takes states away',
  'with tasks',
  'with tasks of tasks',
  'more states under TSO',
];
const runs = randomRuns(150, 3000, 40);
const seed = randomSeed(20261130);

test(`${runs} random programs in which an event waits for the end of another`, async () => {
  const count = new FeatureCount();
  for (let i = 0; i < runs; i++) {
    const story = randomStory(new SeededRandom(seed + i));
    const text = textOf(story, true);
    const { model, diagnostics } = parseNative(text);
    expect(
      diagnostics.filter(({ severity }) => severity === 'error'),
      text,
    ).toEqual([]);
    if (model?.kind !== 'events') throw new Error(text);
    const { symbols } = model.program;
    const { sc, tso } = await reachEvents(model.program, {});
    const found = [sc, tso].map(({ finalStates }) =>
      finalStates
        .map(({ memory }) => symbols.map(({ base }) => memory.get(base) ?? 0).join(' '))
        .sort(),
    );
    const expected = [finals(story, false), finals(story, true)];
    expect(found, text).toEqual(expected);
    const free = finals({ ...story, waits: '' }, false);
    if (free.length > expected[0]!.length) count.add(['waiting takes states away']);
    if (story.bodies.size > 2) count.add(['with tasks']);
    if (story.bodies.size > 3) count.add(['with tasks of tasks']);
    if (expected[1]!.length > expected[0]!.length) count.add(['more states under TSO']);
  }
  for (const feature of features) expect(count.get(feature), feature).toBeGreaterThan(runs / 30);
});

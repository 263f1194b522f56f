import { at } from '@fencewright/ground/base/at.js';
import {
  compileExpression,
  compileRmw,
  ExecutionFault,
  type Evaluator,
  type RmwEvaluator,
} from '@fencewright/model/program/evaluate.js';
import type { EventInstruction, EventProgram } from '@fencewright/model/program/event-program.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { Transition } from '@fencewright/model/program/program.js';
import type { Site, Task, TaskId } from '@fencewright/model/trace/event-run.js';
import {
  withAction,
  lastStored,
  withNewTask,
  withNode,
  withStored,
  withTask,
  type EventTraceState,
  type TracedTask,
} from './event-trace-state.js';

/** The semantics of a program of events: many threads under SC or under TSO, or a single thread. */
export type TracedSemantics = 'SC' | 'TSO' | 'single';

/** Limits on the steps of a run, so that every run ends. */
export interface TraceCuts {
  /** The maximum number of steps of a task, in all its frames. */
  readonly steps: number;
  /** The maximum number of frames on the stack of a task. */
  readonly frames: number;
  /** The maximum number of tasks of a run. */
  readonly tasks: number;
  /** The number of instances explored of an event that may have any number of instances. */
  readonly instances: number;
}

interface Ready {
  readonly id: number;
  readonly to: number;
  readonly instruction: EventInstruction;
  readonly address: Evaluator;
  readonly value: Evaluator;
  readonly given: readonly Evaluator[];
  readonly rmw?: RmwEvaluator;
}

/**
 * The machine whose traces are enumerated: a program of events, its semantics and limits on runs.
 */
export interface TracedMachine {
  readonly program: EventProgram;
  readonly semantics: TracedSemantics;
  readonly postingFenced: boolean;
  readonly cuts: TraceCuts;
  readonly bodies: readonly (readonly (readonly Ready[])[])[];
  /** Whether, so far, some task was not followed beyond a limit, or a step had a fault. */
  readonly noted: { isCut: boolean; hasFaults: boolean };
}

const none: Evaluator = () => 0;

function ready(
  { symbols }: EventProgram,
  { instruction, to }: Transition<EventInstruction>,
  id: number,
): Ready {
  const of = (e: Expression | undefined): Evaluator => (e ? compileExpression(e, symbols) : none);
  const parts = instruction as Partial<
    Record<'address' | 'value' | 'condition' | 'where', Expression>
  >;
  return {
    id,
    to,
    instruction,
    address: of(parts.address),
    value: of(parts.value ?? parts.condition ?? parts.where),
    given: 'arguments' in instruction ? instruction.arguments.map(of) : [],
    ...(instruction.kind === 'rmw' && { rmw: compileRmw(instruction.operation, symbols) }),
  };
}

/** Returns the machine for a program, ready to run. */
export function tracedMachine(
  program: EventProgram,
  semantics: TracedSemantics,
  postingFenced: boolean,
  cuts: TraceCuts,
): TracedMachine {
  const bodies = program.bodies.map(({ locations, transitions }) =>
    locations.map((_, location) =>
      transitions.flatMap((transition, id) =>
        transition.from === location ? [ready(program, transition, id)] : [],
      ),
    ),
  );
  const noted = { isCut: false, hasFaults: false };
  return { program, semantics, postingFenced, cuts, bodies, noted };
}

/** Returns the transitions that leave the location at which a task's innermost call is. */
export function leavingOf({ bodies }: TracedMachine, { frames }: TracedTask): readonly Ready[] {
  const { body, location } = at(frames, frames.length - 1);
  return at(at(bodies, body), location);
}

function bufferOf({ buffers }: EventTraceState, thread: number) {
  return buffers.get(thread) ?? [];
}

/**
 * Returns the state after the task has moved on to `step.to`. If `into` is given, register `into`
 * is set to `value`.
 */
function moved(
  state: EventTraceState,
  id: TaskId,
  step: Ready,
  into?: number,
  value = 0,
): EventTraceState {
  const { frames, steps, history } = at(state.tasks, id);
  const top = at(frames, frames.length - 1);
  const registers = top.registers.map((old, r) => (r === into ? value : old));
  return withTask(state, id, {
    frames: [...frames.slice(0, -1), { ...top, location: step.to, registers }],
    steps: steps + 1,
    history: `${history};${step.id}`,
  });
}

function checked({ program: { domain } }: TracedMachine, value: number): number {
  if (domain && (value < domain.low || value > domain.high)) throw new ExecutionFault('domain');
  return value;
}

function load(
  state: EventTraceState,
  id: TaskId,
  step: Ready,
  site: Site,
  cell: number,
  into: number,
) {
  const { thread } = at(state.tasks, id).task;
  const own = bufferOf(state, thread).findLast((store) => store.cell === cell);
  const source = own ? own.node : lastStored(state, cell);
  const value = own ? own.value : (state.memory.get(cell) ?? 0);
  const node = { kind: 'load' as const, cell, ...(source !== undefined && { source }) };
  const after = moved(withNode(state, id, node, `R${cell}`), id, step, into, value);
  const fromBuffer = own !== undefined;
  return withAction(after, { kind: 'load', task: id, site, address: cell, value, fromBuffer });
}

function store(
  machine: TracedMachine,
  state: EventTraceState,
  id: TaskId,
  step: Ready,
  site: Site,
  cell: number,
  value: number,
): EventTraceState {
  const { thread } = at(state.tasks, id).task;
  const node = state.nodes.length;
  const after = moved(withNode(state, id, { kind: 'store', cell }, `W${cell}`), id, step);
  if (machine.semantics !== 'TSO')
    return withAction(withStored(after, node, cell, value), {
      kind: 'store',
      task: id,
      site,
      address: cell,
      value,
    });
  const pending = { node, task: id, site, cell, value };
  const buffers = new Map(after.buffers).set(thread, [...bufferOf(after, thread), pending]);
  return withAction({ ...after, buffers }, { kind: 'issue', task: id, site, address: cell, value });
}

function rmw(
  machine: TracedMachine,
  state: EventTraceState,
  id: TaskId,
  step: Ready,
  site: Site,
  cell: number,
  registers: readonly number[],
): EventTraceState {
  const read = state.memory.get(cell) ?? 0;
  const written = step.rmw?.written(read, registers, 0);
  if (written !== undefined) checked(machine, written);
  const result = step.rmw?.result(written !== undefined, read, registers, 0);
  const source = lastStored(state, cell);
  const into = step.instruction.kind === 'rmw' ? step.instruction.into : undefined;
  const isStore = written !== undefined;
  const node = {
    kind: isStore ? ('rmw' as const) : ('load' as const),
    cell,
    ...(source !== undefined && { source }),
  };
  const noded = withNode(state, id, node, `${isStore ? 'X' : 'R'}${cell}`);
  const place = state.nodes.length;
  const stored = isStore ? withStored(noded, place, cell, written) : noded;
  return withAction(moved(stored, id, step, into, result), {
    kind: 'rmw',
    task: id,
    site,
    address: cell,
    read,
    ...(isStore && { written }),
  });
}

function post(
  state: EventTraceState,
  id: TaskId,
  step: Ready,
  site: Site,
  given: readonly number[],
): EventTraceState {
  const { instruction } = step;
  if (instruction.kind !== 'post') return state;
  const parent = at(state.tasks, id);
  const posted = state.tasks.length;
  const isMain = instruction.to === 'main';
  const task: Task = {
    body: instruction.body,
    arguments: given,
    event: parent.task.event,
    instances: parent.task.instances,
    parent: id,
    thread: isMain ? 0 : state.threads,
  };
  const child = parent.children.length;
  const noded = withNode(state, id, { kind: 'post', posted }, `P${given.join()}`);
  const counted = { ...noded, threads: noded.threads + (isMain ? 0 : 1) };
  const made = withNewTask(counted, task, `${parent.name}/${child}`, [...parent.path, child]);
  const after = withTask(moved(made, id, step), id, { children: [...parent.children, posted] });
  return withAction(after, { kind: 'post', task: id, site, posted });
}

function call(
  machine: TracedMachine,
  state: EventTraceState,
  id: TaskId,
  step: Ready,
  site: Site,
  given: readonly number[],
): EventTraceState {
  if (step.instruction.kind !== 'call') return state;
  const { initial, registers } = at(machine.program.bodies, step.instruction.body);
  const after = moved(state, id, step);
  const frame = {
    body: step.instruction.body,
    location: initial,
    registers: registers.map((_, r) => given[r] ?? 0),
    calledAt: site,
  };
  const { frames } = at(after.tasks, id);
  return withAction(withTask(after, id, { frames: [...frames, frame] }), {
    kind: 'silent',
    task: id,
    site,
  });
}

function pass(
  state: EventTraceState,
  id: TaskId,
  step: Ready,
  site: Site,
  milestone: number,
): EventTraceState {
  const node = state.nodes.length;
  const after = moved(withNode(state, id, { kind: 'pass' }, `M${milestone}`), id, step);
  const passes = after.passes.map((nodes, other) =>
    other === milestone ? [...nodes, node] : nodes,
  );
  return withAction({ ...after, passes }, { kind: 'silent', task: id, site });
}

/** Returns the states after a `havoc`, or after an instruction without memory access. */
function local(
  { program: { domain } }: TracedMachine,
  state: EventTraceState,
  id: TaskId,
  step: Ready,
  site: Site,
  registers: readonly number[],
): readonly EventTraceState[] {
  const { instruction } = step;
  const silent = { kind: 'silent', task: id, site } as const;
  if (instruction.kind === 'assume' && step.value(registers, 0) === 0) return [];
  if (instruction.kind === 'assign')
    return [withAction(moved(state, id, step, instruction.into, step.value(registers, 0)), silent)];
  if (instruction.kind !== 'havoc') return [withAction(moved(state, id, step), silent)];
  const { low, high } = instruction.range ?? domain ?? { low: 0, high: Infinity };
  const results: EventTraceState[] = [];
  if (high - low >= 4096) throw new ExecutionFault('unbounded-choice');
  for (let choice = low; choice <= high; choice++) {
    const chosen = registers.with(instruction.into, choice);
    if (instruction.where !== undefined && step.value(chosen, 0) === 0) continue;
    const after = moved(state, id, step, instruction.into, choice);
    const { history } = at(after.tasks, id);
    results.push(
      withAction(withTask(after, id, { history: `${history}:${choice}` }), { ...silent, choice }),
    );
  }
  return results;
}

/**
 * Returns the states after a transition of a task; empty if the transition blocks. Throws
 * `ExecutionFault`.
 */
function execute(
  machine: TracedMachine,
  state: EventTraceState,
  id: TaskId,
  step: Ready,
): readonly EventTraceState[] {
  const { task, frames } = at(state.tasks, id);
  const { body, registers } = at(frames, frames.length - 1);
  const site = { body, transition: step.id };
  const { instruction } = step;
  const isDrained = bufferOf(state, task.thread).length === 0;
  const given = step.given.map((argument) => argument(registers, 0));
  switch (instruction.kind) {
    case 'load':
      return [load(state, id, step, site, step.address(registers, 0), instruction.into)];
    case 'store': {
      const cell = step.address(registers, 0);
      return [
        store(machine, state, id, step, site, cell, checked(machine, step.value(registers, 0))),
      ];
    }
    case 'rmw':
      if (!isDrained) return [];
      return [rmw(machine, state, id, step, site, step.address(registers, 0), registers)];
    case 'fence':
      return isDrained
        ? [withAction(moved(state, id, step), { kind: 'fence', task: id, site })]
        : [];
    case 'lock': {
      if (!isDrained || state.holder !== undefined) return [];
      const held = { ...moved(state, id, step), holder: task.thread, blocks: state.blocks + 1 };
      return [withAction(held, { kind: 'lock', task: id, site })];
    }
    case 'unlock': {
      if (!isDrained || state.holder !== task.thread) return [];
      const { holder: _released, ...free } = moved(state, id, step);
      return [withAction(free, { kind: 'unlock', task: id, site })];
    }
    case 'post':
      if (machine.postingFenced && !isDrained) return [];
      return [post(state, id, step, site, given)];
    case 'call':
      return [call(machine, state, id, step, site, given)];
    case 'pass':
      return [pass(state, id, step, site, instruction.milestone)];
    default:
      return local(machine, state, id, step, site, registers);
  }
}

/** Whether a limit on runs forbids the task to take the step. */
function isOver(
  { cuts }: TracedMachine,
  state: EventTraceState,
  id: TaskId,
  { instruction }: Ready,
) {
  const { steps, frames } = at(state.tasks, id);
  if (steps >= cuts.steps) return true;
  if (instruction.kind === 'call') return frames.length >= cuts.frames;
  return instruction.kind === 'post' && state.tasks.length >= cuts.tasks;
}

/** Returns the states after each possible next step of a running task. */
export function stepsOfTask(
  machine: TracedMachine,
  state: EventTraceState,
  id: TaskId,
): readonly EventTraceState[] {
  return leavingOf(machine, at(state.tasks, id)).flatMap((step) => {
    if (isOver(machine, state, id, step)) {
      machine.noted.isCut = true;
      return [];
    }
    try {
      return execute(machine, state, id, step);
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
      machine.noted.hasFaults = true;
      return [];
    }
  });
}

/** Returns the state after the innermost call of a task ends. */
export function returnFromCall(
  { semantics }: TracedMachine,
  state: EventTraceState,
  id: TaskId,
): EventTraceState {
  const { frames, children, history } = at(state.tasks, id);
  const { calledAt } = at(frames, frames.length - 1);
  if (calledAt) {
    const after = withTask(state, id, { frames: frames.slice(0, -1), history: `${history};r` });
    return withAction(after, { kind: 'silent', task: id, site: calledAt });
  }
  const after = withTask(state, id, { status: 'done' });
  const line = semantics === 'single' ? [...children, ...state.line] : [];
  return withAction({ ...after, line }, { kind: 'return', task: id });
}

/** Returns the state after a waiting task begins. */
export function beginWaitingTask(
  { program }: TracedMachine,
  state: EventTraceState,
  id: TaskId,
): EventTraceState {
  const { body, arguments: given, thread, parent, instances } = at(state.tasks, id).task;
  const { initial, registers } = at(program.bodies, body);
  const begin = state.nodes.length;
  const awaited = parent === undefined ? (at(program.instances, instances).after ?? []) : [];
  const causes = awaited.map((milestone) => ({ begin, candidates: at(state.passes, milestone) }));
  const names = causes.map(({ candidates }) =>
    candidates
      .map((node) => at(state.nodes, node).name)
      .sort()
      .join('+'),
  );
  const noded = withNode(
    { ...state, causes: [...state.causes, ...causes] },
    id,
    { kind: 'begin' },
    `B${names.join()}`,
  );
  const frame = { body, location: initial, registers: registers.map((_, r) => given[r] ?? 0) };
  const after = {
    ...withTask(noded, id, { status: 'running', frames: [frame] }),
    main: thread === 0 ? [...state.main, id] : state.main,
    line: state.line.filter((other) => other !== id),
  };
  return withAction(after, { kind: 'begin', task: id });
}

/**
 * Returns the state after an instance has started and begun in one step, since nobody can see the
 * start before the begin.
 */
export function startAndBegin(
  machine: TracedMachine,
  state: EventTraceState,
  instances: number,
): EventTraceState {
  const { event: body, arguments: given } = at(machine.program.instances, instances);
  const copy = at(state.started, instances);
  const event = state.tasks.filter(({ task }) => task.parent === undefined).length;
  const id = state.tasks.length;
  const task: Task = { body, arguments: given, event, instances, thread: 0 };
  const made = withNewTask(state, task, `${instances}.${copy}`, []);
  const started = state.started.map((count, i) => (i === instances ? count + 1 : count));
  return beginWaitingTask(
    machine,
    withAction({ ...made, started }, { kind: 'start', task: id }),
    id,
  );
}

/**
 * Returns the state after the oldest store in a thread's buffer reaches memory; `undefined` if the
 * buffer is empty.
 */
export function commit(state: EventTraceState, thread: number): EventTraceState | undefined {
  const [oldest, ...rest] = bufferOf(state, thread);
  if (!oldest) return undefined;
  const { node, task, site, cell, value } = oldest;
  const buffers = new Map(state.buffers).set(thread, rest);
  const after = withStored({ ...state, buffers }, node, cell, value);
  return withAction(after, { kind: 'store', task, site, address: cell, value });
}

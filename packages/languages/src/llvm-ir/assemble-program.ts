import {
  addressSetsIn,
  closeOverValues,
  type AddressSet,
  type ValueClosure,
} from '@fencewright/model/analysis/address-sets.js';
import type { RoughSet } from '@fencewright/model/analysis/number-ends.js';
import { at } from '@fencewright/ground/base/at.js';
import { mayRemoveTag, withTags, type ModifyStep } from './tag-sums.js';
import type { Image } from './image.js';
import { sleeperCells } from './sleeper-cells.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import { binary } from '@fencewright/model/program/expression.js';
import type {
  LocationId,
  RegisterId,
  ThreadId,
  TransitionId,
} from '@fencewright/model/program/ids.js';
import type {
  Origin,
  Program,
  Property,
  SharedSymbol,
  StateExpression,
  Thread,
} from '@fencewright/model/program/program.js';
import { threadCellName } from '@fencewright/model/program/thread-cells.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { checkPiece } from './address-numbers.js';
import { guardFor, isAligned, isInside } from './address-guards.js';
import { nameMemory } from './cell-names.js';
import { codeOf, largestInteger } from './integer-pieces.js';
import { isFollowed, isVisible, liveRegisters, withoutDeadSteps } from './graph-passes.js';
import {
  isAccessStep,
  isUseBeside,
  type AccessStep,
  type LoweredStep,
  type StepEdge,
  type StepGraph,
} from './step.js';
import type { WrittenThread } from './number-thread.js';
import { outputName } from './outputs.js';
import { processEnds } from './process-ends.js';
import { mayAccess, noValue } from './unset-cells.js';
import { Unsupported } from './unsupported.js';
import { numberValue, toExpression, type LoweredValue } from './value.js';
import type { Round, World } from './world.js';
import { areCopies, writeThread, type ThreadCells } from './write-thread.js';

/** A thread of the program, with its code as a graph of steps. */
export interface IrThread {
  /** The number of the thread; 0 for `main`. */
  readonly id: number;
  /** The name of the C function that the thread runs. */
  readonly name: string;
  readonly graph: StepGraph;
}

/** An access whose address is computed at run time. */
interface ComputedAccess {
  /** The number of the thread that does the access; 0 for `main`. */
  readonly id: number;
  readonly step: AccessStep;
  readonly origin: Origin;
  /** The index of the thread in the program; `transition` is the access in the thread. */
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/** A step of a thread that asks for the possible values of a register: see `atEachValue`. */
interface EdgeQuestion {
  readonly step: LoweredStep;
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/** A step that may remove a tag from a pointer. */
interface TagRemoval {
  readonly step: ModifyStep;
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/** A program with its computed accesses; the key of an access is `thread:edge`. */
interface Assembled {
  readonly program: Program;
  readonly questions: readonly EdgeQuestion[];
  readonly accesses: ReadonlyMap<string, ComputedAccess>;
  readonly removals: readonly TagRemoval[];
}

/**
 * An assembled program with the set of possible values of each computed address. The analysis
 * assumes that an access outside all objects ends the execution.
 */
export interface Analysed extends Assembled {
  readonly sets: ReturnType<typeof addressSetsIn>;
  readonly closure: ValueClosure;
}

/**
 * The assembled program with the sets of possible values of all computed addresses; `isOneCopy`:
 * whether each thread runs once, as a single copy.
 */
export function analysed(round: Round, assembled: Assembled, isOneCopy: boolean): Analysed {
  const { program, accesses } = assembled;
  const steps = new Map<string, AccessStep>();
  for (const { thread, transition, step } of accesses.values())
    steps.set(`${thread}:${transition}`, step);
  const isRight = (thread: number, access: number, address: number): boolean => {
    const step = steps.get(`${thread}:${access}`);
    if (step === undefined) return true;
    return isInside(round.world, step, address) && isAligned(round, step, address);
  };
  const removals = new Map(
    assembled.removals.map(({ step, thread, transition }) => [`${thread}:${transition}`, step]),
  );
  const rightOld = (thread: number, access: number, old: RoughSet): RoughSet => {
    const step = removals.get(`${thread}:${access}`);
    return step ? withTags(round, step, old) : old;
  };
  const closure = closeOverValues(program, {
    ...{ isRight, isOneCopy },
    ...(removals.size > 0 && { rightOld }),
  });
  return { ...assembled, closure, sets: addressSetsIn(program, closure) };
}

/**
 * The program made of lowered threads. `before` is the analysed program without guards (checks of
 * addresses before accesses): an access gets a guard unless `before` proves its address right.
 * Without `before`, no access gets a guard.
 */
export function assembleProgram(
  name: string,
  round: Round,
  lowered: readonly IrThread[],
  before?: Analysed,
): Assembled {
  const { world } = round;
  const isMainKept = lowered.some(
    ({ id, graph }) => id === 0 && graph.edges.some(({ step }) => isKept(step, round)),
  );
  const cells = threadCells(round, lowered, isMainKept);
  const threads = lowered
    .filter(({ id }) => id !== 0 || isMainKept)
    .map((thread) => ({ ...thread, graph: withoutIdleSteps(thread.graph, cells) }));
  const alone = threads.flatMap(({ graph }) => [...(graph.outcomes?.values() ?? [])]);
  const { symbols, pointers, nameOf } = symbolsOf(round, cells, alone, before !== undefined);
  const unset = new Set(
    symbols.flatMap(({ base, noValue: none }) => (none === undefined ? [] : [base])),
  );
  const byAddress = new Map(symbols.map(({ base }, i) => [base, i]));
  const written = threads.map(({ id, name: own, graph }, thread) => {
    const knownSet = (edge: number): AddressSet | undefined => {
      const access = before?.accesses.get(`${thread}:${edge}`);
      return access && before?.sets[access.thread]?.[access.transition];
    };
    return writeThread(id, own, graph, {
      cellsOf: (other) => cells.get(other) ?? {},
      symbolAt: (address) => byAddress.get(address),
      guardOf: (edge) => {
        const { step } = at(graph.edges, edge);
        const set = knownSet(edge);
        return set && isAccessStep(step) ? guardFor(world, step, set) : undefined;
      },
      mayBeUnset: (edge) => {
        const { step } = at(graph.edges, edge);
        return isAccessStep(step) && mayAccess(unset, step, knownSet(edge));
      },
    });
  });
  const accesses = new Map<string, ComputedAccess>();
  threads.forEach(({ id, graph }, thread) => {
    graph.edges.forEach(({ step, origin }, edge) => {
      const transition = written[thread]!.accesses.get(edge);
      if (!isAccessStep(step) || step.address.kind === 'constant' || transition === undefined)
        return;
      accesses.set(`${thread}:${edge}`, { id, step, origin, thread, transition });
    });
  });
  const assumptions = world.assumed.all;
  const assumptionsOfC11 = world.assumedOfC11.all;
  const ids = threads.map(({ id }) => id);
  const ends = processEnds({ lowered, ids, written, cells });
  const distinct = named(written.map(({ thread }) => thread));
  return {
    program: {
      name,
      symbols: withThreadCells(symbols, namesOfOwnCells(world.image, cells, distinct, ids)),
      threads: distinct.map((thread, t) => {
        const { done, start } = cells.get(ids[t]!) ?? {};
        const shown = { nameOf, ...(pointers && { pointers }) };
        const ends = {
          ...(done !== undefined && { done }),
          ...(start !== undefined && { created: start }),
        };
        return withShown({ ...thread, ...ends }, written[t]!.outcomes, round, shown);
      }),
      properties: progressProperties(distinct),
      ...(pointers && { pointers }),
      ...freedBlocks(world, distinct),
      ...(ends.length > 0 && { processEnds: ends }),
      ...(assumptions.length > 0 && { assumptions }),
      ...(assumptionsOfC11.length > 0 && { assumptionsOfC11 }),
    },
    accesses,
    questions: questionsOf(threads, written),
    removals: removalsOf(threads, written),
  };
}

/** The steps of the threads that may remove tags from pointers. */
function removalsOf(
  threads: readonly IrThread[],
  written: readonly WrittenThread[],
): readonly TagRemoval[] {
  return threads.flatMap(({ graph }, thread) =>
    graph.edges.flatMap(({ step }, edge): readonly TagRemoval[] => {
      const transition = written[thread]!.accesses.get(edge);
      return mayRemoveTag(step) && transition !== undefined ? [{ step, thread, transition }] : [];
    }),
  );
}

/** The steps of the threads that ask for the possible values of a register. */
function questionsOf(
  threads: readonly IrThread[],
  written: readonly WrittenThread[],
): readonly EdgeQuestion[] {
  return threads.flatMap(({ graph }, thread) =>
    graph.edges.flatMap(({ step }, edge): readonly EdgeQuestion[] => {
      const transition = written[thread]!.assignments.get(edge);
      const isAsked = step.kind === 'assign' && step.isAsked === true;
      return isAsked && transition !== undefined ? [{ step, thread, transition }] : [];
    }),
  );
}

/**
 * The progress properties of the program: one for each label and thread, saying that the thread can
 * always reach the label again. The property's name includes the thread's name if several threads
 * have the label.
 */
function progressProperties(threads: readonly Thread[]): readonly Property[] {
  const places = threads.map(({ transitions }, thread) => {
    const byName = new Map<string, { readonly at: Set<LocationId>; readonly span?: Span }>();
    for (const { from, origin } of transitions) {
      const { label, span } = origin;
      if (label === undefined) continue;
      const known = byName.get(label) ?? { at: new Set(), ...(span && { span }) };
      byName.set(label, known);
      known.at.add(from);
    }
    return { thread, byName };
  });
  const names = new Set(places.flatMap(({ byName }) => [...byName.keys()]));
  return [...names].flatMap((name) => {
    const those = places.filter(({ byName }) => byName.has(name));
    return those.map(({ thread, byName }): Property => {
      const { at: locations, span } = byName.get(name)!;
      const isThere = [...locations].map((location): StateExpression => ({
        kind: 'at',
        thread,
        location,
      }));
      return {
        name: those.length === 1 ? name : `${name} (${threads[thread]!.name})`,
        kind: 'progress',
        condition: isThere.reduce((left, right) => binary('||', left, right)),
        ...(span && { span }),
      };
    });
  });
}

/** Whether the step requires `main` to be a thread of the program. */
function isKept(step: StepEdge['step'], { starts }: Round): boolean {
  if (step.kind === 'create') return starts.get(step.thread)?.isOnTrunk !== true;
  return isVisible(step) || isUseBeside(step);
}

/**
 * The threads that another thread waits for before a visible step. The end of a thread in this set
 * is itself a visible step, and so is the end of each thread that `main` joins.
 */
function awaitedThreads(
  lowered: readonly IrThread[],
  byMain: readonly number[],
): ReadonlySet<number> {
  const awaited = new Set(byMain);
  for (let before = -1; before < awaited.size;) {
    before = awaited.size;
    for (const { id, graph } of lowered) {
      const follows = isFollowed(graph, awaited.has(id));
      for (const { step, to } of graph.edges)
        if (step.kind === 'join' && follows[to]) awaited.add(step.thread);
    }
  }
  return awaited;
}

/**
 * The names, by address, of the cells through which the thread `name` is started, announces its
 * end, and exchanges values.
 */
function ownCells(name: string, cells: ThreadCells = {}): readonly (readonly [number, string])[] {
  return (['start', 'done', 'argument', 'result'] as const).flatMap((use) => {
    const address = cells[use];
    return address === undefined ? [] : [[address, threadCellName(use, name)] as const];
  });
}

/**
 * The names, by address, of all cells that the front end and the library keep for threads; `ids`
 * are the numbers of the threads.
 */
function namesOfOwnCells(
  image: Image,
  cells: ReadonlyMap<number, ThreadCells>,
  threads: readonly Thread[],
  ids: readonly number[],
): ReadonlyMap<number, string> {
  const numbered = threads.map(({ name }, t) => [at(ids, t), name] as const);
  return new Map([
    ...numbered.flatMap(([id, name]) => ownCells(name, cells.get(id))),
    ...sleeperCells(image, new Map(numbered)),
  ]);
}

/** The variables, with names for variables made for threads by the front end. */
function withThreadCells(
  symbols: readonly SharedSymbol[],
  names: ReadonlyMap<number, string>,
): readonly SharedSymbol[] {
  return symbols.map((symbol) => {
    const name = names.get(symbol.base);
    return name === undefined ? symbol : { ...symbol, name, isInternal: true };
  });
}

/**
 * The cells that threads need for starting, for joining, and for passing arguments and results.
 * `isMainKept`: whether `main` is a thread of the program.
 */
function threadCells(
  round: Round,
  lowered: readonly IrThread[],
  isMainKept: boolean,
): ReadonlyMap<number, ThreadCells> {
  const { world, starts } = round;
  const cells = new Map<number, ThreadCells>();
  for (const { id, by, argument, isOnTrunk } of starts.values()) {
    if (by === 0 && !isMainKept) continue;
    cells.set(id, {
      ...(!isOnTrunk && { start: world.cell('start', id) }),
      ...(argument === 'computed' && { argument: world.argumentCell(id).address }),
    });
  }
  const running = lowered.filter(({ id }) => id !== 0 || isMainKept);
  const main = lowered.find(({ id }) => id === 0);
  const byMain = main?.graph.edges.flatMap(({ step }) =>
    step.kind === 'join' ? [step.thread] : [],
  );
  const awaited = awaitedThreads(running, byMain ?? []);
  for (const { id, graph } of running) {
    const follows = isFollowed(graph, awaited.has(id));
    const live = liveRegisters(graph);
    for (const { step, to } of graph.edges)
      if (step.kind === 'join' && follows[to])
        cells.set(step.thread, {
          ...cells.get(step.thread),
          done: world.cell('done', step.thread),
          ...(live[to]!.has(step.into) && { result: world.cell('result', step.thread) }),
        });
  }
  return cells;
}

/**
 * The blocks of memory that threads may free, ascending; none if no thread frees memory.
 */
function freedBlocks({ blocks }: World, threads: readonly Thread[]): Pick<Program, 'freedBlocks'> {
  const areFreed = threads.some(({ transitions }) =>
    transitions.some(({ origin }) => origin.block === 'freed'),
  );
  return areFreed ? { freedBlocks: blocks.allFreed } : {};
}

/** Whether the step frees a block that no other thread may access. */
function isFreeAlone(step: LoweredStep): boolean {
  return step.kind === 'assign' && step.block === 'freed' && !step.isBeside;
}

/**
 * The graph without creations and joins that no other thread can notice. In a thread that joins
 * threads, the graph is also without frees of blocks that no other thread may access, if no visible
 * step follows.
 */
function withoutIdleSteps(graph: StepGraph, cells: ReadonlyMap<number, ThreadCells>): StepGraph {
  const hasJoins = graph.edges.some(({ step }) => step.kind === 'join');
  const follows = isFollowed(graph, false, false);
  const edges = graph.edges.map((edge): StepEdge => {
    const { step, to } = edge;
    const isIdle =
      (step.kind === 'create' &&
        cells.get(step.thread)?.start === undefined &&
        cells.get(step.thread)?.argument === undefined) ||
      (step.kind === 'join' && cells.get(step.thread)?.done === undefined) ||
      (hasJoins && isFreeAlone(step) && !follows[to]);
    return isIdle ? { ...edge, step: { kind: 'skip' } } : edge;
  });
  return edges.some((edge, i) => edge !== graph.edges[i])
    ? withoutDeadSteps({ ...graph, edges })
    : graph;
}

/** The thread, with names of variables and outputs for the registers that final states show. */
function withShown(
  thread: Thread,
  outcomes: ReadonlyMap<RegisterId, number>,
  round: Round,
  { nameOf, pointers }: Pick<Symbols, 'nameOf' | 'pointers'>,
): Thread {
  const { world } = round;
  const { outputs } = world;
  if (outcomes.size === 0) return thread;
  const names = new UniqueNames(
    [...outcomes.values()].map((address) => {
      const given = outputs.get(address);
      return given ? outputName(thread.name, given.output) : nameOf.get(address)!.name;
    }),
    { suffix: (n) => ` (${n})` },
  ).names;
  const shown = new Map([...outcomes.keys()].map((register, i) => [register, names[i]!]));
  return {
    ...thread,
    registers: thread.registers.map((own, register) => {
      const name = shown.get(register);
      if (name === undefined) return own;
      const address = outcomes.get(register)!;
      const given = outputs.get(address)?.output;
      const printed = given?.kind === 'print' ? given : undefined;
      const holdsPointers =
        given?.kind === 'return' || printed?.shows === 'pointer' || pointers?.cells.has(address);
      return {
        ...{ ...own, hidden: false, shown: name, noValue },
        ...unsignedIn(printed?.unsignedBits ?? nameOf.get(address)?.unsignedBits),
        ...(printed?.shows === 'text' && { texts: textsIn(thread, world) }),
        ...(holdsPointers && { holdsPointers }),
        ...(thread.created !== undefined && {
          ifNotCreated: (given ? undefined : initialAt(round, address)) ?? noValue,
        }),
      };
    }),
  };
}

/**
 * The value of a cell before threads start, as a word; `undefined` if uninitialised. Throws
 * `Unsupported`.
 */
function initialAt(round: Round, address: number): number | undefined {
  const size = sizeOf(round, address);
  checkPiece(round.world.image.memory, address, size);
  return firstValue(round, round.initialValue(address, size), size);
}

/** The texts of static objects whose addresses the thread assigns, by address. */
function textsIn({ transitions }: Thread, { image: { memory } }: World): Map<number, string> {
  const texts = new Map<number, string>();
  for (const { instruction } of transitions) {
    if (instruction.kind !== 'assign' || instruction.value.kind !== 'constant') continue;
    const { value } = instruction.value;
    const object = memory.objectAt(value, 1);
    if (object?.lifetime === 'static' && object.address === value)
      texts.set(value, memory.text(value));
  }
  return texts;
}

/** The cells of a program, and the names of cells that only a single thread accesses. */
type Symbols = Pick<Program, 'symbols' | 'pointers'> & {
  readonly nameOf: ReadonlyMap<number, CellName>;
};

/**
 * The shared cells with their initial values, and the names of the cells in `alone`, each accessed
 * by a single thread only. `isLast`: whether this is the final program, in which pointers get
 * names.
 */
function symbolsOf(
  round: Round,
  cells: ReadonlyMap<number, ThreadCells>,
  alone: readonly number[],
  isLast: boolean,
): Symbols {
  const { facts, image } = round.world;
  const wanted = [...facts.cells.values()]
    .map((cell) => ({ ...cell, size: Math.max(...cell.sizes) }))
    .filter(({ address, size, threads: by, isComputed }) => {
      const kinds = [...by].map((thread) => facts.kindOf(thread, address));
      if (kinds.every((kind) => kind === 'own') || facts.wholeAround(address, size)) return false;
      // Reads of a constant cell are replaced by its value. The cell stays only if user code
      // accesses it.
      const isRead = kinds.includes('memory') || isComputed || facts.isAnyAnywhere;
      return isRead || facts.isShown(address);
    })
    .map(({ address, size }) => ({ address, size, first: initialAt(round, address) }));
  const own = [...cells.values()]
    .flatMap((each) => Object.values(each) as number[])
    .map((address) => ({ address, size: 4, first: 0 }));
  const all = new Map([...wanted, ...own].map((each) => [each.address, each]));
  const sorted = [...all.values()].sort((a, b) => a.address - b.address);
  const others = alone.map((address) => ({ address, size: sizeOf(round, address) }));
  const areGiven = alone.some((address) => round.world.outputs.has(address));
  const pointersWanted = isLast ? (areGiven ? 'all' : 'of cells') : 'none';
  const names = nameMemory(image, [...sorted, ...others], pointersWanted);
  const symbols = sorted.map(({ address, first }, i): SharedSymbol => ({
    name: names.cells[i]!,
    base: address,
    length: 1,
    isArray: false,
    initial: [first ?? noValue],
    ...((first === undefined || facts.mayGetNoValue(address)) && { noValue }),
    ...unsignedIn(names.unsignedBits[i]),
    ...(names.areInternal[i] && { isInternal: true }),
  }));
  const nameOf = new Map(
    alone.map((address, i): [number, CellName] => {
      const at = sorted.length + i;
      return [address, { name: names.cells[at]!, ...unsignedIn(names.unsignedBits[at]) }];
    }),
  );
  return { symbols, nameOf, ...(names.pointers && { pointers: names.pointers }) };
}

/**
 * The name of a cell accessed by a single thread only, and the number of bits for an unsigned type.
 */
interface CellName {
  readonly name: string;
  readonly unsignedBits?: number;
}

const unsignedIn = (bits: number | undefined): { readonly unsignedBits?: number } =>
  bits === undefined ? {} : { unsignedBits: bits };

/** The size in bytes of the widest access to a cell that only a single thread accesses. */
function sizeOf({ world: { facts, outputs } }: Round, address: number): number {
  const sizes = outputs.has(address) ? undefined : facts.cells.get(address)?.sizes;
  return Math.max(...(sizes ?? [1]));
}

/** The initial value of a cell as a word; `undefined` if uninitialised. Throws `Unsupported`. */
function firstValue(
  { world }: Round,
  number: bigint | undefined,
  size: number,
): number | undefined {
  if (number === undefined) return undefined;
  const { firstHalf } = world.manner;
  const isCoded = size > largestInteger;
  if (isCoded) world.hasCodes = true;
  const value = isCoded ? codeOf(number, firstHalf) : BigInt.asIntN(8 * size, number);
  if (value === undefined)
    throw new Unsupported(
      'before threads start, a structure of 16 bytes has numbers that are too large for one cell',
      'keep one half within 28 bits and the other half within 36 bits, signs included',
    );
  return wordOf(numberValue(value));
}

function wordOf(value: LoweredValue): number {
  const expression = toExpression(value);
  return expression.kind === 'constant' ? expression.value : 0;
}

/**
 * The threads with distinct names. Threads with equal locations and equal kinds of instructions
 * become copies: `f[0]`.
 */
function named(threads: readonly Thread[]): readonly Thread[] {
  const groups = new Map<string, Thread[]>();
  for (const thread of threads) {
    const known = groups.get(thread.name);
    if (known) known.push(thread);
    else groups.set(thread.name, [thread]);
  }
  const names = new UniqueNames(
    [...groups].flatMap(([name, all]) => (all.length === 1 ? [name] : [])),
  );
  const result = new Map<Thread, Thread>();
  for (const [name, all] of groups) {
    const [first] = all;
    if (all.length === 1) result.set(first!, first!);
    else if (all.every((each) => areCopies(first!, each))) {
      const template = names.fresh(name);
      all.forEach((each, index) =>
        result.set(each, { ...each, name: `${template}[${index}]`, copy: { template, index } }),
      );
    } else for (const each of all) result.set(each, { ...each, name: names.fresh(name) });
  }
  return threads.map((thread) => result.get(thread)!);
}

import { leftOutBehindJoins } from '@fencewright/ground/source/c-diagnostics.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import type { ThreadModel } from '@fencewright/model/program/model.js';
import type { Origin, Program } from '@fencewright/model/program/program.js';
import { otherLeastAddress } from './memory.js';
import { type Analysed, analysed, assembleProgram, type IrThread } from './assemble-program.js';
import { placesMatter } from './address-numbers.js';
import { libraryAssumptions, noAddress, oneObject } from './assumed.js';
import { enterMain } from './chance-addresses.js';
import { withBoundedChoices } from './choice-ranges.js';
import { ChoiceNeeded, LastsNeeded } from './choice-needed.js';
import { withoutDeadSteps } from './graph-passes.js';
import { withoutIdleBranches } from './idle-branches.js';
import { layOut } from './image.js';
import { heavyFenceDoubts } from './heavy-fence-doubts.js';
import { withPlaceGuards } from './guard-places.js';
import { withGuardedWideLoads } from './guard-wide-loads.js';
import { placesThatMatter, placesThatMayMatter } from './judge-places.js';
import type { FirstHalf } from './integer-pieces.js';
import type { Linked } from './link-modules.js';
import { lowerThread } from './lower-thread.js';
import type { ThreadEntry } from './thread-entry.js';
import type { LoweringState } from './lowering-state.js';
import { noExceptions } from './exceptions.js';
import { endingsOfMain, framesOf, hasConstructors, mainBeginning } from './main-entry.js';
import {
  askMixedAddresses,
  hasMixedSizes,
  hasSeveralSizesAnywhere,
  judgeSizes,
  storesAnywhere,
} from './mixed-sizes.js';
import { withNarrowOperators } from './narrow-operators.js';
import { noteComputed } from './note-computed.js';
import { withOutcomes, withoutOutcomes, withRangesOf } from './outcomes.js';
import type { Narrowings } from './outside-choices.js';
import { ordersAside } from './orders-aside.js';
import { Outside } from './outside.js';
import type { SourcePlaces } from './places.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { StepGraph } from './step.js';
import { computesWithThreadNumbers } from './thread-numbers.js';
import { unknownJoin, unknownStart, Unsupported } from './unsupported.js';
import { nothing, numberValue } from './value.js';
import { countedModel, judgeMemory, startCounted } from './counted-threads.js';
import { type SpawnCounts, type Spawned, SpawnRefusal, spawnedThreads } from './spawned-threads.js';
import { Round, World, type ThreadStart } from './world.js';

/**
 * The maximum number of rounds of lowering. Every round adds a fact; a program that needs more
 * rounds is refused.
 */
const mostRounds = 200;

/** The range of `argc` for a program without arguments. */
const noWords = { low: 1, high: 1 };

/** Options for lowering modules to a program. */
interface LowerOptions {
  /** The maximum number of blocks that a call of `malloc` allocates in a thread. */
  readonly pool: number;
  /**
   * The number of threads for each function, in place of the numbers in `main`; empty to follow
   * `main`.
   */
  readonly counts: SpawnCounts;
  /** The user's bounds for input values of the program. */
  readonly outside: Narrowings;
  /**
   * Whether a thread that calls functions through pointers is specialised for known numbers, as if
   * it started threads.
   */
  readonly areSpecialised?: boolean;
  /**
   * The half of 16-byte integers that is in the lowest bits of their codes; the lower half if
   * absent.
   */
  readonly firstHalf?: FirstHalf;
  /**
   * Whether loads of awaited cells, whose known values keep a thread in an endless loop, become
   * steps.
   */
  readonly loadsAwaited?: boolean;
  /**
   * Whether a statement without a model only ends the executions that reach it, as a limit of the
   * model, instead of refusing the program.
   */
  readonly refusesLate?: boolean;
}

/**
 * The program of linked modules; `undefined` if refused, with the reasons in `errors`. All threads
 * are lowered under the facts known about memory. Rounds are repeated until no new fact is found.
 */
export function lowerModules(
  name: string,
  linked: Linked,
  places: SourcePlaces,
  options: LowerOptions,
  errors: ErrorList,
): ThreadModel | undefined {
  const early = lowerInBothHalves(name, linked, places, options);
  // The refused statements may stand where no execution gets to.
  const late =
    early.model || !early.isRefusedOnPaths
      ? early
      : lowerInBothHalves(name, linked, places, { ...options, refusesLate: true });
  const chosen = late.model ? late : early;
  errors.addAll(chosen.errors);
  return chosen.model;
}

/** The lowered modules, with other codes of 16-byte integers if the usual codes fail. */
function lowerInBothHalves(
  name: string,
  linked: Linked,
  places: SourcePlaces,
  options: LowerOptions,
): LoweredModules {
  const { lowered, hasCodes } = lowerInWays(name, linked, places, options);
  // If the tags of tagged pointers are lower halves, they need the highest bits of codes.
  const swapped: LowerOptions = { ...options, firstHalf: 'upper' };
  const other =
    lowered.model || !hasCodes ? lowered : lowerInWays(name, linked, places, swapped).lowered;
  return other.model ? other : lowered;
}

/**
 * The modules, lowered with other options if the usual options fail, and whether any lowering
 * encoded integers of 16 bytes.
 */
function lowerInWays(
  name: string,
  linked: Linked,
  places: SourcePlaces,
  options: LowerOptions,
): { readonly lowered: LoweredModules; readonly hasCodes: boolean } {
  const few = lowerUpTo('end', name, linked, places, options);
  // Copies of loops for known numbers cost time, but may be what makes the program simple enough.
  const specialised = { ...options, areSpecialised: true };
  const whole =
    few.model || !few.isSpared ? few : lowerUpTo('end', name, linked, places, specialised);
  // If the part of `main` after its last join is not supported, `main` ends at that join.
  const cut =
    whole.model || !whole.hasTail
      ? whole
      : lowerUpTo('last join', name, linked, places, specialised);
  return { lowered: cut, hasCodes: few.hasCodes || whole.hasCodes || cut.hasCodes };
}

/** The result of lowering modules. */
interface LoweredModules {
  readonly model: ThreadModel | undefined;
  readonly errors: ErrorList;
  /**
   * Whether the part of `main` after its last join was lowered only for its values in final states.
   */
  readonly hasTail: boolean;
  /** Whether the option `areSpecialised` changes how some thread is lowered. */
  readonly isSpared: boolean;
  /** Whether some integer of 16 bytes was encoded in a number of 64 bits. */
  readonly hasCodes: boolean;
  /**
   * Whether some load of an awaited cell, whose known value keeps a thread in an endless loop,
   * became a step.
   */
  readonly hasAwaited: boolean;
  /** Whether a path through the code of a thread was refused. */
  readonly isRefusedOnPaths: boolean;
}

/** The program of linked modules, with `main` up to its end or up to its last join. */
function lowerUpTo(
  where: 'end' | 'last join',
  name: string,
  linked: Linked,
  places: SourcePlaces,
  options: LowerOptions,
): LoweredModules {
  const lowered = lowerOnce(where, name, linked, places, options);
  // The code behind an endless loop may not be supported, and never runs.
  return lowered.model || !lowered.hasAwaited
    ? lowered
    : lowerOnce(where, name, linked, places, { ...options, loadsAwaited: false });
}

function lowerOnce(
  where: 'end' | 'last join',
  name: string,
  linked: Linked,
  places: SourcePlaces,
  options: LowerOptions,
): LoweredModules {
  const { pool, counts, outside } = options;
  const { areSpecialised = false, firstHalf = 'lower', loadsAwaited = true } = options;
  const { refusesLate = false } = options;
  const errors = new ErrorList();
  let world: World | undefined;
  const endsAtLastJoin = where === 'last join';
  const lowered = (): ThreadModel | undefined => {
    const isOfLibrary = (called: string): boolean =>
      places.library >= 0 && linked.homes.get(called) === places.library;
    let said = outside;
    let handOverAt: number | undefined;
    let runsLasts = false;
    for (;;) {
      const worldFrom = (start?: number): World => {
        const image = layOut(linked, places.options.headers, start);
        const values = new Outside(said, handOverAt);
        const ways = { endsAtLastJoin, areSpecialised, firstHalf, loadsAwaited, refusesLate };
        const manner = { ...ways, runsLasts };
        return new World(image, linked, pool, values, isOfLibrary, manner);
      };
      const elsewhere = (): World => worldFrom(otherLeastAddress);
      const fresh = (): World => {
        world = worldFrom();
        if (endsAtLastJoin) world.assumed.note(libraryAssumptions.knownTail);
        if (!loadsAwaited) world.assumed.note(libraryAssumptions.noEndlessWaits);
        return world;
      };
      try {
        return lowerLinked(name, { fresh, elsewhere }, places, counts, errors);
      } catch (problem) {
        if (problem instanceof LastsNeeded && !runsLasts) {
          runsLasts = true;
          continue;
        }
        if (!(problem instanceof ChoiceNeeded)) throw problem;
        if (handOverAt !== undefined && problem.choice >= handOverAt)
          throw new InternalError(`choice ${problem.choice} is needed, and was made`);
        // If threads are counted, their number does not depend on the command line.
        if (counts.size > 0 && said.argc === undefined) said = { ...said, argc: noWords };
        else handOverAt = problem.choice;
      }
    }
  };
  const model = withRefusals(lowered, places, errors);
  return {
    ...{ model, errors },
    hasTail: world?.isTailLowered === true,
    isSpared: world?.isSpared === true,
    hasCodes: world?.hasCodes === true,
    hasAwaited: world?.facts.hasAwaited === true,
    isRefusedOnPaths: world?.isRefusedOnPaths === true,
  };
}

/**
 * The result of `lowered`; `undefined` if the whole program is refused, with the reason in
 * `errors`.
 */
function withRefusals(
  lowered: () => ThreadModel | undefined,
  places: SourcePlaces,
  errors: ErrorList,
): ThreadModel | undefined {
  try {
    return lowered();
  } catch (problem) {
    if (problem instanceof SpawnRefusal) {
      const { message, hint, origin } = problem;
      errors.error(() => notSupported(origin.span, message, hint));
      return undefined;
    }
    if (!(problem instanceof Unsupported)) throw problem;
    const { message, hint, variable } = problem;
    const span = variable === undefined ? undefined : places.spanOfVariable(variable);
    errors.error(() => notSupported(span, message, hint));
    return undefined;
  }
}

/** Throws `SpawnRefusal` for programs that cannot have given numbers of threads. */
function refuseIfCounted(world: World, start: LoweringState | undefined): void {
  const refuse = (message: string): never => {
    throw new SpawnRefusal({}, message);
  };
  if (world.hasLasts) refuse('exit functions are not supported with given numbers of threads');
  if (endingsOfMain(world).length > 0)
    refuse('thread-local objects with destructors are not supported with given numbers of threads');
  if (!start) refuse("'main' starts no thread");
  if (start?.frames[0]?.flow.of.name !== 'main')
    refuse('with given numbers of threads, no thread may start before or after main');
}

function lowerLinked(
  name: string,
  { fresh, elsewhere }: { readonly fresh: () => World; readonly elsewhere: () => World },
  places: SourcePlaces,
  counts: SpawnCounts,
  errors: ErrorList,
): ThreadModel | undefined {
  let { world, main } = enterMain(fresh, elsewhere, places);
  const isOpen = main.kind === 'refused' || world.outside.handOverAt !== undefined;
  if (counts.size > 0 && isOpen && !hasConstructors(world)) {
    // The part of `main` before its first thread may depend on inputs as well: start at the
    // beginning of `main`.
    world = fresh();
    const state = mainBeginning(world);
    if (state) main = { kind: 'threads', state };
  }
  if (main.kind === 'refused') {
    const { calls, message, hint } = main;
    const span = calls.length > 0 ? places.originOf(framesOf(world, calls))?.span : undefined;
    errors.error(() => notSupported(span, message, hint));
    return undefined;
  }
  const start = main.kind === 'threads' ? main.state : undefined;
  if (counts.size > 0) refuseIfCounted(world, start);
  const spawned =
    start && counts.size > 0 ? spawnedThreads(world, places, start.frames, counts) : undefined;
  for (let count = 1; ; count++) {
    const { version } = world.facts;
    const found: ThreadRefusal[] = [];
    const round = new Round(world);
    const threads = start
      ? lowerThreads(round, places, spawned ?? start, (origin, message, hint) => {
          found.push({ origin, message, ...(hint !== undefined && { hint }) });
        })
      : [];
    round.judgeTrunk();
    const areAnyFreed = round.isAnyFreed || world.blocks.areAnyMarked;
    if (areAnyFreed && round.isAnyAllocated) world.blocks.allowReuse();
    const program = analysed(round, assembleProgram(name, round, threads), !spawned);
    noteComputed(round, program);
    if (world.manner.loadsAwaited)
      world.facts.noteAwaited(world.facts.version === version ? round.awaited : []);
    if (world.facts.version !== version && count < mostRounds) continue;
    // Copies may have been lowered before all atomic cells were known.
    const areNew = world.facts.decideSizes() || askMixedAddresses(round);
    const isRefused = areNew || found.length > 0 || round.isRefusedLate || hasMixedSizes(world);
    if (isRefused && count < mostRounds && world.facts.startAgain()) continue;
    // Paths that end at an open question would be missing.
    if (count === mostRounds || round.hasOpenQuestion)
      errors.error(() => notSupported(undefined, 'the program is too entangled'));
    tellRefusals(found, world, errors);
    judgeSizes(world, errors);
    const [first] = placesThatMatter(world.image.memory, program);
    if (first) {
      const { message, hint } = placesMatter();
      errors.error(() => notSupported(first.span, message, hint));
    }
    if (errors.hasErrors) return undefined;
    noteNumbers(world, program, places);
    noteBytes(world, round, spawned !== undefined);
    const finished = finishing(name, round, places);
    const whole = finished(threads, program);
    for (const doubt of heavyFenceDoubts(round, places, whole)) errors.note(doubt);
    if (spawned) {
      judgeMemory(world, spawned);
      if (spawned.leftOut) errors.note(leftOutBehindJoins(spawned.leftOut.span));
    }
    const model: ThreadModel = spawned
      ? countedModel(spawned, whole)
      : { kind: 'finite', program: whole };
    const ends = threads.map(({ observed, ...thread }) => ({ ...thread, graph: observed }));
    if (model.kind !== 'finite' || !ends.some(({ graph }) => graph.outcomes?.size)) return model;
    const before = analysed(round, assembleProgram(name, round, ends), !spawned);
    return { ...model, observed: finished(ends, before) };
  }
}

/**
 * Notes the assumptions about numbers that the machine chooses differently from the model: the
 * addresses of objects, and the numbers of threads.
 */
function noteNumbers(
  { assumed, linked, image: { memory } }: World,
  program: Analysed,
  places: SourcePlaces,
): void {
  if (computesWithThreadNumbers(linked, (of) => !places.isInLibrary(of)))
    assumed.note(libraryAssumptions.threadNumbers);
  const unknown = placesThatMayMatter(memory, program);
  for (const { span } of unknown.noAddress) assumed.note(noAddress(span && span.start.line + 1));
  for (const { span } of unknown.oneObject) assumed.note(oneObject(span && span.start.line + 1));
  if (memory.restsOnUserSpace) assumed.note(libraryAssumptions.userSpace);
}

/**
 * Notes the assumptions about the contents of memory; `isCopied`: whether a thread of the program
 * may represent several threads.
 */
function noteBytes(world: World, round: Round, isCopied: boolean): void {
  if (areLocalsShared(world)) world.assumed.note(libraryAssumptions.localsEnd);
  if (round.unnamed.areShared(isCopied)) world.assumed.note(libraryAssumptions.unnamedBytes);
}

/** Whether some thread accesses a local of another thread that may end earlier. */
function areLocalsShared({ facts, image }: World): boolean {
  return [...facts.cells.values()].some(({ address, threads }) => {
    const { owner } = image.memory.objectAt(address, 1) ?? {};
    return owner !== undefined && [...threads].some((thread) => thread !== owner);
  });
}

/** A refusal by the lowering of a thread, with its source place. */
interface ThreadRefusal {
  readonly origin: Origin;
  readonly message: string;
  readonly hint?: string;
}

/**
 * Reports each refusal once. Refusals that only follow from a store to an unknown address are left
 * out.
 */
function tellRefusals(found: readonly ThreadRefusal[], world: World, errors: ErrorList): void {
  const told = new Set<string>();
  const cause = world.facts.storesAnywhere ? world.facts.firstAnywhere : undefined;
  const isConsequence = ({ message }: ThreadRefusal): boolean =>
    cause !== undefined && [unknownStart, unknownJoin].includes(message);
  if (cause && found.some(isConsequence) && !hasSeveralSizesAnywhere(world))
    errors.error(() => storesAnywhere(cause.origin.span));
  for (const { origin, message, hint } of found.filter((each) => !isConsequence(each))) {
    // Threads that run the same function are refused for the same reasons.
    const { source, start: place } = origin.span ?? {};
    const key = JSON.stringify([source?.name, place, message]);
    if (!told.has(key)) errors.error(() => notSupported(origin.span, message, hint));
    told.add(key);
  }
}

/**
 * Returns a function that makes the final program from lowered threads. The function's operand
 * `before` is the analysed program without guards.
 */
function finishing(name: string, round: Round, places: SourcePlaces) {
  const alsoRun = placesRunBefore(round, places);
  return (of: readonly IrThread[], before: Analysed): Program => {
    const assembled = assembleProgram(name, round, of, before).program;
    const guarded = withPlaceGuards(round.world.image.memory, before, assembled);
    const aside = ordersAside(round, places, guarded);
    const whole = { ...withNarrowOperators(guarded), alsoRun };
    return aside.length > 0 ? { ...whole, ordersAside: aside } : whole;
  };
}

/**
 * The source places that run before threads start, and the places of accesses that need no step.
 */
function placesRunBefore({ world, known }: Round, places: SourcePlaces): readonly Span[] {
  for (const [instruction, of] of world.ran) known.add(places.spanOf(of, instruction));
  return known.spans;
}

type Refuse = (origin: Origin, message: string, hint?: string) => void;

/**
 * A lowered thread, with a second graph that also records the final values of cells accessed by the
 * thread only.
 */
interface ObservedThread extends IrThread {
  readonly observed: StepGraph;
}

/** The graph without dead steps and without idle branches. */
function withoutIdleSteps(graph: StepGraph): StepGraph {
  const plain = withoutDeadSteps(graph);
  const left = withoutIdleBranches(plain);
  return left === plain ? plain : withoutDeadSteps(left);
}

function lowerThreads(
  round: Round,
  places: SourcePlaces,
  start: LoweringState | Spawned,
  refuse: Refuse,
): readonly ObservedThread[] {
  const threads: ObservedThread[] = [];
  const lower = (entry: ThreadEntry, isAlwaysCreated: boolean): void => {
    const whole = withGuardedWideLoads(lowerThread(round, places, entry, refuse), refuse);
    const plain = withoutIdleSteps(withoutOutcomes(whole));
    const graph = withBoundedChoices(plain, (origin, hint) => {
      refuse(
        origin.span ? origin : placeOfMain(round, places),
        'any number may be chosen here, and all numbers are too many to try',
        hint ?? 'bound the value after the call: __VERIFIER_assume(0 <= x && x < 4)',
      );
    });
    const called =
      round.namesOfThreads.get(entry.id) ?? places.threadNameOf(entry.state.frames[0]!.flow.of);
    const initialOf = (address: number, size: number): bigint | undefined =>
      round.initialValue(address, size);
    // Only a join shows the return value of a thread, so a thread that is never created has none.
    const mayStay = (address: number): boolean =>
      !isAlwaysCreated && round.world.outputs.get(address)?.output.kind !== 'return';
    const observed = withRangesOf(
      withoutIdleSteps(withOutcomes(withoutDeadSteps(whole), initialOf, mayStay)),
      plain,
      graph,
    );
    threads.push({ id: entry.id, name: entry.id === 0 ? 'main' : called, graph, observed });
  };
  if ('threads' in start) startCounted(round, start);
  else lower({ id: 0, state: start, isUnrolled: true, origin: {} }, true);
  for (const each of round.starts.values()) lower(entryOf(round, each), each.isOnTrunk);
  return threads;
}

/** The start of `main`, as the source place of its arguments. */
function placeOfMain({ world }: Round, places: SourcePlaces): Origin {
  const main = world.linked.functions.get('main');
  const first = main?.blocks[0]?.instructions[0];
  const span = main && first && places.spanOf(main, first);
  return span ? { span } : {};
}

/** The initial state of a started thread. */
function entryOf(
  { world }: Round,
  { id, function: of, argument, by, origin }: ThreadStart,
): ThreadEntry {
  if (by !== 0 && !world.hasNested) {
    world.hasNested = true;
    world.facts.bump();
  }
  const [parameter] = of.parameters;
  const value = typeof argument === 'bigint' ? numberValue(argument) : nothing;
  const state: LoweringState = {
    frames: [
      {
        flow: world.flowOf(of),
        path: of.name,
        locals: new Map(parameter ? [[parameter.name, value]] : []),
        block: 0,
        previous: '',
        next: 0,
        objects: [],
        isAtomic: false,
        isOneOfSeveral: false,
      },
    ],
    cells: new Map(),
    pools: new Map(),
    locks: 0,
    created: [],
    joined: [],
    exceptions: noExceptions,
    isTrunk: false,
    hiddenAt: '',
  };
  const isUnrolled = world.isUnrolled(id, of);
  return {
    id,
    state,
    isUnrolled,
    origin,
    ...(argument === 'computed' && { argument: world.argumentCell(id) }),
  };
}

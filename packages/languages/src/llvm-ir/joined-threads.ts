import type { SourcePlaces } from './places.js';
import { type CallContext, isLifetime, originOfValue, blocksAfter } from './pointer-origins.js';
import type { IrFunction, IrInstruction, IrOperation, IrValue, IrCall } from './syntax.js';
import type { World } from './world.js';

type Blocks = ReadonlySet<number>;

const creations: ReadonlySet<string> = new Set(['pthread_create', 'thrd_create']);
const joins: ReadonlySet<string> = new Set(['pthread_join', 'thrd_join']);

/**
 * A call in a function's code that creates or joins threads. Calls with equal `text` refer to the
 * same threads.
 */
interface Site {
  readonly block: number;
  readonly at: number;
  /**
   * In the block of the call, the index of the first instruction from which the thread handle of
   * the call is computed.
   */
  readonly from: number;
  readonly header: number;
  /** The blocks of the loop around the call; empty for a call outside of loops. */
  readonly loop: Blocks;
  readonly text: string;
  /** The names of the variables on whose content the meaning of `text` depends. */
  readonly roots: ReadonlySet<string>;
}

/**
 * Thrown if the analysis cannot determine the threads started or joined by a loop, or whether the
 * loop joins all started threads.
 */
class Doubt extends Error {}

/**
 * The blocks of a function at which every thread started earlier by the function has provably been
 * joined. Each creating call needs a joining call of its own on the same handle: both outside of
 * loops, or in loops that count in the same way, and every path passes the join. (Two joins of one
 * thread are undefined behaviour.) Empty in case of any doubt.
 */
export function blocksBehindJoins(
  world: World,
  places: SourcePlaces,
  of: IrFunction,
  context: CallContext,
  start: number,
): Blocks {
  try {
    return new JoinSearch(world, places, of, context, start).search();
  } catch (error) {
    if (error instanceof Doubt) return new Set();
    throw error;
  }
}

class JoinSearch {
  readonly #successors: readonly (readonly number[])[];
  readonly #homes = new Map<string, readonly [block: number, at: number]>();

  constructor(
    readonly world: World,
    readonly places: SourcePlaces,
    readonly of: IrFunction,
    readonly context: CallContext,
    readonly start: number,
  ) {
    this.#successors = blocksAfter(of);
    of.blocks.forEach(({ instructions }, block) => {
      instructions.forEach(({ result }, at) => {
        if (result !== undefined) this.#homes.set(result, [block, at]);
      });
    });
  }

  search(): Blocks {
    const reached = this.#from([this.start]);
    const started: Site[] = [];
    const joined: Site[] = [];
    for (const block of [...reached].toSorted((a, b) => a - b))
      this.of.blocks[block]!.instructions.forEach(({ operation }, at) => {
        if (operation.kind !== 'call') return;
        if (this.#isCallOf(operation, creations)) {
          this.#judgeStarted(operation);
          started.push(this.#siteOf(operation, block, at, true));
        } else if (this.#isCallOf(operation, joins)) {
          const site = this.#siteIfAny(operation, block, at);
          if (site) joined.push(site);
        } else if (this.#mayStart(operation)) throw new Doubt();
      });
    const open = new Set(joined);
    let behind: number[] = [...reached];
    for (const site of started) {
      const own = [...open].find((join) => this.#isJoinOf(site, join));
      if (!own) throw new Doubt();
      open.delete(own);
      const round = this.#from([this.start], own.header);
      behind = behind.filter(
        (block) => block !== own.header && !own.loop.has(block) && !round.has(block),
      );
    }
    return new Set(behind);
  }

  /**
   * The blocks that can be reached from the given blocks, including these, without passing block
   * `without`.
   */
  #from(blocks: readonly number[], without = -1): Blocks {
    const reached = new Set(blocks.filter((block) => block !== without));
    for (const block of reached)
      for (const next of this.#successors[block]!) if (next !== without) reached.add(next);
    return reached;
  }

  #behind(block: number): Blocks {
    return this.#from(this.#successors[block]!);
  }

  #isCallOf({ callee }: IrCall, names: ReadonlySet<string>): boolean {
    if (callee.kind !== 'global' || !names.has(callee.name)) return false;
    const target = this.world.linked.functions.get(callee.name);
    return target !== undefined && this.places.isInLibrary(target);
  }

  /**
   * Throws `Doubt` if a started thread may start further threads: further threads may outlive the
   * started thread.
   */
  #judgeStarted({ operands: [, first, second] }: IrCall): void {
    // The function is the third operand of `pthread_create`, after the attributes, and the second
    // of `thrd_create`.
    const functions = [first, second].flatMap((operand) => {
      const origin = operand && originOfValue(this.of, operand.value, this.context);
      return origin?.kind === 'global' ? (this.world.linked.functions.get(origin.name) ?? []) : [];
    });
    if (functions.length === 0 || functions.some((each) => this.#isStarting(each, new Set())))
      throw new Doubt();
  }

  #isStarting(of: IrFunction, seen: Set<IrFunction>): boolean {
    if (seen.has(of)) return false;
    seen.add(of);
    return of.blocks.some(({ instructions }) =>
      instructions.some(
        ({ operation }) => operation.kind === 'call' && this.#mayStart(operation, seen),
      ),
    );
  }

  #mayStart({ callee }: IrCall, seen = new Set<IrFunction>()): boolean {
    if (callee.kind === 'assembly') return false;
    if (callee.kind !== 'global' || callee.name === '__fencewright_thread_create') return true;
    const target = this.world.linked.functions.get(callee.name);
    return target !== undefined && this.#isStarting(target, seen);
  }

  #siteIfAny(call: IrCall, block: number, at: number): Site | undefined {
    try {
      return this.#siteOf(call, block, at, false);
    } catch (error) {
      if (error instanceof Doubt) return undefined;
      throw error;
    }
  }

  #siteOf({ operands }: IrCall, block: number, at: number, isStart: boolean): Site {
    const behind = this.#behind(block);
    const loop = new Set([...behind].filter((each) => this.#behind(each).has(block)));
    const roots = new Set<string>();
    const printer = new Printer(this, loop.size > 0 ? loop : new Set([block]), roots);
    const given = operands[0]!.value;
    const handle = isStart ? given : printer.loadedFrom(given);
    roots.add(this.rootOf(handle));
    if (loop.size === 0) {
      const text = printer.text(handle);
      const from = Math.min(at, ...printer.used.map(([, index]) => index));
      return { block, at, from, header: block, loop, text, roots };
    }
    const { header, shape } = this.#shapeOf(loop, block, at, isStart, printer);
    const text = printer.text(handle);
    if (!printer.usesIndex) throw new Doubt();
    return { block, at, from: 0, header, loop, text: `${shape}: ${text}`, roots };
  }

  /** The header of a loop, and a text for its counting: first value, condition, and increment. */
  #shapeOf(loop: Blocks, site: number, at: number, isStart: boolean, printer: Printer) {
    const { blocks } = this.of;
    const entries = blocks.flatMap((_, block) =>
      loop.has(block)
        ? []
        : this.#successors[block]!.flatMap((to) => (loop.has(to) ? [{ block, to }] : [])),
    );
    const [header = -1, ...others] = new Set(entries.map(({ to }) => to));
    const end = blocks[header]?.instructions.at(-1)?.operation;
    if (others.length > 0 || end?.kind !== 'branch' || site === header) throw new Doubt();
    const inside = this.#successors[header]!.map((to) => loop.has(to));
    if (inside[0] === inside[1]) throw new Doubt();
    const steps = [...loop].flatMap((block) =>
      blocks[block]!.instructions.flatMap(({ operation }, index) => {
        if (operation.kind !== 'store' || operation.address.kind !== 'local') return [];
        const { name } = operation.address;
        const isLocal = this.definitionOf(name)?.kind === 'alloca';
        return isLocal ? [{ block, index, name, value: operation.from.value }] : [];
      }),
    );
    const within = printer.localsOf(end.condition);
    const [step, ...more] = steps.filter(({ name }) => within.has(name));
    if (!step || more.length > 0) throw new Doubt();
    const { name } = step;
    const isLast = this.#successors[step.block]!.every((to) => to === header);
    if (!isLast || step.block === header || (step.block === site && step.index < at))
      throw new Doubt();
    const root = `local ${name}`;
    for (const block of loop)
      blocks[block]!.instructions.forEach((each, index) => {
        if (this.#changes(each, new Set([root]), false))
          if (block !== step.block || index !== step.index) throw new Doubt();
      });
    // Every iteration passes the header, the increment, and the join if the call is one.
    for (const without of isStart ? [header, step.block] : [header, step.block, site])
      if (this.#isCyclic(loop, without)) throw new Doubt();
    if (!isStart)
      for (const block of loop)
        if (block !== header && this.#successors[block]!.some((to) => !loop.has(to)))
          throw new Doubt();
    printer.index = name;
    const [first, ...different] = new Set(
      entries.map(({ block }) => this.#lastStored(block, root)),
    );
    if (different.length > 0) throw new Doubt();
    const condition = printer.text(end.condition);
    const counted = printer.text(step.value);
    return {
      header,
      shape: JSON.stringify([first, inside, condition, counted]),
    };
  }

  #isCyclic(loop: Blocks, without: number): boolean {
    const left = new Set([...loop].filter((block) => block !== without));
    for (let size = -1; size !== left.size;) {
      ({ size } = left);
      for (const block of left)
        if (!this.#successors[block]!.some((to) => left.has(to))) left.delete(block);
    }
    return left.size > 0;
  }

  /** The constant stored to a local in a block that enters a loop. */
  #lastStored(block: number, root: string): string {
    const last = this.of.blocks[block]!.instructions.findLast((each) =>
      this.#changes(each, new Set([root]), false),
    )?.operation;
    if (last?.kind !== 'store' || last.from.value.kind !== 'integer') throw new Doubt();
    return `${last.from.value.value}`;
  }

  #isJoinOf(start: Site, join: Site): boolean {
    if (start.text !== join.text) return false;
    if (start.block === join.block ? join.at < start.at : this.#behind(join.block).has(start.block))
      return false;
    const roots = new Set([...start.roots, ...join.roots]);
    const behind = this.#from([start.block]);
    return [...behind].every((block) => {
      if (!this.#from([block]).has(join.block)) return true;
      const isFirst = block === start.block && start.loop.size === 0;
      const { instructions } = this.of.blocks[block]!;
      return !instructions.some((each, at) =>
        isFirst && at < start.from ? false : this.#changes(each, roots, true),
      );
    });
  }

  /**
   * Whether an instruction may change the memory of `roots`; with `inCalls`, called functions of
   * the program may change global variables. The handle stored by a creating call does not count.
   */
  #changes({ operation }: IrInstruction, roots: ReadonlySet<string>, inCalls: boolean): boolean {
    const isRoot = (value: IrValue): boolean => roots.has(this.#rootIfAny(value) ?? '');
    switch (operation.kind) {
      case 'store':
      case 'modify':
      case 'exchange-if':
        return isRoot(operation.address);
      case 'call': {
        const { callee, operands } = operation;
        if (isLifetime(operation)) return false;
        if (callee.kind !== 'global') return true;
        if (callee.name.startsWith('llvm.dbg.')) return false;
        const given = this.#isCallOf(operation, creations) ? operands.slice(1) : operands;
        if (given.some(({ value }) => isRoot(value))) return true;
        const target = this.world.linked.functions.get(callee.name);
        const isOurs = target !== undefined && !this.places.isInLibrary(target);
        return inCalls && isOurs && [...roots].some((root) => root.startsWith('global'));
      }
      default:
        return false;
    }
  }

  #rootIfAny(value: IrValue): string | undefined {
    const origin = originOfValue(this.of, value, this.context);
    return origin.kind === 'local' || origin.kind === 'global'
      ? `${origin.kind} ${origin.name}`
      : undefined;
  }

  rootOf(value: IrValue): string {
    const root = this.#rootIfAny(value);
    if (root === undefined) throw new Doubt();
    return root;
  }

  homeOf(name: string): readonly [number, number] | undefined {
    return this.#homes.get(name);
  }

  definitionOf(name: string): IrOperation | undefined {
    const [block, at] = this.#homes.get(name) ?? [-1, -1];
    return this.of.blocks[block]?.instructions[at]?.operation;
  }
}

/** Prints values as the text of their computation within the given blocks, loads included. */
class Printer {
  /** The name of the local that counts the iterations of the loop; `undefined` if unknown. */
  index: string | undefined;
  usesIndex = false;
  readonly used: (readonly [number, number])[] = [];

  constructor(
    readonly search: JoinSearch,
    readonly blocks: Blocks,
    readonly roots: Set<string>,
  ) {}

  text(value: IrValue): string {
    return JSON.stringify(this.#plain(value));
  }

  /** The address from which the given blocks load a value. */
  loadedFrom(value: IrValue): IrValue {
    const name = value.kind === 'local' && this.#isWithin(value.name) ? value.name : undefined;
    const definition = name === undefined ? undefined : this.search.definitionOf(name);
    if (definition?.kind !== 'load') throw new Doubt();
    return definition.address;
  }

  /** The locals that are loaded to compute a value. */
  localsOf(value: IrValue): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (each: unknown): void => {
      if (typeof each !== 'object' || each === null) return;
      const { kind, name, address } = each as { kind?: string; name?: string; address?: IrValue };
      if (kind === 'load' && address?.kind === 'local') found.add(address.name);
      if (kind === 'local' && this.#isWithin(name!)) visit(this.search.definitionOf(name!));
      else Object.values(each).forEach(visit);
    };
    visit(value);
    return found;
  }

  #isWithin(name: string): boolean {
    const home = this.search.homeOf(name);
    return home !== undefined && this.blocks.has(home[0]);
  }

  #plain(node: unknown): unknown {
    if (typeof node === 'bigint') return `${node}n`;
    if (Array.isArray(node)) return node.map((each) => this.#plain(each));
    if (typeof node !== 'object' || node === null) return node;
    const { kind, name } = node as { kind?: string; name?: string };
    if (kind !== 'local' || name === undefined)
      return Object.fromEntries(
        Object.entries(node).map(([key, each]) => [key, this.#plain(each)]),
      );
    const definition = this.search.definitionOf(name);
    if (definition === undefined || definition.kind === 'alloca') return `%${name}`;
    const home = this.search.homeOf(name)!;
    if (!this.blocks.has(home[0])) {
      if (this.index === undefined) throw new Doubt();
      return `%${name}`;
    }
    this.used.push(home);
    switch (definition.kind) {
      case 'load': {
        const { address } = definition;
        if (address.kind === 'local' && address.name === this.index) {
          this.usesIndex = true;
          return ['index', this.#plain(definition.type)];
        }
        this.roots.add(this.search.rootOf(address));
        return ['load', this.#plain(definition.type), this.#plain(address)];
      }
      case 'call':
      case 'phi':
      case 'modify':
      case 'exchange-if':
      case 'unknown':
        throw new Doubt();
      default:
        return this.#plain(definition);
    }
  }
}

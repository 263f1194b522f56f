import { at, wordAt } from '@fencewright/ground/base/at.js';
import { outcomeSize } from '@fencewright/ground/product/tables.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ClosureSession } from './closure-session.js';
import type { OwnId } from './own-values.js';
import { writer, type ClosedSets } from './thread-closure.js';

const ownsPerNode = 2 ** 24;

/**
 * The number of steps and of states after steps that a comparison may look at: a thread that delays
 * stores to many cells has many more states than under SC.
 */
const maxWork = 70_000;

/** Pairs of numbers in which no number has two partners. */
class Bijection {
  readonly #images = new Map<number, number>();
  readonly #origins = new Map<number, number>();

  get origins(): Iterable<number> {
    return this.#images.keys();
  }

  /** Pairs two numbers; returns whether the pair is new. Throws `Asymmetry`. */
  pair(origin: number, image: number): boolean {
    const known = this.#images.get(origin);
    if (known === image) return false;
    demand(known === undefined && !this.#origins.has(image));
    this.#images.set(origin, image);
    this.#origins.set(image, origin);
    return true;
  }

  /** Returns the partner of a number; the number must have one. */
  image(origin: number): number {
    return this.#images.get(origin)!;
  }
}

/** Thrown when threads turn out not to be symmetric, or a comparison takes too much work. */
class Asymmetry extends Error {}

function demand(isSymmetric: boolean): void {
  if (!isSymmetric) throw new Asymmetry();
}

/**
 * A thread at a node, with the values of the thread's own cells (cells that only this thread
 * writes): in the first phase, or while the thread delays stores.
 */
interface Local {
  readonly component: number;
  readonly isDelaying: boolean;
  readonly node: number;
  readonly own: OwnId;
}

/**
 * An action of a thread in a local state, and the thread's image in the symmetry with its local
 * state. The steps of the two are compared for each content of the accessed cell; `cell` is the
 * cell that `local` accesses.
 */
interface Reader {
  readonly local: Local;
  readonly image: Local;
  readonly action: number;
  readonly cell: number;
}

/**
 * Compares each thread with its image, the thread that takes its place. Executes all steps of the
 * first and second phase that closed sets allow, each together with the step of the image, and
 * pairs nodes, cells and contents of the two. Throws `Asymmetry` if the two steps differ, or after
 * `maxWork`.
 */
class SymmetryCheck {
  readonly #session: ClosureSession;
  readonly #sets: ClosedSets;
  readonly #images: readonly number[];
  readonly #cells = new Bijection();
  /** For each cell, the pairs of corresponding contents; indexed by cell. */
  readonly #contents: Bijection[] = [];
  /**
   * The pairs of local states, indexed by component: in the first phase, and in the second phase.
   */
  readonly #locals: readonly (readonly [Bijection, Bijection])[];
  readonly #readers: Reader[][] = [];
  readonly #pending: (() => void)[] = [];
  #left = maxWork;

  constructor(session: ClosureSession, sets: ClosedSets, images: readonly number[]) {
    this.#session = session;
    this.#sets = sets;
    this.#images = images;
    this.#locals = images.map(() => [new Bijection(), new Bijection()]);
  }

  run(): void {
    const { classes } = this.#session.automata;
    for (const component of classes.keys()) {
      const own = this.#automata(component).sequential.initialNodes();
      const other = this.#automata(at(this.#images, component)).sequential.initialNodes();
      demand(own.length === other.length);
      own.forEach(({ node }, i) => {
        this.#pairLocals(
          { component, isDelaying: false, node, own: 0 },
          { node: at(other, i).node, own: 0 },
        );
      });
    }
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) next();
  }

  #automata(component: number) {
    const { classes, threads } = this.#session.automata;
    return at(threads, at(at(classes, component), 0));
  }

  #spend(): void {
    demand(--this.#left >= 0);
  }

  #pairLocals(local: Local, { node, own }: Pick<Local, 'node' | 'own'>): void {
    this.#spend();
    const { component, isDelaying } = local;
    const pairs = at(this.#locals, component)[isDelaying ? 1 : 0];
    if (!pairs.pair(local.node * ownsPerNode + local.own, node * ownsPerNode + own)) return;
    const image = { component: at(this.#images, component), isDelaying, node, own };
    this.#pending.push(() => {
      if (isDelaying) this.#pairLoads(local, image);
      else {
        this.#pairActions(local, image);
        this.#pairStarts(local, image);
      }
    });
  }

  #pairActions(local: Local, image: Local): void {
    const actions = this.#automata(local.component).sequential.actions(local.node);
    const others = this.#automata(image.component).sequential.actions(image.node);
    demand(actions.length === others.length);
    actions.forEach(({ step, cell, effect }, action) => {
      const other = at(others, action);
      // The comparison does not support lock blocks, which are single steps on several cells.
      demand(effect.kind !== 'lock' && effect.kind !== 'heavy-fence');
      demand(effect.kind === other.effect.kind && step.id === other.step.id);
      this.#await(local, image, action, cell, other.cell);
    });
  }

  #pairStarts(local: Local, image: Local): void {
    const { classes } = this.#session.automata;
    const startsOf = ({ component, node }: Local) =>
      this.#session.starts(at(at(classes, component), 0)).at(node);
    const others = startsOf(image);
    const starts = startsOf(local);
    demand(starts.length === others.length);
    starts.forEach(({ store, entries }, i) => {
      const other = at(others, i);
      demand(store === other.store && entries.length === other.entries.length);
      entries.forEach(({ node }, k) => {
        this.#pairLocals(
          { ...local, isDelaying: true, node },
          { node: at(other.entries, k).node, own: image.own },
        );
      });
    });
  }

  #pairLoads(local: Local, image: Local): void {
    const { attacker } = this.#automata(local.component);
    const { attacker: other } = this.#automata(image.component);
    const [target, imageTarget] = [attacker.target(local.node), other.target(image.node)];
    this.#pairCells(target.cell, imageTarget.cell);
    demand(target.mark === imageTarget.mark);
    const loads = attacker.loads(local.node);
    const others = other.loads(image.node);
    demand(loads.length === others.length);
    loads.forEach(({ transition, cell, isEnd }, action) => {
      const load = at(others, action);
      demand(transition === load.transition && isEnd === load.isEnd);
      // Only a limit on delays can keep a load from being the last load of an attack.
      const ends = attacker.lastLoads(local.node, transition, 0);
      demand(ends.length === other.lastLoads(image.node, transition, 0).length);
      this.#await(local, image, action, cell, load.cell);
    });
  }

  #pairCells(cell: number, other: number): void {
    if (!this.#cells.pair(cell, other)) return;
    this.#contents[cell] = new Bijection();
    this.#readers[cell] = [];
    const { writers } = this.#sets;
    const [written, others] = [writers[cell] ?? writer.nobody, writers[other] ?? writer.nobody];
    demand(written < 0 ? written === others : at(this.#images, written) === others);
    this.#pairContents(cell, 0, 0);
  }

  #pairContents(cell: number, content: number, image: number): void {
    if (!at(this.#contents, cell).pair(content, image)) return;
    for (const reader of at(this.#readers, cell))
      this.#pending.push(() => {
        this.#step(reader, content, image);
      });
  }

  #await(local: Local, image: Local, action: number, cell: number, other: number): void {
    this.#pairCells(cell, other);
    const reader = { local, image, action, cell };
    at(this.#readers, cell).push(reader);
    const contents = at(this.#contents, cell);
    for (const content of [...contents.origins])
      this.#step(reader, content, contents.image(content));
  }

  #step({ local, image, action, cell }: Reader, content: number, other: number): void {
    this.#spend();
    const { own } = this.#session;
    const isKept = this.#sets.writers[cell] === local.component;
    if (isKept && content !== own.value(local.own, cell)) return;
    demand(this.#writes(local, action, content) === this.#writes(image, action, other));
    const outcomes = this.#outcomes(local, action, content);
    const others = this.#outcomes(image, action, other);
    demand(outcomes.length === others.length);
    outcomes.forEach(({ after, node }, i) => {
      const counterpart = at(others, i);
      this.#pairContents(cell, after, counterpart.after);
      const isWrite = isKept && !local.isDelaying;
      this.#pairLocals(
        { ...local, node, own: isWrite ? own.with(local.own, cell, after) : local.own },
        {
          node: counterpart.node,
          own: isWrite
            ? own.with(image.own, this.#cells.image(cell), counterpart.after)
            : image.own,
        },
      );
    });
  }

  /**
   * Whether an access writes the accessed cell, even if it writes the value that the cell holds:
   * also such a write tells which thread writes the cell.
   */
  #writes({ component, isDelaying, node }: Local, action: number, content: number): boolean {
    if (isDelaying) return false;
    const { sequential } = this.#automata(component);
    const { step, cell, effect } = at(sequential.actions(node), action);
    const old = this.#session.automata.cells.value(cell, content);
    return sequential.code.guarded(step.id, () => effect.apply(old))?.written !== undefined;
  }

  #outcomes({ component, isDelaying, node }: Local, action: number, content: number) {
    const { valueTables } = this.#session.automata;
    const { attackerNumber, sequentialNumber } = this.#automata(component);
    const number = isDelaying ? attackerNumber : sequentialNumber;
    const list = valueTables.outcomes(number, node, action, content);
    const { memory } = valueTables;
    return Array.from({ length: wordAt(memory, list) }, (_, i) => {
      const entry = list + 1 + outcomeSize * i;
      return { after: wordAt(memory, entry), node: wordAt(memory, entry + 1) };
    });
  }
}

/**
 * Returns a key of the code of a class of threads, without cells and values. Threads can be
 * symmetric only if their keys are equal.
 */
function shapeOf(program: Program, members: readonly ThreadId[]): string {
  const { registers, locations, initial, transitions } = at(program.threads, at(members, 0));
  const steps = transitions.map(({ from, to, instruction }) => [from, to, instruction.kind]);
  return JSON.stringify([members.length, registers.length, locations.length, initial, steps]);
}

/**
 * Returns a map of threads to threads: the attacks of a thread are feasible exactly if those of its
 * image in the map are. The image is the first thread with symmetric code. Threads are symmetric if
 * a permutation of threads, of cells, and of the values of each cell maps every step to a step of
 * the same instruction; it then maps an execution of an attack to an execution of the attack with
 * the same store and load. The permutation tried moves threads with equal keys (`shapeOf`) in a
 * cycle, so repeating it leads from each of them to every other. The map is empty if the comparison
 * fails.
 */
export function symmetricThreads(session: ClosureSession): ReadonlyMap<ThreadId, ThreadId> {
  const { program, automata } = session;
  const { classes, levels } = automata;
  const none = new Map<ThreadId, ThreadId>();
  const shapes = new Map<string, number[]>();
  classes.forEach((members, c) => {
    const shape = shapeOf(program, members);
    shapes.set(shape, [...(shapes.get(shape) ?? []), c]);
  });
  const cycles = [...shapes.values()].filter(({ length }) => length > 1);
  if (cycles.length === 0 || levels.countsValues || !session.isSupported) return none;
  const closed = session.stepsUnderSc();
  if (!closed || session.isInVain) return none;
  const images = [...classes.keys()];
  for (const cycle of cycles)
    cycle.forEach((c, i) => (images[c] = at(cycle, (i + 1) % cycle.length)));
  try {
    new SymmetryCheck(session, closed, images).run();
  } catch (error) {
    if (error instanceof Asymmetry) return none;
    throw error;
  }
  if (session.isInVain) return none;
  const first = (c: number): ThreadId => at(at(classes, c), 0);
  return new Map(cycles.flatMap((cycle) => cycle.map((c) => [first(c), first(at(cycle, 0))])));
}

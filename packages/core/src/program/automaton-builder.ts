import type { Span } from '../source/span.js';
import { UniqueNames } from '../source/unique-names.js';
import type { LocationId, RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Register, Thread, Transition } from './program.js';

interface Place {
  readonly span: Span;
  readonly label?: string;
}

/**
 * Builds a thread location by location. Registers are numbered by their first mention. `build` leaves out what neither the start nor a
 * label leads to, and calls locations without a label after their line (`L12`, hidden).
 */
export class AutomatonBuilder {
  readonly #name: string;
  readonly #places: Place[] = [];
  readonly #registers: Register[] = [];
  readonly #registerIds = new Map<string, RegisterId>();
  readonly #transitions: Transition[] = [];
  /** Locations that have become one with another. */
  #ids: ReadonlyMap<LocationId, LocationId> = new Map();
  readonly #joined = new Map<LocationId, LocationId>();

  constructor(name: string) {
    this.#name = name;
  }

  /** The register of that name. */
  register(name: string): RegisterId {
    return this.#declare(name, false);
  }

  /** A register of ours; the same one for the same purpose. No name of a user may start with a dot. */
  hidden(purpose: string): RegisterId {
    return this.#declare(`.${purpose}`, true);
  }

  /** A new location for what stands at `span`. */
  location(span: Span, label?: string): LocationId {
    return this.#places.push({ span, ...(label !== undefined && { label }) }) - 1;
  }

  emit(from: LocationId, to: LocationId, instruction: Instruction, span: Span): void {
    this.#transitions.push({ from, to, instruction, origin: { span } });
  }

  /** An instruction that leads from `from` to a new location, which is returned. */
  step(from: LocationId, instruction: Instruction, span: Span): LocationId {
    const to = this.location(span);
    this.emit(from, to, instruction, span);
    return to;
  }

  /**
   * Makes `from`, at which no instruction stands, the same location as `to`. Where they are already, a thread would run in circles
   * without an instruction: it gets a step that does nothing, which tells that from its end.
   */
  join(from: LocationId, to: LocationId, span: Span): void {
    const [source, target] = [this.#root(from), this.#root(to)];
    if (source === target) this.emit(from, to, { kind: 'skip' }, span);
    else this.#joined.set(source, target);
  }

  build(initial: LocationId): Thread {
    const labels = this.#labels();
    const start = this.#root(initial);
    const reached = this.#reachableFrom([start, ...labels.keys()]);
    const kept = this.#places.flatMap((_, id) => (reached.has(id) ? [id] : []));
    const ids = new Map(kept.map((id, position) => [id, position]));
    this.#ids = ids;
    const taken = [...labels.values()].map(({ name }) => name);
    const names = new UniqueNames(taken, (name) => name);
    const locations = kept.map((id) => {
      const label = labels.get(id);
      if (label) return { ...label, hidden: false };
      const { span } = this.#places[id]!;
      return { name: names.fresh(`L${span.start.line + 1}`), hidden: true, span };
    });
    return {
      name: this.#name,
      registers: this.#registers,
      locations,
      initial: ids.get(start)!,
      transitions: this.#transitions.flatMap((transition) => {
        const from = ids.get(this.#root(transition.from));
        const to = ids.get(this.#root(transition.to));
        return from === undefined || to === undefined ? [] : [{ ...transition, from, to }];
      }),
    };
  }

  /** The id of a location in the thread that `build` gave last; absent where it was left out. */
  idOf(location: LocationId): LocationId | undefined {
    return this.#ids.get(this.#root(location));
  }

  #root(location: LocationId): LocationId {
    let at = location;
    for (let next = this.#joined.get(at); next !== undefined; next = this.#joined.get(at))
      at = next;
    return at;
  }

  /** The first label of each location that has some. */
  #labels(): ReadonlyMap<LocationId, { readonly name: string; readonly span: Span }> {
    const labels = new Map<LocationId, { name: string; span: Span }>();
    this.#places.forEach(({ label, span }, id) => {
      const root = this.#root(id);
      if (label !== undefined && !labels.has(root)) labels.set(root, { name: label, span });
    });
    return labels;
  }

  #declare(name: string, hidden: boolean): RegisterId {
    const known = this.#registerIds.get(name);
    if (known !== undefined) return known;
    const id = this.#registers.push({ name, hidden }) - 1;
    this.#registerIds.set(name, id);
    return id;
  }

  #reachableFrom(starts: readonly LocationId[]): ReadonlySet<LocationId> {
    const successors = new Map<LocationId, LocationId[]>();
    for (const { from, to } of this.#transitions) {
      const known = successors.get(this.#root(from));
      if (known) known.push(this.#root(to));
      else successors.set(this.#root(from), [this.#root(to)]);
    }
    const reached = new Set(starts);
    for (const at of reached) for (const next of successors.get(at) ?? []) reached.add(next);
    return reached;
  }
}

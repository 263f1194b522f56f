import type { LocationId, RegisterId } from '../../program/ids.js';
import type { Location, Register, Thread, Transition } from '../../program/program.js';
import type { Span } from '../../source/span.js';
import type { Token } from './line-tokens.js';

/** A thread while its block is read: locations and registers are declared by their first occurrence. */
export class ThreadBuilder {
  readonly name: string;
  /** Where the thread is named. */
  readonly header: Span;
  readonly #locations: Location[] = [];
  readonly #locationIds = new Map<string, LocationId>();
  readonly #registers: Register[] = [];
  readonly #registerIds = new Map<string, RegisterId>();
  readonly #transitions: Transition[] = [];
  #initial: LocationId | undefined;
  #initialSpan: Span | undefined;

  constructor(name: string, header: Span) {
    this.name = name;
    this.header = header;
  }

  /** Where the keyword `initial` stands; absent until then. */
  get initialSpan(): Span | undefined {
    return this.#initialSpan;
  }

  /** Notes the `initial` line at `span`; `state` is absent if the line did not name one. */
  setInitial(state: Token | undefined, span: Span): void {
    this.#initialSpan = span;
    // Any location will do after an error: the program is not returned then.
    this.#initial = state ? this.locationOf(state) : 0;
  }

  locationOf(state: Token): LocationId {
    const known = this.#locationIds.get(state.text);
    if (known !== undefined) return known;
    const id: LocationId = this.#locations.length;
    this.#locations.push({
      name: state.text,
      hidden: false,
      span: state.span,
    });
    this.#locationIds.set(state.text, id);
    return id;
  }

  registerOf(name: string): RegisterId {
    const known = this.#registerIds.get(name);
    if (known !== undefined) return known;
    const id: RegisterId = this.#registers.length;
    this.#registers.push({ name, hidden: false });
    this.#registerIds.set(name, id);
    return id;
  }

  addTransition(transition: Transition): void {
    this.#transitions.push(transition);
  }

  /** The thread; absent if it has no initial location. */
  build(): Thread | undefined {
    if (this.#initial === undefined) return undefined;
    return {
      name: this.name,
      registers: this.#registers,
      locations: this.#locations,
      initial: this.#initial,
      transitions: this.#transitions,
    };
  }
}

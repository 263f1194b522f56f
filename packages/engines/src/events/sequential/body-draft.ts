import { at } from '@fencewright/ground/base/at.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { Body } from '@fencewright/model/program/event-program.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { Location, Register } from '@fencewright/model/program/program.js';

/** The locations and registers of a version of a body, to which a construction can add more. */
export class BodyDraft {
  readonly locations: Location[];
  readonly registers: Register[];
  readonly #body: Body;
  readonly #locationNames: UniqueNames;
  readonly #registerNames: UniqueNames;
  /** The registers that were added, by the names that callers of `register` gave. */
  readonly #added = new Map<string, RegisterId>();

  constructor(body: Body) {
    this.#body = body;
    this.locations = [...body.locations];
    this.registers = [...body.registers];
    this.#locationNames = new UniqueNames(body.locations.map(({ name }) => name));
    this.#registerNames = new UniqueNames(body.registers.map(({ name }) => name));
  }

  /**
   * Returns a new location inside of a step that begins at the location `from` of the original
   * body.
   */
  hidden({ from }: { readonly from: LocationId }): LocationId {
    const { name, span } = at(this.#body.locations, from);
    const fresh = { name: this.#locationNames.fresh(name), hidden: true, ...(span && { span }) };
    return this.locations.push(fresh) - 1;
  }

  /** Returns the added register named `name`. The first call for a name adds the register. */
  register(name: string): RegisterId {
    const known = this.#added.get(name);
    if (known !== undefined) return known;
    const made = { name: this.#registerNames.fresh(name), hidden: true };
    const id = this.registers.push(made) - 1;
    this.#added.set(name, id);
    return id;
  }
}

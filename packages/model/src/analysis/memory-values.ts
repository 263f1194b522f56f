import type { Program } from '../program/program.js';
import type { ValueSet } from './value-set.js';
import { isEmpty, isEnds, type RoughSet, widened } from './number-ends.js';
import { joinRough, rangeSet, toValueSet } from './value-set.js';

/**
 * The values that each memory cell may hold at some time, including the initial value; sets only
 * grow.
 */
export class MemoryValues {
  readonly #domain: Program['domain'];
  /** Cells with an initial value other than 0. */
  readonly #initial = new Map<number, number>();
  /** The value sets of cells that have been written, by address. */
  readonly #cells = new Map<number, RoughSet>();
  /** Values written to unknown addresses: any cell may hold them. */
  #anywhere: RoughSet = [];
  /** The values held by at least one cell. */
  #all: RoughSet;
  #grown = false;
  #widens = false;

  constructor(program: Program) {
    this.#domain = program.domain;
    for (const { base, initial } of program.symbols)
      initial.forEach((value, i) => {
        if (value !== 0) this.#initial.set(base + i, value);
      });
    this.#all = toValueSet([0, ...this.#initial.values()]);
  }

  /**
   * Begins a round of the closure: resets `hasGrown`. If `widens`, value sets that grow in this
   * round become the whole domain or, without a domain, an approximation that cannot grow for ever.
   */
  startRound(widens: boolean): void {
    this.#grown = false;
    this.#widens = widens;
  }

  /** Whether a value set has grown since the start of this round. */
  get hasGrown(): boolean {
    return this.#grown;
  }

  /** Values that a load from one of the addresses may return. */
  read(addresses: ValueSet): RoughSet {
    if (addresses === 'any') return this.#all;
    let values: RoughSet = [];
    for (const address of addresses) values = joinRough(values, this.#cell(address));
    return isEmpty(values) ? values : joinRough(values, this.#anywhere);
  }

  /**
   * Records that any of the addresses may receive any of the values. Values outside the domain are
   * dropped, as their stores fault.
   */
  write(addresses: ValueSet, values: RoughSet): void {
    const stored = this.#clamp(values);
    if (addresses.length === 0 || isEmpty(stored)) return;
    this.#all = this.#join(this.#all, stored);
    if (addresses === 'any') this.#anywhere = this.#join(this.#anywhere, stored);
    else
      for (const address of addresses)
        this.#cells.set(address, this.#join(this.#cell(address), stored));
  }

  #cell(address: number): RoughSet {
    return this.#cells.get(address) ?? [this.#initial.get(address) ?? 0];
  }

  #join(known: RoughSet, added: RoughSet): RoughSet {
    const joined = joinRough(known, added);
    if (joined === known) return known;
    this.#grown = true;
    if (!this.#widens) return joined;
    return joinRough(known, this.#clamp(this.#domain ? 'any' : widened(known, joined)));
  }

  #clamp(values: RoughSet): RoughSet {
    const domain = this.#domain;
    if (!domain) return values;
    if (values === 'any' || isEnds(values)) return rangeSet(domain.low, domain.high);
    return values.filter((value) => value >= domain.low && value <= domain.high);
  }
}

import { SeededRandom } from '@fencewright/core/testing';
import { expect } from 'vitest';
import type { VerifyLimits } from '../src/budget.js';
import { verifyCertificate } from '../src/verify.js';
import { type Chance, type Draft, forge, type Forgery } from './forgeries.js';

/**
 * The material for forgeries: a valid certificate, its program, and a judge of forged certificates.
 */
export interface Subject<D = Draft> {
  readonly honest: D;
  /** The program that the verifier gets; absent if it gets only the certificate. */
  readonly given: object | undefined;
  /**
   * Returns whether the claim of a certificate is true, by means independent of the verifier;
   * `undefined` if the question is too large.
   */
  readonly isTrue: (draft: D) => Promise<boolean | undefined>;
}

export interface Campaign<D = Draft> {
  /** The number of changed certificates that the campaign makes. */
  readonly changes: number;
  readonly seed: number;
  readonly forgeries: Readonly<Record<string, Forgery<D>>>;
  readonly limits?: VerifyLimits;
  /** Returns the subject of forgeries in a round; `undefined` if there is none. */
  readonly subject: (round: number, chance: Chance) => Promise<Subject<D> | undefined>;
}

/** Counts the elements of lists by kind. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, this.of(name) + 1);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  get names(): readonly string[] {
    return [...this.#counts.keys()];
  }

  toString(): string {
    return this.names.map((name) => `${name}: ${this.of(name)}`).join(', ');
  }
}

/**
 * Forges certificates, several from each valid certificate, with the digest renewed. Prints the
 * outcomes, and expects that all accepted certificates are true and that the forgeries were of many
 * kinds.
 */
export async function forgeMany<D extends object & { readonly digest: string } = Draft>({
  changes,
  seed,
  forgeries,
  limits = {},
  subject,
}: Campaign<D>): Promise<void> {
  const random = new SeededRandom(seed);
  const chance: Chance = (n) => random.below(n);
  const names = Object.keys(forgeries);
  const [tried, accepted, verdicts] = [new Counts(), new Counts(), new Counts()];
  const wrong: string[] = [];
  let done = 0;
  for (let round = 0; done < changes && round < changes * 20; round++) {
    const found = await subject(round, chance);
    if (!found) continue;
    const { honest, given, isTrue } = found;
    expect(await verifyCertificate(honest, given, limits)).toMatchObject({ kind: 'accepted' });
    for (let i = 0; i < 12 && done < changes; i++) {
      const name = names[chance(names.length)]!;
      const forged = forge<D>(honest, forgeries[name]!, chance);
      if (!forged) continue;
      done++;
      tried.add(name);
      const report = await verifyCertificate(forged, given, limits);
      verdicts.add(report.kind);
      if (report.kind !== 'accepted') continue;
      accepted.add(name);
      const truth = await isTrue(forged);
      if (truth === undefined) verdicts.add('too large to judge');
      else if (!truth) wrong.push(`${name}: ${JSON.stringify(forged)}`);
    }
  }
  const shown = tried.names.map((name) => `${accepted.of(name)} of ${tried.of(name)}: ${name}`);
  console.info(
    [
      `${done} changes of ${tried.names.length} kinds`,
      verdicts.toString(),
      'accepted:',
      ...shown,
    ].join('\n'),
  );
  expect(wrong).toEqual([]);
  expect(done).toBe(changes);
  expect(tried.names.length).toBeGreaterThanOrEqual(Math.min(30, changes / 20));
  expect(accepted.names.length).toBeGreaterThan(0);
}

/** The claim of a certificate that a choice is sufficient and cheapest. */
export interface Claimed {
  readonly items: readonly { readonly item: unknown }[];
  readonly chosen: readonly number[];
  readonly cost: number;
}

/**
 * Whether the chosen items are sufficient, have the claimed cost, and no cheaper choice is
 * sufficient.
 */
export async function isCheapest<Item>(
  all: readonly { readonly item: Item; readonly cost: number }[],
  { items, chosen, cost }: Claimed,
  isEnough: (items: readonly Item[]) => Promise<boolean | undefined>,
): Promise<boolean | undefined> {
  const costOf = (item: unknown): number =>
    all.find((one) => JSON.stringify(one.item) === JSON.stringify(item))?.cost ?? Number.NaN;
  const own = chosen.map((index) => items[index]!.item as Item);
  if (own.reduce((sum, item) => sum + costOf(item), 0) !== cost) return false;
  const enough = await isEnough(own);
  if (enough !== true) return enough;
  for (let bits = 0; bits < 2 ** all.length; bits++) {
    const subset = all.filter((_, i) => bits & (1 << i));
    if (subset.reduce((sum, one) => sum + one.cost, 0) >= cost) continue;
    const cheaper = await isEnough(subset.map(({ item }) => item));
    if (cheaper !== false) return cheaper === undefined ? undefined : false;
  }
  return true;
}

import { InternalError } from '@fencewright/core';
import { SeededRandom } from '@fencewright/core/testing';
import type { Report } from '../../src/report.js';
import { programDigest, verifyCertificate } from '../../src/verify.js';
import { type Chance, pick } from '../forgeries.js';
import {
  aboutMembers,
  aboutOperations,
  claimOperations,
  envelope,
  envelopeOperations,
} from './claims.js';
import { closedInvariants } from './closed-invariants.js';
import { asText, isObject, type Json, type JsonObject } from './json.js';
import { type Operation, partOperations, rubbish } from './operations.js';
import { drawSubject, limits, resealed, type Subject } from './subjects.js';
import { weakerPrograms } from './weaker-programs.js';

/**
 * The ways to forge a certificate. They differ in what is changed, and in which program the
 * verifier is given.
 */
const ways = [
  /** The proof or the claim is changed; the verifier knows the program. */
  'another proof',
  /**
   * The certificate is about a program different from the original, and the verifier knows only the
   * different program.
   */
  'another program',
  /** The program in the certificate is changed; the verifier knows the true program. */
  'a program that is not the given one',
  /** Any part is changed at random; the verifier does not know the program. */
  'nobody knows the program',
  'the envelope',
] as const;

/** All operations by name. */
export const operations: Readonly<Record<string, Operation>> = {
  ...partOperations,
  ...rubbish,
  ...claimOperations,
  ...aboutOperations,
  ...envelopeOperations,
  ...weakerPrograms,
  ...closedInvariants,
};
const [ofClaims, ofProgram, ofEnvelope, ofWeaker, ofClosed] = [
  { ...partOperations, ...claimOperations, ...closedInvariants },
  { ...partOperations, ...aboutOperations, ...weakerPrograms },
  envelopeOperations,
  weakerPrograms,
  closedInvariants,
].map((all) => Object.keys(all)) as [string[], string[], string[], string[], string[]];

/**
 * The name of the operation that replaces the program by its twin, a similar program for which the
 * claim is known to be false.
 */
const twin = 'the program is that without what makes it robust';

interface Forged {
  readonly draft: JsonObject;
  readonly given: Json | undefined;
  /** The names of the operations applied to the certificate, in order. */
  readonly done: readonly string[];
}

interface Work {
  readonly subject: Subject;
  readonly donor: JsonObject;
  readonly chance: Chance;
  /** Returns the number of times that an operation has been applied. */
  readonly timesDone: (name: string) => number;
}

/** Returns a random operation, one seldom applied so far, or sometimes one that inserts rubbish. */
function next({ chance, timesDone }: Work, names: readonly string[]): string {
  if (names !== ofEnvelope && names !== ofWeaker && chance(12) === 0)
    return pick(Object.keys(rubbish), chance)!;
  // These operations are few, and change the claim itself.
  if (names === ofClaims && chance(3) === 0) return pick(Object.keys(claimOperations), chance)!;
  if (chance(3) > 0) return pick(names, chance)!;
  const least = Math.min(...names.map(timesDone));
  return pick(
    names.filter((name) => timesDone(name) <= least + 1),
    chance,
  )!;
}

/**
 * Applies operations of the given names to a draft; tries a few others if an operation finds
 * nothing to change.
 */
function apply(
  work: Work,
  draft: JsonObject,
  names: readonly string[],
  members: readonly string[],
  times: number,
): readonly string[] {
  const { donor, chance } = work;
  const done: string[] = [];
  for (let tries = 0; done.length < times && tries < times * 10; tries++) {
    const name = next(work, names);
    if (operations[name]!({ draft, members, donor, chance })) done.push(name);
  }
  return done;
}

function aboutOf({ automata, net }: JsonObject): Json | undefined {
  return automata ?? net;
}

function forge(work: Work, way: (typeof ways)[number]): Forged {
  const { subject, chance } = work;
  const { honest, brokenTwin } = subject;
  const draft = structuredClone(honest);
  const said = Object.keys(draft).filter((name) => ![...envelope, ...aboutMembers].includes(name));
  const about = aboutMembers.filter((name) => name in draft);
  // Most second changes break a part that the first change left valid.
  const some = chance(3) > 0 ? 1 : 2 + chance(2);
  switch (way) {
    case 'another proof':
      return { draft, given: aboutOf(honest), done: apply(work, draft, ofClaims, said, some) };
    case 'another program': {
      const isTwin = brokenTwin !== undefined && chance(2) === 0;
      if (isTwin) draft.automata = structuredClone(brokenTwin);
      const weaker = isTwin ? [twin] : apply(work, draft, ofWeaker, about, 1 + chance(2));
      const given = structuredClone(aboutOf(draft));
      const closed = chance(2) === 0 ? apply(work, draft, ofClosed, said, 1) : [];
      const more = closed.length > 0 ? [] : apply(work, draft, ofClaims, said, some - 1);
      return { draft, given, done: [...weaker, ...closed, ...more] };
    }
    case 'a program that is not the given one': {
      const changed = apply(work, draft, ofProgram, about, some);
      const more = chance(3) === 0 ? apply(work, draft, ofClaims, said, 1) : [];
      return { draft, given: aboutOf(honest), done: [...changed, ...more] };
    }
    case 'nobody knows the program': {
      const changed = apply(work, draft, [...ofProgram, ...ofWeaker], about, some);
      const more = apply(work, draft, ofClaims, said, chance(3));
      return { draft, given: undefined, done: [...changed, ...more] };
    }
    case 'the envelope': {
      const changed = apply(work, draft, ofEnvelope, [], 1);
      const more = chance(2) === 0 ? apply(work, draft, ofClaims, said, 1) : [];
      return { draft, given: aboutOf(honest), done: [...changed, ...more] };
    }
  }
}

/** Returns the program as text, without its name and the names of hidden items. */
function withoutNames(value: Json | undefined): string {
  const visit = (one: Json): Json => {
    if (Array.isArray(one)) return one.map(visit);
    if (!isObject(one)) return one;
    const entries = Object.entries(one).filter(
      ([name]) => !(name === 'name' && one.hidden === true),
    );
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, member]) => [name, visit(member)]));
  };
  const { name: _, ...rest } = (value ?? {}) as JsonObject;
  return JSON.stringify(visit(rest));
}

const statements: Readonly<Record<string, string>> = {
  concurrency: 'robust-against-concurrency',
  tso: 'robust',
  both: 'serialisable',
};

/** Returns the statement of a certificate in one word, derived from the members. */
function statementOf({ kind, happensBefore, against, conclusion }: JsonObject): string {
  switch (kind) {
    case 'states':
    case 'property-fences':
      return 'properties';
    case 'race-fences':
      return 'no-triangular-race';
    case 'cover':
      return 'not-coverable';
    case 'event-fences':
      return statements[asText(against)] ?? 'nothing';
    case 'proof': {
      const { kind: shown, happensBefore: notion } = conclusion as JsonObject;
      if (shown !== 'robust') return asText(shown);
      return notion === 'value' ? 'robust-by-value' : 'robust';
    }
    default:
      return happensBefore === 'value' ? 'robust-by-value' : 'robust';
  }
}

/** Returns the error in the report on an accepted certificate, apart from a false claim. */
function misreported(
  { draft, given }: Forged,
  report: Extract<Report, { kind: 'accepted' }>,
): string | undefined {
  const about = aboutOf(draft) as JsonObject;
  if (given !== undefined && withoutNames(about) !== withoutNames(given))
    return 'it is about another program than the given one';
  if (report.program !== programDigest(given ?? about)) return 'the digest of another program';
  if (report.about !== (given === undefined ? 'these automata' : 'the program'))
    return 'it says that it is about something else';
  const assumed = (about.assumptions ?? []) as string[];
  if (!assumed.every((one) => report.assumes.includes(one))) return 'an assumption is not said';
  const { claim } = report;
  if (claim.kind !== draft.kind) return 'another kind is said';
  if (claim.says !== statementOf(draft)) return `it says ${claim.says}`;
  if (claim.repairs?.cost !== draft.cost) return 'another cost is said';
  if (claim.repairs && draft.mode !== undefined && claim.repairs.mode !== draft.mode)
    return 'another mode is said';
  const named = ((draft.properties ?? []) as Json[]).flatMap((one) =>
    isObject(one) ? (one.kind === 'property' ? [asText(one.name)] : []) : [asText(one)],
  );
  if (!claim.properties.every((name) => named.includes(name))) return 'other properties are said';
  return undefined;
}

/** The outcomes of forged certificates, counted. */
export interface Tally {
  readonly counts: ReadonlyMap<string, number>;
  /** The errors of the verifier that the campaign has found, in words. */
  readonly wrong: readonly string[];
}

export interface Campaign {
  readonly forgeries: number;
  readonly seed: number;
  readonly kinds: readonly string[];
  /** The number of certificates of each kind that are kept at a time, as material for forgeries. */
  readonly poolSize: number;
}

/**
 * Valid certificates of a kind: few at a time, used as material for forging further certificates.
 */
class Pool {
  readonly #kind: string;
  readonly #size: number;
  readonly #chance: Chance;
  #seed: number;
  #subjects: readonly Subject[] = [];

  constructor(kind: string, size: number, seed: number, chance: Chance) {
    [this.#kind, this.#size, this.#seed, this.#chance] = [kind, size, seed, chance];
  }

  async pick(): Promise<Subject> {
    for (let tries = 0; this.#subjects.length < this.#size || this.#chance(10) === 0; tries++) {
      if (tries > 2000) throw new Error(`no certificates of kind ${this.#kind} to be had`);
      const found = await this.#draw(this.#seed++);
      if (found) this.#subjects = [...this.#subjects, found].slice(-this.#size);
    }
    return pick(this.#subjects, this.#chance)!;
  }

  /**
   * Draws a certificate; `undefined` if the prover fails. Failures of provers are covered by their
   * own tests.
   */
  async #draw(seed: number): Promise<Subject | undefined> {
    try {
      return await drawSubject(this.#kind, seed, this.#chance);
    } catch (error) {
      if (!(error instanceof InternalError)) throw error;
      console.warn(`${this.#kind}, seed ${seed}: ${error.message}`);
      return undefined;
    }
  }
}

/**
 * Forges certificates of all kinds, judges each, and counts: by kind, by operation, by way, and by
 * truth; `false: refused` counts certificates with a claim false by brute force.
 */
export async function forgeEveryKind(campaign: Campaign): Promise<Tally> {
  const { forgeries, seed, kinds, poolSize } = campaign;
  const random = new SeededRandom(seed);
  const chance: Chance = (n) => random.below(n);
  const pools = new Map(kinds.map((kind) => [kind, new Pool(kind, poolSize, seed, chance)]));
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const wrong: string[] = [];
  for (let i = 0; i < forgeries; i++) {
    const kind = kinds[i % kinds.length]!;
    const subject = await pools.get(kind)!.pick();
    const donor = await pools.get(chance(4) === 0 ? pick(kinds, chance)! : kind)!.pick();
    const way = i % 37 === 0 ? 'the envelope' : ways[chance(4)]!;
    const timesDone = (name: string): number => counts.get(`operation ${name}`) ?? 0;
    const forged = forge({ subject, donor: donor.honest, chance, timesDone }, way);
    if (forged.done.length === 0) continue;
    count('forged');
    count(`way ${way}`);
    for (const name of new Set(forged.done)) count(`operation ${name}`);
    const isStale = chance(60) === 0;
    const draft = isStale ? forged.draft : resealed(forged.draft);
    const isSame = JSON.stringify(draft) === JSON.stringify(subject.honest);
    const complain = (what: string): void =>
      void wrong.push(
        `${kind}, ${way}, ${forged.done.join(', ')}: ${what}: ${JSON.stringify({ draft, given: forged.given })}`,
      );
    let report: Report;
    try {
      report = await verifyCertificate(draft, forged.given, limits);
    } catch (error) {
      complain(`the verifier fails: ${String(error)}`);
      continue;
    }
    count(`kind ${kind}: ${report.kind}`);
    if (report.kind === 'accepted') {
      if (isStale && !isSame) complain('its digest is that of another');
      const flaw = misreported(forged, report);
      if (flaw !== undefined) complain(flaw);
    }
    if (report.kind === 'partly' && report.notChecked.length === 0)
      complain('in part, and nothing is left');
    const truth = await judged(subject, { ...forged, draft }, report);
    count(`kind ${kind}: ${String(truth)}`);
    for (const name of new Set(forged.done)) if (truth === false) count(`false by ${name}`);
    if (truth === false && report.kind === 'accepted') complain('what it says is false');
  }
  return { counts, wrong };
}

/**
 * Returns whether the claim of a forged certificate is true. Refused certificates may lack the form
 * that the judge expects.
 */
async function judged(
  { isTrue, brokenTwin }: Subject,
  { draft, given }: Forged,
  { kind }: Report,
): Promise<boolean | undefined> {
  const isOfTwin = brokenTwin && withoutNames(draft.automata) === withoutNames(brokenTwin);
  if (isOfTwin && draft.kind === 'robust' && draft.happensBefore === 'standard') {
    if ((await isTrue(draft)) === true) throw new Error('the twin is robust');
    return false;
  }
  if (given !== undefined && withoutNames(aboutOf(draft)) !== withoutNames(given)) return false;
  if (kind === 'accepted') return isTrue(draft);
  if (kind === 'not-a-certificate') return undefined;
  try {
    return await isTrue(draft);
  } catch {
    return undefined;
  }
}

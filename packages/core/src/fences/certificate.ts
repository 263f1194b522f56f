import { sha256 } from '../base/digest.js';
import type { Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { HappensBefore } from '../trace/trace.js';
import type { Attack } from '../verdict/attack.js';
import type { RepairAnswer } from './hit-attacks.js';
import type { PricedItem } from './repair-item.js';
import type { RepairProblem } from './repair-problem.js';

/** How the problem was posed: what may be inserted, or what may be removed. */
export type RepairMode = 'fence' | 'xchg' | 'any' | 'minimise' | 'minimise-locked';

/** A clause as it is written down: the items are indices into `items`. */
export interface CertificateClause {
  readonly items: readonly number[];
  readonly attack: Attack;
  readonly computation: Computation;
}

/**
 * The proof that a set of repairs is sufficient and cheapest: every clause has a witness that only its items stop, no cheaper set of
 * items meets all clauses, and the repaired program is robust.
 */
export interface Certificate {
  readonly format: 'fencewright-certificate';
  readonly version: 1;
  /** SHA-256 of the program's meaning; layout and comments do not count. */
  readonly program: string;
  readonly mode: RepairMode;
  /** Whose cycles the repaired program is free of, and the witnesses have; `standard` where absent. */
  readonly happensBefore?: HappensBefore;
  /** Name of the cost model. */
  readonly costModel: string;
  readonly items: readonly PricedItem[];
  /** Indices into `items`, ascending. */
  readonly chosen: readonly number[];
  readonly cost: number;
  /** What every set that meets the clauses costs at least. */
  readonly bound: number;
  readonly clauses: readonly CertificateClause[];
  /** SHA-256 of everything above. */
  readonly digest: string;
}

/** A name of what the program does: equal for programs that differ in layout, comments and annotations only. */
export function programDigest({ name, symbols, domain, threads }: Program): Promise<string> {
  const meaning = threads.map((thread) => [
    thread.name,
    thread.registers.map((register) => register.name),
    thread.locations.map((location) => location.name),
    thread.initial,
    thread.transitions.map(({ from, to, instruction }) => [from, to, instruction]),
  ]);
  return sha256(JSON.stringify([name, symbols, domain ?? null, meaning]));
}

/** The digest that a certificate has to carry. */
export function certificateDigest({ digest: _own, ...rest }: Certificate): Promise<string> {
  return sha256(JSON.stringify(rest));
}

/** The certificate of an optimal answer to a problem about `program`. */
export async function createCertificate(
  program: Program,
  mode: RepairMode,
  notion: HappensBefore,
  costModel: string,
  problem: RepairProblem,
  answer: Extract<RepairAnswer, { kind: 'optimal' }>,
): Promise<Certificate> {
  const certificate: Certificate = {
    format: 'fencewright-certificate',
    version: 1,
    program: await programDigest(program),
    mode,
    happensBefore: notion,
    costModel,
    items: problem.items,
    chosen: answer.chosen,
    cost: answer.cost,
    bound: answer.cost,
    clauses: answer.clauses.map(({ items, witness: { attack, computation } }) => ({
      items,
      attack,
      computation,
    })),
    digest: '',
  };
  return { ...certificate, digest: await certificateDigest(certificate) };
}

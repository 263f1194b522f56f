import type { Mode } from './repair.js';

/** The statements of certificates about a program or a net, each as one word. */
export const statements = [
  'robust',
  'robust-by-value',
  'robust-against-concurrency',
  'robust-against-c11',
  'robust-against-ra',
  'serialisable',
  'properties',
  'no-triangular-race',
  'not-coverable',
  'same-states',
  'abstraction',
] as const;
export type Statement = (typeof statements)[number];

/** The repairs in a claim: fences that may be inserted or removed, and their cost. */
interface ClaimedRepairs {
  readonly mode: Mode;
  readonly cost: number;
  readonly costModel: string;
}

/** The claim of a certificate: all that an accepted certificate proves. */
export interface Claim {
  readonly says: Statement;
  /** The names of the properties that the certificate proves to hold. */
  readonly properties: readonly string[];
  /** Whether the certificate proves that no assertion fails. */
  readonly assertions: boolean;
  /** Present if the certificate proves that threads wait for ever only as they do under SC. */
  readonly progress?: true;
  /**
   * The repairs after which the claim holds; absent if the claim is about the unchanged program.
   */
  readonly repairs?: ClaimedRepairs;
}

/**
 * Returns a claim; if `properties` or `repairs` is absent, the claim has no properties or no
 * repairs.
 */
export function claimOf(
  says: Statement,
  { properties = [], assertions = false, progress, repairs }: Partial<Claim> = {},
): Claim {
  const said = { says, properties, assertions, ...(progress && { progress }) };
  if (!repairs) return said;
  const { mode, cost, costModel } = repairs;
  return { ...said, repairs: { mode, cost, costModel } };
}

/** Returns the statement "robust against TSO" for a notion of happens-before. */
export function robustIn(happensBefore: 'standard' | 'value'): Statement {
  return happensBefore === 'value' ? 'robust-by-value' : 'robust';
}

const repairsInWords: Readonly<Record<Mode, string>> = {
  fence: 'repairs are fences',
  xchg: 'repairs are locked exchanges in place of stores',
  asymmetric: 'repairs are fences and heavy fences',
  any: 'repairs are fences, and locked exchanges in place of stores',
  minimise: 'repairs are fences of the program that stay, while all others are taken out',
  'minimise-locked':
    'repairs are fences and locked exchanges of the program that stay, while all others are taken out',
};

/** Returns the kind of repairs in a claim, and the cost model, in words. */
export function aboutRepairs({ mode, costModel }: ClaimedRepairs): string {
  return `${repairsInWords[mode]}; costs are by '${costModel}'`;
}

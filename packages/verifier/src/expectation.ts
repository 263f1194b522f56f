import { type Claim, statements } from './claim.js';

/** A statement that the caller expects a certificate to make. */
export type Expectation =
  | { readonly kind: 'kind' | 'claim' | 'property' | 'program'; readonly value: string }
  | { readonly kind: 'cost' | 'max-cost'; readonly value: number }
  | { readonly kind: 'assertions' | 'progress' | 'assumptions' };

/** The forms in which expectations are written, for messages. */
export const expectationForms = [
  'kind=KIND',
  `claim=${statements.join('|')}`,
  'property=NAME',
  'assertions=hold',
  'progress=holds',
  'cost=N',
  'max-cost=N',
  'program=DIGEST',
  'assumptions=none',
] as const;

/**
 * Parses an expectation `NAME=VALUE`; returns `undefined` if the text has none of the
 * `expectationForms`.
 */
export function readExpectation(text: string): Expectation | undefined {
  const at = text.indexOf('=');
  const [kind, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  switch (kind) {
    case 'kind':
    case 'property':
      return value === '' ? undefined : { kind, value };
    case 'claim':
      return (statements as readonly string[]).includes(value) ? { kind, value } : undefined;
    case 'program':
      return /^[0-9a-f]{64}$/.test(value) ? { kind, value } : undefined;
    case 'cost':
    case 'max-cost':
      return /^\d+(\.\d+)?$/.test(value) ? { kind, value: Number(value) } : undefined;
    case 'assertions':
      return value === 'hold' ? { kind } : undefined;
    case 'progress':
      return value === 'holds' ? { kind } : undefined;
    case 'assumptions':
      return value === 'none' ? { kind } : undefined;
    default:
      return undefined;
  }
}

/** The statement of a certificate, and the program that the statement is about. */
export interface Said {
  readonly claim: Claim & { readonly kind: string };
  readonly assumes: readonly string[];
  readonly program: string;
}

/**
 * Describes the difference between a certificate's statement and an expectation; returns
 * `undefined` if the expectation is met.
 */
export function disappointment(said: Said, expected: Expectation): string | undefined {
  const { claim, assumes, program } = said;
  switch (expected.kind) {
    case 'kind':
      return unequal('kind', expected.value, claim.kind);
    case 'claim':
      return unequal('claim', expected.value, claim.says);
    case 'program':
      return unequal('program', expected.value, program);
    case 'property':
      return claim.properties.includes(expected.value)
        ? undefined
        : `expected property=${expected.value}, but the certificate is about ${named(claim.properties)}`;
    case 'assertions':
      return claim.assertions
        ? undefined
        : 'expected assertions=hold, but the certificate says nothing about assertions';
    case 'progress':
      return claim.progress
        ? undefined
        : 'expected progress=holds, but the certificate says nothing about progress';
    case 'assumptions':
      return assumes.length === 0
        ? undefined
        : `expected assumptions=none, but the certificate assumes: ${assumes.join('; ')}`;
    case 'cost':
    case 'max-cost':
      return unpaid(expected.kind, expected.value, claim.repairs?.cost);
  }
}

function unequal(name: string, wanted: string, found: string): string | undefined {
  return wanted === found
    ? undefined
    : `expected ${name}=${wanted}, but the certificate has ${name}=${found}`;
}

function unpaid(name: 'cost' | 'max-cost', wanted: number, cost: number | undefined) {
  if (cost === undefined)
    return `expected ${name}=${wanted}, but the certificate is about no repairs`;
  const isSo = name === 'cost' ? cost === wanted : cost <= wanted;
  return isSo ? undefined : `expected ${name}=${wanted}, but the cost is ${cost}`;
}

function named(properties: readonly string[]): string {
  return properties.length === 0 ? 'no property' : properties.join(', ');
}

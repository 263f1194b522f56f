import { canonicalJson } from '@fencewright/ground/base/canonical-json.js';
import { sha256 } from '@fencewright/ground/base/digest.js';
import { automataToJson, eventAutomataToJson } from './automata-json.js';
import type { EventProgram } from './event-program.js';
import type { Templates } from './templates.js';
import type { Program } from './program.js';

/**
 * A certificate as written to a file; further members depend on its kind. Certificates are checked
 * by a separate program.
 */
export interface SealedCertificate {
  readonly format: 'fencewright-certificate';
  readonly version: 3;
  readonly kind: string;
  /**
   * The SHA-256 digest of the canonical JSON of all other members. The digest detects accidental
   * changes, and proves nothing.
   */
  readonly digest: string;
}

async function seal(
  kind: string,
  about: Readonly<Record<'automata' | 'net', object | undefined>>,
  body: object,
): Promise<SealedCertificate> {
  const format = 'fencewright-certificate';
  const open = { format, version: 3, kind, ...about, ...body } as const;
  return { ...open, digest: await sha256(canonicalJson(open)) };
}

/**
 * Seals a certificate about a program: adds the digest. `body` has the members required by the kind
 * of certificate.
 */
export function sealCertificate(
  kind: string,
  program: Program | Templates,
  body: object,
): Promise<SealedCertificate> {
  return seal(kind, { automata: automataToJson(program), net: undefined }, body);
}

/** Seals a certificate about a program and its memory orders: adds the digest. */
export function sealOrdersCertificate(
  kind: string,
  program: Program,
  body: object,
): Promise<SealedCertificate> {
  return seal(kind, { automata: automataToJson(program, 'kept'), net: undefined }, body);
}

/** Seals a certificate about a program of events: adds the digest. */
export function sealEventCertificate(
  kind: string,
  program: EventProgram,
  body: object,
): Promise<SealedCertificate> {
  return seal(kind, { automata: eventAutomataToJson(program), net: undefined }, body);
}

/** Seals a certificate about a net, with the net as JSON: adds the digest. */
export function sealNetCertificate(
  kind: string,
  net: object,
  body: object,
): Promise<SealedCertificate> {
  return seal(kind, { automata: undefined, net }, body);
}

import { createHash } from 'node:crypto';

/**
 * Returns the JSON text of a value, with the members of objects in a fixed order and without
 * spaces. Equal values have equal texts.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join()}}`;
}

/**
 * Returns the correct `digest` of a certificate: SHA-256 of the canonical JSON of all members
 * except `digest`. The digest guards against accidents, not against forgery.
 */
export function certificateDigest(certificate: object): string {
  const { digest: _own, ...rest } = certificate as Readonly<Record<string, unknown>>;
  return createHash('sha256').update(canonicalJson(rest)).digest('hex');
}

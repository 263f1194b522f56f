import { createHash } from 'node:crypto';

/**
 * The JSON of a value with the members of objects in one order and no space: equal for equal
 * values.
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
 * The correct `digest` of a certificate: SHA-256 of the canonical JSON of all members but `digest`.
 * The digest guards against accidents only.
 */
export function certificateDigest(certificate: object): string {
  const { digest: _own, ...rest } = certificate as Readonly<Record<string, unknown>>;
  return createHash('sha256').update(canonicalJson(rest)).digest('hex');
}

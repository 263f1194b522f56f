import type { WebFormat } from './messages.js';

/** The content of a link by which a program is shared. */
export interface Shared {
  readonly format: WebFormat;
  readonly text: string;
  /** The name of the tab that is open when the link is followed. */
  readonly view?: string;
  /** The version of the tool with which the link was made. */
  readonly version?: string;
}

/**
 * The maximum length of a link; some programs cut longer links when passing them on. Larger
 * programs are shared as files.
 */
export const longestLink = 8000;

/**
 * The maximum number of characters of a program; a few characters of a link could expand to
 * gigabytes.
 */
const mostCharacters = 2_000_000;

const formats: readonly string[] = [
  'native',
  'litmus',
  'trencher',
  'memorax',
] satisfies WebFormat[];

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    chunks.push(value);
    size += chunks.at(-1)!.length;
    if (size > mostCharacters) throw new Error('too large');
  }
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
}

/**
 * Returns the part of a link after `#`: `1/`, the number of this format, and the base64url of the
 * deflated JSON.
 */
export async function toFragment(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  return `1/${toBase64Url(await through(bytes, new CompressionStream('deflate-raw')))}`;
}

function isShared(value: unknown): value is Shared {
  if (typeof value !== 'object' || value === null) return false;
  const { format, text, view, version } = value as Record<string, unknown>;
  const isTextOrNone = (one: unknown): boolean => one === undefined || typeof one === 'string';
  return (
    typeof text === 'string' &&
    typeof format === 'string' &&
    formats.includes(format) &&
    isTextOrNone(view) &&
    isTextOrNone(version)
  );
}

/** Reads the content of a link; `undefined` if the link is damaged, or of an unknown format. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  const [, number, data = ''] = /^#?(\d+)\/([\w-]*)$/.exec(fragment) ?? [];
  if (number !== '1') return undefined;
  try {
    const bytes = await through(fromBase64Url(data), new DecompressionStream('deflate-raw'));
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isShared(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

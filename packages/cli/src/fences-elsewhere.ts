import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic, Program, Result, Span } from '@fencewright/core';
import { wantsNoFences } from '@fencewright/core/c';
import { asOperand } from './clang-messages.js';
import type { ReadFile } from './finding.js';
import type { OtherText } from './open-for-repairs.js';
import { readSource } from './read-source.js';

/** Where the headers of compilers and systems are, whatever the folder of the project. */
const foreignFolders = ['/usr', '/opt', '/Library', '/nix'];

function isBelow(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== '' && !way.startsWith(`..${path.sep}`) && way !== '..' && !path.isAbsolute(way);
}

/**
 * Whether a file is the project's own: linked by the user, or below the folder of the program or
 * the current folder, and neither in the system's folders nor in those of installed packages.
 */
function isOwn(name: string, file: string, linked: readonly string[]): boolean {
  try {
    const real = realpathSync(name);
    if (linked.some((one) => realpathSync(one) === real)) return true;
    if (real.split(path.sep).includes('node_modules')) return false;
    const folders = [process.cwd(), path.dirname(path.resolve(file))].map((one) =>
      realpathSync(one),
    );
    const own = folders.filter((folder) => isBelow(folder, real));
    return own.some((folder) =>
      foreignFolders.every((foreign) => isBelow(foreign, folder) || !isBelow(foreign, real)),
    );
  } catch {
    return false;
  }
}

/**
 * Returns the file in which all refused changes belong, not counting changes of a text that wants
 * none; `undefined` if there is no such file.
 */
function fileOfRefused(result: Result, source: string): string | undefined {
  const refusal =
    result.kind === 'fence'
      ? result.fences.refusal
      : result.kind === 'orders'
        ? result.orders.refusal
        : undefined;
  if (refusal?.kind !== 'text') return undefined;
  const names = new Set(refusal.diagnostics.map(({ span }) => span?.source?.name));
  if (wantsNoFences(source)) names.delete(undefined);
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

/**
 * Returns the header or the linked file in which the fences of a result belong, if this is one file
 * of the project and a text.
 */
export async function otherTextFor(
  result: Result,
  { file, source }: Pick<ReadFile, 'file' | 'source'>,
  linked: readonly string[],
): Promise<OtherText | undefined> {
  const name = fileOfRefused(result, source);
  if (name === undefined || !isOwn(name, file, linked)) return undefined;
  const read = await readSource(name);
  if (read.kind !== 'text') return undefined;
  const { text, byteOrderMark } = read;
  return { file: name, text, ...(byteOrderMark !== undefined && { byteOrderMark }) };
}

type SpanMap = (span: Span) => Span;

function withSpans<T extends { readonly span?: Span }>(one: T, map: SpanMap): T {
  return one.span ? { ...one, span: map(one.span) } : one;
}

function mapSpans(program: Program, map: SpanMap): Program {
  const threads = program.threads.map((thread) => ({
    ...thread,
    locations: thread.locations.map((location) => withSpans(location, map)),
    transitions: thread.transitions.map((step) => {
      const { calls, ...origin } = withSpans(step.origin, map);
      const mapped = calls?.map((call) => withSpans(call, map));
      return { ...step, origin: { ...origin, ...(mapped && { calls: mapped }) } };
    }),
  }));
  return { ...program, threads };
}

/**
 * Returns a result whose places without a file name are places in `other`, with places that name
 * `other` instead, as reports about `file` do.
 */
export function seenFrom(file: string, other: OtherText, result: Result): Result {
  const source = { name: other.file, text: other.text };
  const main = asOperand(file);
  const map: SpanMap = (span) =>
    span.source === undefined
      ? { ...span, source }
      : span.source.name === main
        ? { start: span.start, end: span.end }
        : span;
  if (result.kind !== 'fence' && result.kind !== 'orders') return result;
  const about = mapSpans(result.about, map);
  // Without positions in the text, reports name the places by the instructions there.
  const places = { places: [] };
  const diagnosticsOf = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) => ({
    diagnostics: diagnostics.map((one) => withSpans(one, map)),
  });
  if (result.kind === 'orders') {
    const { orders } = result;
    const told = { ...orders.result, ...diagnosticsOf(orders.result) };
    return { ...result, about, orders: { ...orders, ...places, result: told } };
  }
  const { fences } = result;
  const told = { ...fences.result, ...diagnosticsOf(fences.result) };
  return { ...result, about, fences: { ...fences, ...places, result: told } };
}

/** Whether a result has a changed text. */
export function hasText(result: Result): boolean {
  if (result.kind === 'fence') return result.fences.text !== undefined;
  return result.kind === 'orders' && result.orders.text !== undefined;
}

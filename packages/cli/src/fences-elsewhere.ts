import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic, Program, Result, Span } from '@fencewright/core';
import { findMacroPoints, wantsNoFences } from '@fencewright/core/c';
import { asOperand } from './clang-messages.js';
import type { ReadFile } from './finding.js';
import { includedFiles } from './included-files.js';
import type { OtherText } from './open-for-repairs.js';
import { readSource } from './read-source.js';

/**
 * The folders of installed compilers and headers; a file in one of them is never the project's own.
 */
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

/** Returns the messages about changes that cannot be written at any place of the text. */
function refusedChanges(result: Result): readonly Diagnostic[] {
  const refusal =
    result.kind === 'fence'
      ? result.fences.refusal
      : result.kind === 'orders'
        ? result.orders.refusal
        : undefined;
  return refusal?.kind === 'text' ? refusal.diagnostics : [];
}

/**
 * Returns the only file in which changes are refused; `undefined` if there are several. The main
 * text does not count if it forbids fences.
 */
function fileOfRefused(refused: readonly Diagnostic[], source: string): string | undefined {
  const names = new Set(refused.map(({ span }) => span?.source?.name));
  if (wantsNoFences(source)) names.delete(undefined);
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

/**
 * Returns the text of a header or a linked file; `undefined` if the file does not belong to the
 * project, or cannot be read.
 */
async function otherText(
  name: string,
  file: string,
  linked: readonly string[],
): Promise<OtherText | undefined> {
  if (!isOwn(name, file, linked)) return undefined;
  const read = await readSource(name);
  if (read.kind !== 'text') return undefined;
  const { text, byteOrderMark } = read;
  return { file: name, text, ...(byteOrderMark !== undefined && { byteOrderMark }) };
}

/** Maximal number of headers in whose macros places are looked for. */
const mostHeaders = 4;

/**
 * A text in which changes can be written: between statements or, with `inMacros`, also inside
 * macros.
 */
interface OtherPlaces {
  /** The header or linked file with the text; absent for the main file of the program. */
  readonly other?: OtherText;
  readonly inMacros: boolean;
}

const hasMacroPoints = (text: string): boolean => findMacroPoints(text).length > 0;

/**
 * Returns the texts in which changes may be written if they cannot be written between the
 * statements of the main file. The texts are in the order in which callers should try them: the
 * header or linked file of the project to which all changes belong; or else the macros of the main
 * file, then those of included headers.
 */
export async function otherPlacesFor(
  result: Result,
  { file, source }: Pick<ReadFile, 'file' | 'source'>,
  linked: readonly string[],
): Promise<readonly OtherPlaces[]> {
  const refused = refusedChanges(result);
  if (refused.length === 0) return [];
  const name = fileOfRefused(refused, source);
  const other = name === undefined ? undefined : await otherText(name, file, linked);
  if (other)
    return [false, ...(hasMacroPoints(other.text) ? [true] : [])].map((inMacros) => ({
      other,
      inMacros,
    }));
  const places: OtherPlaces[] = hasMacroPoints(source) ? [{ inMacros: true }] : [];
  const headers = includedFiles(file, []).filter((header) => existsSync(header));
  for (const header of headers.slice(0, mostHeaders)) {
    const text = await otherText(header, file, linked);
    if (text && hasMacroPoints(text.text)) places.push({ other: text, inMacros: true });
  }
  return places;
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
 * Returns a result about `other` in the form for reports about `file`: places without a file name
 * are places in `other`, and get the name of `other`; places in `file` lose their file name.
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

/** Whether a search for repairs has produced a changed text. */
export function hasText(result: Result): boolean {
  if (result.kind === 'fence') return result.fences.text !== undefined;
  return result.kind === 'orders' && result.orders.text !== undefined;
}

// Messages about programs in C.
import { countOf, enumerate } from '../base/number-words.js';
import { type Diagnostic, make } from './diagnostic.js';
import { lineInFile } from './line-in-file.js';
import { quoteName } from './quote-name.js';
import type { Span } from './span.js';

/** Reports a message of clang about a file, quoted. */
export function saidByClang(
  severity: 'error' | 'warning',
  span: Span | undefined,
  message: string,
  hint?: string,
): Diagnostic {
  return make(severity === 'error' ? 'FW5001' : 'FW5002', span, message, hint);
}

/**
 * Reports that the compiler rejects a text with the fences that this program put into it; `span` is
 * a place of that text.
 */
export function rejectedEdit(span: Span): Diagnostic {
  return make(
    'FW5010',
    span,
    'Fencewright put fences here, and its text does not compile: this is a fault of Fencewright',
    'your file is unchanged: write the fences by hand at the places that the report names',
  );
}

/**
 * Reports that two of several linked files define the same name; `files` are their names, as far as
 * they are known.
 */
export function definedInTwoFiles(name: string, files: readonly string[]): Diagnostic {
  const [first, second] = files.map((file) => quoteName(file));
  const where = first && second ? `two files: ${first} and ${second}` : 'two of the files';
  return make(
    'FW1003',
    undefined,
    `'${name}' is defined in ${where}`,
    name === 'main'
      ? "leave out the file whose 'main' is not wanted"
      : "leave out one of them, or make one of the two definitions 'static'",
  );
}

/** Reports that C cannot be compiled, as clang is missing or unusable. */
export function unusableClang(message: string, hint?: string): Diagnostic {
  return make('FW5003', undefined, message, hint);
}

/**
 * Reports that the code of `main` after the joins of all threads is left out, together with its
 * assertions, as happens if numbers of threads are given.
 */
export function leftOutBehindJoins(span: Span | undefined): Diagnostic {
  return make(
    'FW5005',
    span,
    "what 'main' does from here on is left out: all threads have been joined",
    'numbers of threads are given, and so assertions here are not looked at',
  );
}

/** Reports a heavy fence that does nothing; `text` is the reason. */
export function vainHeavyFence(span: Span | undefined, text: string): Diagnostic {
  return make(
    'FW5007',
    span,
    text,
    'register once, before threads start, and look at both results',
  );
}

/** Reports a heavy fence that may fail, at a call whose result the program does not use. */
export function ignoredHeavyFence(span: Span | undefined): Diagnostic {
  return make(
    'FW5008',
    span,
    "the result of this 'membarrier' is ignored: if the call fails, there is no fence",
    'look at the result, and use a fence in all threads if the kernel has no such command',
  );
}

/** Reports a load that the compiler may do before the store in an earlier line. */
export function loadMayOvertake(span: Span, storeLine: number): Diagnostic {
  return make(
    'FW5009',
    span,
    `the compiler may do this load before the store in line ${storeLine}: a heavy fence of another thread does not order the compiler`,
    "put 'atomic_signal_fence(memory_order_seq_cst)' between them",
  );
}

/**
 * Reports that an answer about x86 assumes a compiler that keeps every access in source order;
 * `clang` is the name and version of the compiler used. `isOrdered`: the language itself forbids
 * compilers to change the order, so that nothing is assumed. `advice` is about the compilation.
 */
export function aboutHardware(clang: string, isOrdered: boolean, advice?: string): Diagnostic {
  if (isOrdered) return make('FW5004', undefined, `compiled by ${clang}`, advice);
  return make(
    'FW5004',
    undefined,
    `compiled by ${clang}: an answer about x86 assumes that the compiler keeps every access in source order`,
    ['an optimiser may do more to plain accesses; see docs/c.md', ...(advice ? [advice] : [])].join(
      '; ',
    ),
  );
}

/** A racing access in words: `plain store`, with the function that contains the access. */
export interface RacingPlace {
  readonly access: string;
  readonly function: string;
  /** The places of the calls that lead to the racing access, the innermost call first. */
  readonly calls?: readonly Span[];
  readonly span: Span | undefined;
}

/** The function of a place in words, with the calls that lead there. */
function inFunction({ function: name, calls = [] }: RacingPlace): string {
  return `'${name}'${calls.length === 0 ? '' : ` (called at ${calls.map(lineInFile).join(', from ')})`}`;
}

/** The line and column of `span` in words, in a message about a place in the file `source`. */
function placeIn(source: string | undefined, { start, source: own }: Span): string {
  const file = own?.name;
  const head = file === undefined ? '' : `${file}:`;
  const tail = file === undefined && source !== undefined ? ' of the main file' : '';
  return `${head}${start.line + 1}:${start.column + 1}${tail}`;
}

/** The further data races of a variable: the pairs of places that race beside a first pair. */
export interface FurtherRaces {
  /** The name of the variable. */
  readonly variable: string;
  /** The number of pairs; at least 1. */
  readonly pairs: number;
  /** The places in the text that occur in these pairs, and not in the first pair. */
  readonly places: readonly Span[];
}

/** The maximum number of places that a message lists. */
const mostPlaces = 6;

function furtherInWords(
  source: string | undefined,
  { variable, pairs, places }: FurtherRaces,
): string {
  const listed = places.slice(0, mostPlaces).map((span) => placeIn(source, span));
  const all = listed.length < places.length ? [...listed, 'others'] : listed;
  const including = all.length === 0 ? '' : `, also at ${enumerate(all)}`;
  return `; ${countOf(pairs, 'more pair')} of places ${pairs === 1 ? 'races' : 'race'} on '${variable}'${including}`;
}

/**
 * Reports two racing accesses to a cell in C, of which `one` is plain, and the further races of the
 * variable, if any.
 */
export function dataRace(
  cell: string,
  one: RacingPlace,
  other: RacingPlace,
  further?: FurtherRaces,
): Diagnostic {
  const [start, place] = [one.span?.start, other.span?.start];
  const [source, file] = [one.span?.source?.name, other.span?.source?.name];
  const isSame = source === file && start?.line === place?.line && start?.column === place?.column;
  const kinds = one.access === other.access ? one.access : `${one.access} and ${other.access}`;
  const there = other.span && placeIn(source, other.span);
  const of = inFunction;
  const message = isSame
    ? `data race on '${cell}': two threads can be at this place in ${of(one)} at the same time (${kinds})`
    : `data race on '${cell}': this ${one.access} in ${of(one)} and the ${other.access} in ${of(other)} at ${there} can happen at the same time`;
  const warning = make(
    'FW3010',
    one.span,
    message + (further ? furtherInWords(source, further) : ''),
    `data races are undefined in C: make ${further ? 'all these' : 'both'} accesses atomic, or order them by a lock or an atomic flag`,
  );
  if (isSame || !other.span) return warning;
  return { ...warning, related: { span: other.span, message: `${other.access} of '${cell}'` } };
}

/**
 * Reports a use of a cell or block whose memory is freed: `use` accesses it, or frees it again.
 * `needsBuffers`: no execution without store buffers has shown the use.
 */
export function freedUse(
  cell: string,
  use: RacingPlace & { readonly isFree: boolean },
  free: RacingPlace,
  needsBuffers: boolean,
): Diagnostic {
  const file = use.span?.source?.name;
  const freed = free.span && placeIn(file, free.span);
  const by = freed === undefined ? inFunction(free) : `${inFunction(free)} at ${freed}`;
  const what = use.isFree
    ? `memory is freed twice: '${cell}' is freed here in ${inFunction(use)}`
    : `use of freed memory: this ${use.access} in ${inFunction(use)} accesses '${cell}'`;
  const warning = make(
    'FW3011',
    use.span,
    `${what} after ${by} has freed the block${needsBuffers ? ', by store buffers only' : ''}`,
    needsBuffers
      ? 'without store buffers this was not found: the fences that make the program robust prevent it'
      : 'free a block only when no thread can reach it any more, as hazard pointers, epochs or counts ensure',
  );
  if (!free.span) return warning;
  return { ...warning, related: { span: free.span, message: `frees the block of '${cell}'` } };
}

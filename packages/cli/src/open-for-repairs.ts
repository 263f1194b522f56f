import { type CompiledText, type Limits, type Model, threadModel } from '@fencewright/core';
import {
  barrierFunctions,
  editC,
  markPlaces,
  programTexts,
  unmarkedPlaces,
  withFencesAtCalls,
} from '@fencewright/core/c';
import { type CReader, openC } from './load-c.js';
import { textOf } from '@fencewright/core/node';
import type { CReadWishes } from './run-settings.js';

/**
 * The maximum number of attempts to read a text with marks: each leaves out the marks that the
 * compiler rejected.
 */
const mostTries = 8;

/** Whether a text is in C++, by the name of its file. */
function isPlus(file: string): boolean {
  return /\.(?:cc|cpp|cxx)$/.test(file);
}

/**
 * Reads the text with marks at places for fences; lines in which the compiler rejects a mark get
 * none.
 */
async function readMarked(
  { read }: CReader,
  source: string,
  other: OtherText | undefined,
  inMacros: boolean,
): Promise<{ readonly marked: ReturnType<typeof markPlaces>; readonly model: Model } | undefined> {
  const bad = new Set<number>();
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length - 1;
  let hasOperands = true;
  for (let i = 0; i < mostTries; i++) {
    const marked = markPlaces(
      source,
      ({ kind }, offset) =>
        (hasOperands || kind !== 'operand') && !(bad.size > 0 && bad.has(lineOf(offset))),
      inMacros,
    );
    const unmarked = unmarkedPlaces(source, marked);
    const loaded = await read(marked.text, { unmarked, ...(other && { other: other.file }) });
    if (loaded.kind === 'stopped') return undefined;
    if (loaded.model) return { marked, model: loaded.model };
    const { size } = bad;
    for (const { severity, span } of loaded.diagnostics)
      if (severity === 'error' && span && !span.source) bad.add(span.start.line);
    if (bad.size > size) continue;
    if (!hasOperands) return undefined;
    hasOperands = false;
  }
  return undefined;
}

/** A header or a linked file of a program. */
export interface OtherText {
  readonly file: string;
  readonly text: string;
  /** The byte order mark at the start of the file, if there is one. */
  readonly byteOrderMark?: string;
}

/**
 * Reads a file, already known to be a program, and finds the places where fences can be written;
 * returns `undefined` if they cannot be found. With `other`, the places are in that header or
 * linked file, and are shown without a file name. With `inMacros`, places inside macros count, too.
 */
export async function openForRepairs(
  file: string,
  source: string,
  wishes: CReadWishes,
  limits: Pick<Limits, 'timeout' | 'maxMemory' | 'signal'>,
  other?: OtherText,
  inMacros = false,
): Promise<CompiledText | undefined> {
  const opened = await openC(file, source, wishes, limits);
  if (opened.kind !== 'open') return undefined;
  const edited = other?.text ?? source;
  const found = await readMarked(opened, edited, other, inMacros);
  const model = found && threadModel(found.model);
  if (!found || model?.kind !== 'finite') return undefined;
  const texts = programTexts(other?.file ?? file, edited, model.program, textOf);
  const barriers = barrierFunctions(texts);
  const program = withFencesAtCalls(texts, barriers, model.program);
  return {
    program,
    editor: editC(edited, found.marked, program, isPlus(file), barriers),
    read: async (text) => {
      const loaded = await opened.read(text, other && { other: other.file });
      return loaded.kind === 'stopped' ? loaded.reason : loaded;
    },
  };
}

import path from 'node:path';
import {
  type Diagnostic,
  extensionsInWords,
  frontEndOf,
  frontEnds,
  type Limits,
  type Model,
  notSupported,
  readText,
  unreadableFile,
} from '@fencewright/core';
import { needsCompiler, formatOf, type InputFormat, inputFormats } from './formats.js';
import { readSource, type SourceText } from './read-source.js';
import type { CReadWishes } from './run-settings.js';

/** A file, as far as it could be read. */
export interface LoadedFile {
  readonly file: string;
  readonly source?: string;
  /** What stood before `source` in the file, if anything. */
  readonly byteOrderMark?: string;
  /** Absent iff a diagnostic is an error. */
  readonly model?: Model;
  /** Absent where nothing tells it. */
  readonly format?: InputFormat;
  readonly diagnostics: readonly Diagnostic[];
  /** What ended the reading, if anything: nothing is known then. */
  readonly stopped?: 'time' | 'memory' | 'cancelled';
}

/** How C is read, and within which limits. */
export interface CReading {
  readonly wishes: CReadWishes;
  readonly limits: Pick<Limits, 'timeout' | 'maxMemory' | 'signal'>;
}

/** Programs in other formats than C say themselves what there is any number of. */
function anyNumberIsSaidInside(thread: string): Diagnostic {
  return notSupported(
    undefined,
    `${thread}=* is for programs in C`,
    `write 'thread ${thread}[*]' in the native language`,
  );
}

/** Where the format has no name for a program, the file's has to do. */
function named(model: Model, file: string, format: InputFormat): Model {
  if (file === '-' || !frontEndOf(format).isNameless) return model;
  const name = path.basename(file, path.extname(file));
  if (model.kind === 'finite') return { ...model, program: { ...model.program, name } };
  if (model.kind === 'unbounded') return { ...model, templates: { ...model.templates, name } };
  return model;
}

/**
 * Reads, parses and inspects a file; `from` overrides what its name says about the format, `copies`
 * what it says about numbers of threads.
 */
export async function loadProgram(
  file: string,
  from?: InputFormat,
  copies?: ReadonlyMap<string, number>,
  given?: SourceText,
  reading: CReading = { wishes: {}, limits: {} },
): Promise<LoadedFile> {
  const source = given ?? (await readSource(file));
  if (source.kind === 'failure') return { file, diagnostics: [source.diagnostic] };
  const format = from ?? formatOf(file);
  if (format === undefined) {
    const diagnostic = unreadableFile(
      'the name does not tell the format',
      `give --from ${inputFormats.join('|')}, or end the name in ${extensionsInWords(frontEnds)}`,
    );
    return { file, diagnostics: [diagnostic] };
  }
  const { text } = source;
  const { anyNumberOf = [] } = reading.wishes;
  if (needsCompiler(format)) {
    const { loadC } = await import('./load-c.js');
    const loaded = await loadC(file, text, reading.wishes, reading.limits);
    if (loaded.kind === 'stopped') return { file, stopped: loaded.reason, diagnostics: [] };
    const { model, diagnostics } = loaded;
    const mark = source.byteOrderMark;
    return {
      file,
      source: text,
      ...(mark !== undefined && { byteOrderMark: mark }),
      format,
      ...(model && { model: named(model, file, format) }),
      diagnostics,
    };
  }
  if (anyNumberOf.length > 0)
    return { file, source: text, format, diagnostics: [anyNumberIsSaidInside(anyNumberOf[0]!)] };
  const { model, diagnostics } = await readText(format, source.text, copies);
  return {
    file,
    source: source.text,
    ...(source.byteOrderMark !== undefined && { byteOrderMark: source.byteOrderMark }),
    format,
    ...(model && { model: named(model, file, format) }),
    diagnostics,
  };
}

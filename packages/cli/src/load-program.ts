import path from 'node:path';
import {
  type Diagnostic,
  extensionsInWords,
  frontEndOf,
  frontEnds,
  type Limits,
  type Model,
  notSupported,
  quoteArgument,
  readText,
  unreadableFile,
} from '@fencewright/core';
import { needsCompiler, formatOf, type InputFormat, inputFormats } from './formats.js';
import { readSource, type SourceText } from './read-source.js';
import type { CReadWishes } from './run-settings.js';

/** A file, with everything that could be read. */
export interface LoadedFile {
  readonly file: string;
  readonly source?: string;
  /** The byte order mark that precedes `source` in the file, if any. */
  readonly byteOrderMark?: string;
  /** The model of the program; absent if and only if a diagnostic is an error. */
  readonly model?: Model;
  /** The format in which the file was read; absent if unknown. */
  readonly format?: InputFormat;
  readonly diagnostics: readonly Diagnostic[];
  /** The limit that ended reading, or `cancelled`; the file's contents are then unknown. */
  readonly stopped?: 'time' | 'memory' | 'cancelled';
}

/** The settings and limits for reading C. */
export interface CReading {
  readonly wishes: CReadWishes;
  readonly limits: Pick<Limits, 'timeout' | 'maxMemory' | 'signal'>;
}

/**
 * Returns the error for the option value `=*` outside C: programs in other formats state in the
 * text which threads have any number of copies.
 */
function anyNumberIsSaidInside(thread: string): Diagnostic {
  return notSupported(
    undefined,
    `${thread}=* is for programs in C`,
    `write 'thread ${thread}[*]' in the native language`,
  );
}

/** Gives a model the name of the file, if the format has no names for programs. */
function named(model: Model, file: string, format: InputFormat): Model {
  if (file === '-' || !frontEndOf(format).isNameless) return model;
  const name = path.basename(file, path.extname(file));
  if (model.kind === 'finite') return { ...model, program: { ...model.program, name } };
  if (model.kind === 'unbounded') return { ...model, templates: { ...model.templates, name } };
  return model;
}

/** Whether a file is a header of C or C++, by its name. */
const isHeader = (file: string): boolean => /\.(?:h|hh|hpp|hxx)$/i.test(file);

/**
 * Reads a file, parses the text and checks the program for mistakes. `from` replaces the format of
 * the file name, `copies` the numbers of threads in the text.
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
  if (format === undefined && isHeader(file)) {
    const diagnostic = unreadableFile(
      'a header is not a program: it starts no threads',
      `give the C or C++ file that includes it and starts the threads, or have one made: fencewright init --for ${quoteArgument(file)}`,
    );
    return { file, diagnostics: [diagnostic] };
  }
  if (format === undefined) {
    const diagnostic = unreadableFile(
      'the format is not known from the file name',
      `give --from ${inputFormats.join('|')}, or end the name in ${extensionsInWords(frontEnds)}`,
    );
    return { file, diagnostics: [diagnostic] };
  }
  const { text } = source;
  const { anyNumberOf = [] } = reading.wishes;
  if (frontEndOf(format).isCompiled) {
    const { wishes, limits } = reading;
    const loaded = needsCompiler(format)
      ? await (await import('./load-c.js')).loadC(file, text, wishes, limits)
      : await (await import('./load-ir.js')).loadIr(file, text, wishes, limits);
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

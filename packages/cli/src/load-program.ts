import path from 'node:path';
import {
  type Diagnostic,
  instantiateOpen,
  deepBracket,
  lintProgram,
  nestedTooDeeply,
  notSupported,
  type OpenProgram,
  type ParameterizedProgram,
  type ParseResult,
  parseTrencher,
  type Program,
  type Subject,
  unreadableFile,
} from '@fencewright/core';
import { formatOf, type InputFormat, inputFormats } from './formats.js';
import { readSource, type SourceText } from './read-source.js';

/** A file, as far as it could be read. All kinds of program are absent iff a diagnostic is an error. */
export interface LoadedFile {
  readonly file: string;
  readonly source?: string;
  /** What stood before `source` in the file, if anything. */
  readonly byteOrderMark?: string;
  readonly program?: Program;
  /** In the place of `program` where threads come in any number of copies. */
  readonly parameterized?: ParameterizedProgram;
  /** In the place of `program` where only proofs can treat it. */
  readonly open?: OpenProgram;
  /** Absent where nothing tells it. */
  readonly format?: InputFormat;
  readonly diagnostics: readonly Diagnostic[];
}

/** A file that has been read without errors. */
export interface CheckableFile extends Subject {
  /** Of threads in any number of copies, the templates; one of the instances where a result is about one. */
  readonly program: Program;
  /** Present where there are threads in any number of copies. */
  readonly parameterized?: ParameterizedProgram;
  readonly format: InputFormat;
  /** What stood before `source` in the file, if anything. */
  readonly byteOrderMark?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a text in a format. Each run loads only the front end that it needs. */
export async function parseText(
  format: InputFormat,
  text: string,
  copies?: ReadonlyMap<string, number>,
): Promise<ParseResult> {
  if (copies && format !== 'native') {
    const hint = 'convert it to the native language';
    return { diagnostics: [notSupported(undefined, 'this format has no copies of threads', hint)] };
  }
  switch (format) {
    case 'native': {
      const { parseNative } = await import('@fencewright/core/native');
      return parseNative(text, copies);
    }
    case 'trencher':
      return parseTrencher(text);
    case 'litmus': {
      const { parseLitmus } = await import('@fencewright/core/litmus');
      return parseLitmus(text);
    }
    case 'memorax': {
      const { parseMemorax } = await import('@fencewright/core/memorax');
      return parseMemorax(text);
    }
  }
}

/** Trencher's format and Memorax's have no name for a program: the file's has to do. */
function named(program: Program, file: string, format: InputFormat): Program {
  return (format === 'trencher' || format === 'memorax') && file !== '-'
    ? { ...program, name: path.basename(file, path.extname(file)) }
    : program;
}

function oneOfEach(open: OpenProgram): Program {
  return instantiateOpen(open, { counts: open.templates.threads.map(() => 1) }).program;
}

/** Reads, parses and inspects a file; `from` overrides what its name says about the format, `copies` what it says about numbers of threads. */
export async function loadProgram(
  file: string,
  from?: InputFormat,
  copies?: ReadonlyMap<string, number>,
  given?: SourceText,
): Promise<LoadedFile> {
  const source = given ?? (await readSource(file));
  if (source.kind === 'failure') return { file, diagnostics: [source.diagnostic] };
  const format = from ?? formatOf(file);
  if (format === undefined) {
    const diagnostic = unreadableFile(
      'the name does not tell the format',
      `give --from ${inputFormats.join('|')}, or end the name in .fw (native), .txt or .trencher, or .litmus or .rmm`,
    );
    return { file, diagnostics: [diagnostic] };
  }
  const bracket = deepBracket(source.text);
  if (bracket) return { file, source: source.text, diagnostics: [nestedTooDeeply(bracket)] };
  const { program, parameterized, open, diagnostics } = await parseText(
    format,
    source.text,
    copies,
  );
  const inspected = program ?? parameterized?.templates ?? (open && oneOfEach(open));
  return {
    file,
    source: source.text,
    ...(source.byteOrderMark !== undefined && { byteOrderMark: source.byteOrderMark }),
    format,
    ...(program && { program: named(program, file, format) }),
    ...(parameterized && { parameterized }),
    ...(open && { open }),
    diagnostics: inspected ? [...diagnostics, ...lintProgram(inspected)] : diagnostics,
  };
}

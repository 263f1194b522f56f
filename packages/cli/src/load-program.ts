import path from 'node:path';
import {
  deepBracket,
  type Diagnostic,
  extensionsInWords,
  frontEndOf,
  frontEnds,
  inspectedProgram,
  lintProgram,
  type Model,
  nestedTooDeeply,
  parseText,
  threadModel,
  unreadableFile,
} from '@fencewright/core';
import { formatOf, type InputFormat, inputFormats } from './formats.js';
import { readSource, type SourceText } from './read-source.js';

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
}

/** Where the format has no name for a program, the file's has to do. */
function named(model: Model, file: string, format: InputFormat): Model {
  if (model.kind !== 'finite' || file === '-') return model;
  if (!frontEndOf(format).isNameless) return model;
  const name = path.basename(file, path.extname(file));
  return { ...model, program: { ...model.program, name } };
}

function lint(model: Model | undefined): readonly Diagnostic[] {
  const threads = threadModel(model);
  return threads ? lintProgram(inspectedProgram(threads)) : [];
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
  const bracket = deepBracket(source.text);
  if (bracket) return { file, source: source.text, diagnostics: [nestedTooDeeply(bracket)] };
  const { model, diagnostics } = await parseText(format, source.text, copies);
  return {
    file,
    source: source.text,
    ...(source.byteOrderMark !== undefined && { byteOrderMark: source.byteOrderMark }),
    format,
    ...(model && { model: named(model, file, format) }),
    diagnostics: [...diagnostics, ...lint(model)],
  };
}

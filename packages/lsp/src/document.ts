import {
  needsCompiler,
  type Body,
  type Diagnostic,
  eventModel,
  formatByExtension,
  frontEnds,
  type InputFormat,
  inspectedProgram,
  type Model,
  readText,
  type Program,
  threadModel,
} from '@fencewright/core';
import { type NameIndex, tokensOf } from '@fencewright/core/text';
import { indexOf, largest } from './name-index.js';

/** A text at one version, with the results of reading. */
export interface Document {
  readonly uri: string;
  readonly version: number;
  readonly format: InputFormat;
  readonly text: string;
  /** A key of what the text means: about texts with equal keys, the engine gives equal answers. */
  readonly key: string;
  /**
   * Whether the engine reads the text, each time the text is saved. This is so for C, which needs a
   * compiler, and for long texts, whose reading would keep the server from answering.
   */
  readonly isReadByEngine: boolean;
  /**
   * The model that the text describes; absent for a text with errors, and for a text that only the
   * engine reads.
   */
  readonly model?: Model;
  readonly diagnostics: readonly Diagnostic[];
  readonly names: NameIndex;
}

const languages: Readonly<Record<string, InputFormat>> = {
  fencewright: 'native',
  trencher: 'trencher',
  litmus: 'litmus',
  memorax: 'memorax',
  c: 'c',
  cpp: 'c',
};

/** Whether a text of unknown format looks like Trencher's. */
function looksLikeTrencher(text: string): boolean {
  return /^(\s|#.*\n)*(thread|memory)\s+\w/.test(text.slice(0, 10_000));
}

/**
 * Returns the format of a text by its name, then by the editor's language; `undefined` if there is
 * none.
 */
export function formatOfDocument(
  uri: string,
  language: string,
  text: string,
): InputFormat | undefined {
  const extension = /\.\w+$/.exec(decodeURIComponent(uri.split(/[?#]/)[0] ?? ''))?.[0] ?? '';
  if (extension === '.txt' && !looksLikeTrencher(text)) return undefined;
  return formatByExtension(frontEnds, extension)?.id ?? languages[language];
}

function keyOf(format: InputFormat, text: string): string {
  if (format !== 'native' || text.length > largest) return text;
  return tokensOf(text)
    .flatMap((token) => [
      ...token.trivia.flatMap((one) =>
        one.kind === 'blank' || one.kind === 'comment' ? [] : [one.text],
      ),
      token.text,
    ])
    .join('\0');
}

/** Reads a text. Never rejects because of the text's content. */
export async function openDocument(
  uri: string,
  version: number,
  format: InputFormat,
  text: string,
): Promise<Document> {
  const isReadByEngine = needsCompiler(format) || text.length > largest;
  const { model, diagnostics } = isReadByEngine
    ? { diagnostics: [] }
    : await readText(format, text);
  const names = indexOf(format, text, model);
  return {
    ...{ uri, version, format, text, key: keyOf(format, text), isReadByEngine, diagnostics, names },
    ...(model && { model }),
  };
}

/**
 * Returns the program of a document of threads; for any number of copies, the program of the
 * templates.
 */
export function programOf({ model }: Pick<Document, 'model'>): Program | undefined {
  const threads = threadModel(model);
  return threads && inspectedProgram(threads);
}

/** The parts of a program that contain claims: threads, or the bodies run by events. */
export interface Claiming {
  readonly properties: Program['properties'];
  /** The threads, or the bodies of events and procedures, in which assertions are. */
  readonly threads: readonly Pick<Body, 'transitions'>[];
}

/**
 * Returns the parts of a document that contain claims; for any number of copies, the parts of the
 * templates. `undefined` if the document has no model.
 */
export function claimingIn(document: Pick<Document, 'model'>): Claiming | undefined {
  const events = eventModel(document.model);
  return events
    ? { properties: events.program.properties, threads: events.program.bodies }
    : programOf(document);
}

/** Whether a document has claims: properties or assertions. */
export function claimsSomething(document: Pick<Document, 'model'>): boolean {
  const { properties = [], threads = [] } = claimingIn(document) ?? {};
  return (
    properties.length > 0 ||
    threads.some(({ transitions }) =>
      transitions.some(({ instruction }) => instruction.kind === 'assert'),
    )
  );
}

/** Whether the document is a program of events. */
export function hasEvents({ model }: Pick<Document, 'model'>): boolean {
  return eventModel(model) !== undefined;
}

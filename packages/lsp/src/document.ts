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
import { indexOf } from './name-index.js';

/** A text at one version, with what reading it has shown. */
export interface Document {
  readonly uri: string;
  readonly version: number;
  readonly format: InputFormat;
  readonly text: string;
  /** What decides about its meaning: texts with the same key have the same answers. */
  readonly key: string;
  /** Absent where there are errors, and for C, which is read when it is saved. */
  readonly model?: Model;
  readonly diagnostics: readonly Diagnostic[];
  readonly names: NameIndex;
}

/** Largest text that is looked at while somebody types. */
const largest = 1_000_000;

const languages: Readonly<Record<string, InputFormat>> = {
  fencewright: 'native',
  trencher: 'trencher',
  litmus: 'litmus',
  memorax: 'memorax',
  c: 'c',
  cpp: 'c',
};

/** Whether a text that may be anything looks like one of Trencher's. */
function looksLikeTrencher(text: string): boolean {
  return /^(\s|#.*\n)*(thread|memory)\s+\w/.test(text.slice(0, 10_000));
}

/** The format of a text by its name, then by what the editor calls it; absent if it is none. */
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

/** Reads a text. Never rejects for what the text says. */
export async function openDocument(
  uri: string,
  version: number,
  format: InputFormat,
  text: string,
): Promise<Document> {
  // The engine has the compiler.
  const { model, diagnostics } = needsCompiler(format)
    ? { diagnostics: [] }
    : await readText(format, text);
  const names = indexOf(format, text, model);
  return {
    ...{ uri, version, format, text, key: keyOf(format, text), diagnostics, names },
    ...(model && { model }),
  };
}

/** The program of a document, of threads; of templates where there is any number of copies. */
export function programOf({ model }: Pick<Document, 'model'>): Program | undefined {
  const threads = threadModel(model);
  return threads && inspectedProgram(threads);
}

/** What claims are about, of threads or of what events run. */
export interface Claiming {
  readonly properties: Program['properties'];
  /** Threads; the bodies of events and procedures. */
  readonly threads: readonly Pick<Body, 'transitions'>[];
}

/** What the claims of a document are about; of templates where there is any number of copies. */
export function claimingIn(document: Pick<Document, 'model'>): Claiming | undefined {
  const events = eventModel(document.model);
  return events
    ? { properties: events.program.properties, threads: events.program.bodies }
    : programOf(document);
}

/** Whether a document claims anything, as a property or an assertion. */
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

import { builtins, keywords, type NameSymbol } from '@fencewright/core/text';
import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver';
import type { Document } from './document.js';
import { ownerOf } from './names.js';
import { mayFollow, openPartOf } from './open-part.js';
import { meaningOfWord } from './words.js';

const kinds: Readonly<Partial<Record<NameSymbol['kind'], CompletionItemKind>>> = {
  constant: CompletionItemKind.Constant,
  'shared variable': CompletionItemKind.Variable,
  thread: CompletionItemKind.Class,
  event: CompletionItemKind.Event,
  procedure: CompletionItemKind.Function,
  parameter: CompletionItemKind.Field,
  register: CompletionItemKind.Field,
  label: CompletionItemKind.Reference,
  binder: CompletionItemKind.Variable,
};

const snippets: readonly CompletionItem[] = [
  ['thread', 'thread ${1:t} {\n  ${0}\n}', 'a thread'],
  ['property', 'property ${1:p}: never (${0})', 'a question about states'],
  [
    'dekker',
    'flag[self] = 1;\nfence;\nwhile (flag[1 - self] == 1) { }\n${0}\nflag[self] = 0;',
    'the entry and exit of a lock like that of Dekker',
  ],
].map(([label = '', insertText = '', detail = '']) => ({
  ...{ label, insertText, detail },
  kind: CompletionItemKind.Snippet,
  insertTextFormat: InsertTextFormat.Snippet,
}));

function itemOf(document: Document, symbol: NameSymbol): CompletionItem {
  const owner = ownerOf(document.names, symbol);
  const line = symbol.declaration ? `, line ${symbol.declaration.start.line + 1}` : '';
  return {
    label: symbol.name,
    kind: kinds[symbol.kind] ?? CompletionItemKind.Text,
    detail: `${symbol.kind}${owner ? ` of ${owner.name}` : ''}${line}`,
  };
}

/** Returns the symbol, by index, whose body an offset is in; `undefined` if there is none. */
function bodyAt({ names }: Document, offset: number): number | undefined {
  return names.occurrences.findLast(
    ({ start, role, symbol }) =>
      start < offset &&
      role === 'declaration' &&
      symbol !== undefined &&
      ['thread', 'event', 'procedure', 'property', 'invariant'].includes(
        names.symbols[symbol]!.kind,
      ),
  )?.symbol;
}

function itemOfWord(label: string): CompletionItem {
  const detail = meaningOfWord(label);
  return {
    label,
    kind: builtins.has(label) ? CompletionItemKind.Function : CompletionItemKind.Keyword,
    ...(detail !== undefined && { detail }),
  };
}

/**
 * Words allowed only after `property p:`, `@` or `async[`, and words allowed only in conditions.
 */
const special = {
  questions: ['never', 'finally', 'exists', 'stuck', 'progress'],
  annotations: ['cost', 'nofence', 'luck', 'timeout', 'choice'],
  posts: ['main', 'any'],
  conditions: ['ended', 'drained'],
  orders: ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'],
} as const;

const operations = [...builtins.keys()].filter(
  (word) => !Object.values(special).some((list) => (list as readonly string[]).includes(word)),
);

/**
 * Returns the words that may follow an open part after which no other word can come; `undefined`
 * for other open parts.
 */
function onlyBehind(open: string): readonly string[] | undefined {
  if (/\bproperty \S+ : $/.test(open)) return special.questions;
  if (open.endsWith('@ ')) return special.annotations;
  return /\basync \[ $/.test(open) ? special.posts : undefined;
}

/**
 * Matches an open part after which a memory order may be written: `fence (`, and a later operand of
 * a call.
 */
const opensOrder = /\bfence \( $|\b(?:load|store|xchg|cas|fetch_\w+|weak_\w+) \( [^;{}]*, $/;

/** Returns the built-in words that may follow the unfinished text `open`. */
function builtinsBehind(open: string): readonly string[] {
  const isCondition = /^program P (property|invariant) /.test(open);
  const called = isCondition ? special.conditions : operations.filter((word) => word !== 'self');
  return [
    ...(opensOrder.test(open) ? special.orders : []),
    ...called.filter((word) => mayFollow(open, `${word} (`)),
    ...(mayFollow(open, 'self') ? ['self'] : []),
  ];
}

/** A name that no program uses, which is tried in place of any name. */
const anyName = 'q';

/** Returns the completions at an offset of a text: names in scope, and words of the language. */
export function completionsAt(document: Document, offset: number): CompletionItem[] {
  const { names, text, format } = document;
  const unique = (items: readonly CompletionItem[]): CompletionItem[] => [
    ...new Map(items.map((item) => [`${item.label} ${item.kind}`, item])).values(),
  ];
  if (format !== 'native') return unique(names.symbols.map((symbol) => itemOf(document, symbol)));
  const start = offset - /[\w'′]*$/.exec(text.slice(0, offset))![0].length;
  const open = openPartOf(text.slice(0, start));
  // A binder may stand for any thread.
  const of = (owner: string, kind: NameSymbol['kind']): CompletionItem[] => {
    const all = names.symbols.filter((one) => one.kind === kind);
    const own = all.filter((one) => ownerOf(names, one)?.name === owner);
    return (own.length > 0 ? own : all).map((one) => itemOf(document, one));
  };
  const [, owner, sign] = /([\w'′]+) (?:\[ [^\]]* \] )?([@.]) $/.exec(open) ?? [];
  if (owner !== undefined && !keywords.has(owner))
    return unique([
      ...of(owner, sign === '@' ? 'label' : 'register'),
      ...(sign === '.' && open.startsWith('program P invariant') ? [itemOfWord('self')] : []),
    ]);
  const only = onlyBehind(open);
  if (only) return only.map(itemOfWord);
  const body = bodyAt(document, start);
  const inScope = names.symbols.filter(
    ({ kind, owner: around }) =>
      !['program', 'builtin', 'property', 'invariant'].includes(kind) &&
      (around === undefined || around === body),
  );
  if (/ (goto|init) $/.test(open))
    return unique(
      inScope.filter(({ kind }) => kind === 'label').map((one) => itemOf(document, one)),
    );
  const isName = mayFollow(open, anyName);
  if (!isName && mayFollow(open, `${anyName} (`))
    return unique(
      inScope.filter(({ kind }) => kind === 'procedure').map((one) => itemOf(document, one)),
    );
  const words = [
    ...[...keywords.keys()].filter((word) => mayFollow(open, word)),
    ...builtinsBehind(open),
  ];
  const follows = (word: string): boolean => words.includes(word);
  return unique([
    ...(isName
      ? inScope.filter(({ kind }) => kind !== 'label').map((one) => itemOf(document, one))
      : []),
    ...words.map(itemOfWord),
    ...snippets.filter(({ label: word }) => follows(word === 'dekker' ? 'fence' : word)),
  ]);
}

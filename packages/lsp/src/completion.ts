import { builtins, keywords, type NameSymbol } from '@fencewright/core/text';
import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver';
import type { Document } from './document.js';
import { ownerOf } from './names.js';
import { meaningOf } from './words.js';

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

/** Where a place is: the offset, and the body around it as an index of a symbol. */
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

function words(uses: readonly string[]): CompletionItem[] {
  return [...keywords, ...builtins]
    .filter(([, { use }]) => uses.includes(use))
    .map(([label, { use }]) => {
      const detail = meaningOf(label);
      return {
        label,
        kind: use === 'builtin' ? CompletionItemKind.Function : CompletionItemKind.Keyword,
        ...(detail !== undefined && { detail }),
      };
    });
}

/** What can stand at an offset of a text: names in scope, and words of the language. */
export function completionsAt(document: Document, offset: number): CompletionItem[] {
  const { names, text, format } = document;
  const unique = (items: readonly CompletionItem[]): CompletionItem[] => [
    ...new Map(items.map((item) => [`${item.label} ${item.kind}`, item])).values(),
  ];
  if (format !== 'native') return unique(names.symbols.map((symbol) => itemOf(document, symbol)));
  const before = text.slice(Math.max(0, offset - 200), offset).replace(/[\w'′]*$/, '');
  const of = (owner: string, kind: NameSymbol['kind']): CompletionItem[] =>
    names.symbols
      .filter((one) => one.kind === kind && ownerOf(names, one)?.name === owner)
      .map((one) => itemOf(document, one));
  const label = /([\w'′]+)\s*(?:\[[^\]]*\]\s*)?@\s*$/.exec(before);
  if (label) return unique(of(label[1]!, 'label'));
  if (/[^\w]@\s*$/.test(before) || /^\s*@\s*$/.test(before))
    return words(['builtin']).filter(({ label: word }) => word === 'cost' || word === 'nofence');
  const register = /([\w'′]+)\s*(?:\[[^\]]*\]\s*)?\.\s*$/.exec(before);
  if (register) return unique(of(register[1]!, 'register'));
  const body = bodyAt(document, offset);
  const inScope = names.symbols.filter(
    ({ kind, owner }) =>
      !['program', 'builtin', 'property', 'invariant'].includes(kind) &&
      (owner === undefined || owner === body),
  );
  if (/\bgoto\s*$/.test(before))
    return unique(
      inScope.filter(({ kind }) => kind === 'label').map((one) => itemOf(document, one)),
    );
  const open = depthAt(text, offset);
  const startsStatement = /(^|[;{}\n:])\s*$/.test(before);
  const uses =
    open === 0
      ? ['declaration', 'value', 'builtin']
      : startsStatement
        ? ['statement', 'value', 'builtin', 'part']
        : ['value', 'builtin', 'part'];
  return unique([
    ...inScope.filter(({ kind }) => kind !== 'label').map((one) => itemOf(document, one)),
    ...words(uses),
    ...(startsStatement
      ? snippets.filter(({ label: word }) => (open === 0) !== (word === 'dekker'))
      : []),
  ]);
}

/** How many braces are open before an offset. */
function depthAt(text: string, offset: number): number {
  let depth = 0;
  for (const [piece] of text
    .slice(0, offset)
    .matchAll(/\/\/[^\n\r]*|\/\*[^]*?\*\/|[{}]|\b(begin|end)\b/g))
    if (piece === '{' || piece === 'begin') depth += 1;
    else if ((piece === '}' || piece === 'end') && depth > 0) depth -= 1;
  return depth;
}

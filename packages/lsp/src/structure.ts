import { allTokensIn, type NodeBase, nodesIn, parseSyntax } from '@fencewright/core/text';
import {
  type DocumentSymbol,
  type FoldingRange,
  type SelectionRange,
  SymbolKind,
} from 'vscode-languageserver';
import { type Document, programOf } from './document.js';
import { holds, toPosition, toRange } from './places.js';

const kinds: Readonly<Record<string, SymbolKind>> = {
  program: SymbolKind.Module,
  constant: SymbolKind.Constant,
  'shared variable': SymbolKind.Variable,
  thread: SymbolKind.Function,
  event: SymbolKind.Event,
  procedure: SymbolKind.Method,
  property: SymbolKind.Boolean,
  invariant: SymbolKind.Boolean,
  label: SymbolKind.Key,
  register: SymbolKind.Field,
  parameter: SymbolKind.Field,
};

const bodies = new Set(['thread', 'event', 'procedure']);

/** Returns the declaration that contains the name at an offset. */
function declarationAt(model: NodeBase, offset: number): NodeBase | undefined {
  return nodesIn(model).find(({ start, end }) => start <= offset && offset < end);
}

/** Returns the declarations of a text: threads with registers and labels, variables, properties. */
export function symbolsIn(document: Document): DocumentSymbol[] {
  const { names, text, format } = document;
  const model = format === 'native' ? parseSyntax(text).model : undefined;
  const seen = new Set<number>();
  const top: DocumentSymbol[] = [];
  const byOwner = new Map<number, DocumentSymbol>();
  for (const { symbol, role, span, start, name } of names.occurrences) {
    if (symbol === undefined || role !== 'declaration' || seen.has(symbol)) continue;
    const { kind, owner } = names.symbols[symbol]!;
    const lspKind = kinds[kind];
    if (lspKind === undefined) continue;
    seen.add(symbol);
    const whole = model && bodies.has(kind) ? declarationAt(model, start) : undefined;
    const entry: DocumentSymbol = {
      name,
      detail: kind,
      kind: lspKind,
      range: toRange(whole?.span ?? span),
      selectionRange: toRange(span),
    };
    const parent = owner === undefined ? undefined : byOwner.get(owner);
    if (parent) (parent.children ??= []).push(entry);
    else top.push(entry);
    if (bodies.has(kind)) byOwner.set(symbol, entry);
  }
  return top;
}

function innerNodes(node: NodeBase): readonly NodeBase[] {
  return [node, ...nodesIn(node).flatMap(innerNodes)];
}

/** Returns the foldable ranges: blocks, threads and comments of several lines. */
export function foldsIn(document: Document): FoldingRange[] {
  if (document.format !== 'native') {
    const threads = programOf(document)?.threads ?? [];
    return threads.flatMap(({ transitions }) => {
      const lines = transitions.flatMap(({ origin: { span } }) =>
        span && !span.source ? [span.start.line] : [],
      );
      const [startLine, endLine] = [Math.min(...lines), Math.max(...lines)];
      return lines.length > 0 && endLine > startLine ? [{ startLine, endLine }] : [];
    });
  }
  const { model } = parseSyntax(document.text);
  const folds = new Map<number, FoldingRange>();
  for (const { kind, span } of innerNodes(model)) {
    if (kind !== 'Block' && kind !== 'Automaton' && kind !== 'Cells') continue;
    const [startLine, endLine] = [span.start.line, span.end.line - 1];
    if (endLine > startLine) folds.set(startLine, { startLine, endLine });
  }
  for (const token of allTokensIn(model))
    for (const { kind, text, start } of token.trivia) {
      const endLine = start.line + (text.match(/\r\n|\n|\r/g)?.length ?? 0);
      if (kind === 'comment' && endLine > start.line)
        folds.set(start.line, { startLine: start.line, endLine, kind: 'comment' });
    }
  return [...folds.values()];
}

/** Returns the selections around a place, from the inside out. */
export function selectionAt(
  { text, format }: Document,
  place: { readonly line: number; readonly character: number },
): SelectionRange {
  const here = { range: { start: place, end: place } };
  if (format !== 'native') return here;
  const position = toPosition(place);
  let node: NodeBase | undefined = parseSyntax(text).model;
  let selection: SelectionRange | undefined;
  while (node) {
    const { span }: NodeBase = node;
    const range = toRange(span);
    if (selection === undefined || JSON.stringify(range) !== JSON.stringify(selection.range))
      selection = { range, ...(selection && { parent: selection }) };
    node = nodesIn(node).find((inner) => inner.start < inner.end && holds(inner.span, position));
  }
  return selection && holds(parseSyntax(text).model.span, position) ? selection : here;
}

import type { NameIndex, NameSymbol, Occurrence } from '@fencewright/core/text';
import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type Location,
} from 'vscode-languageserver';
import type { Document } from './document.js';
import { holds, toPosition, toRange } from './places.js';

/** A place in the form of editors. */
interface EditorPosition {
  readonly line: number;
  readonly character: number;
}

/** Returns the occurrence at a place, or directly before the place. */
export function occurrenceAt({ names }: Document, place: EditorPosition): Occurrence | undefined {
  const position = toPosition(place);
  return names.occurrences.findLast(({ span }) => holds(span, position));
}

/** Returns the symbol at a place, if declared by the program. */
export function symbolAtPlace(document: Document, place: EditorPosition): number | undefined {
  const symbol = occurrenceAt(document, place)?.symbol;
  return symbol === undefined || document.names.symbols[symbol]?.kind === 'builtin'
    ? undefined
    : symbol;
}

/** Returns all occurrences of a symbol, in the order of the text. */
export function occurrencesOf({ occurrences }: NameIndex, symbol: number): readonly Occurrence[] {
  return occurrences.filter((one) => one.symbol === symbol);
}

/** Returns the declaration of the name at a place. */
export function definitionAt(document: Document, place: EditorPosition): Location | null {
  const symbol = symbolAtPlace(document, place);
  const declaration =
    symbol === undefined ? undefined : document.names.symbols[symbol]?.declaration;
  return declaration ? { uri: document.uri, range: toRange(declaration) } : null;
}

/** Returns the occurrences of the name at a place. */
export function referencesAt(
  document: Document,
  place: EditorPosition,
  withDeclaration: boolean,
): Location[] {
  const symbol = symbolAtPlace(document, place);
  if (symbol === undefined) return [];
  return occurrencesOf(document.names, symbol)
    .filter(({ role }) => withDeclaration || role !== 'declaration')
    .map(({ span }) => ({ uri: document.uri, range: toRange(span) }));
}

/** Returns the occurrences of the name at a place, marked as reads or writes. */
export function highlightsAt(document: Document, place: EditorPosition): DocumentHighlight[] {
  const symbol = symbolAtPlace(document, place);
  if (symbol === undefined) return [];
  return occurrencesOf(document.names, symbol).map(({ span, role }) => ({
    range: toRange(span),
    kind:
      role === 'store'
        ? DocumentHighlightKind.Write
        : role === 'load'
          ? DocumentHighlightKind.Read
          : DocumentHighlightKind.Text,
  }));
}

/** Returns the owner of a symbol. */
export function ownerOf({ symbols }: NameIndex, { owner }: NameSymbol): NameSymbol | undefined {
  return owner === undefined ? undefined : symbols[owner];
}

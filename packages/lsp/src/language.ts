import { formatSound } from '@fencewright/core/text';
import { type Range, ResponseError, ErrorCodes, type TextEdit } from 'vscode-languageserver';
import { actionsFor } from './actions.js';
import { completionsAt } from './completion.js';
import type { Document } from './document.js';
import { editsBetween } from './edits.js';
import { hoverAt } from './hover.js';
import { linksIn } from './links.js';
import { hintsFor, lensesFor, semanticTokensOf } from './marks.js';
import { definitionAt, highlightsAt, occurrenceAt, referencesAt, symbolAtPlace } from './names.js';
import { toRange } from './places.js';
import { renameAt } from './rename.js';
import type { Session } from './session.js';
import { foldsIn, selectionAt, symbolsIn } from './structure.js';

/** Returns edits that lay out a text, or the lines of a range; none for a text with errors. */
function formatted({ format, text }: Document, range?: Range): TextEdit[] | null {
  if (format !== 'native') return null;
  const result = formatSound(text);
  if (result.kind === 'unreadable') return null;
  const edits = editsBetween(text, result.text);
  if (!range) return edits;
  return edits.filter(
    (edit) =>
      edit.range.start.line >= range.start.line && edit.range.end.line <= range.end.line + 1,
  );
}

/** Registers the answers to an editor's questions about the current version of a text. */
export function registerLanguage({ connection, host, texts, checker, get }: Session): void {
  /** Returns the answer about a text; `none` for a text that is not open or not a program. */
  const about = async <T, N>(
    { uri }: { readonly uri: string },
    none: N,
    answer: (document: Document) => T | Promise<T>,
  ): Promise<T | N> => {
    const document = await get(uri);
    return document ? answer(document) : none;
  };
  connection.onHover(({ textDocument, position }) =>
    about(textDocument, null, (text) => hoverAt(text, checker.findings(text.uri), position)),
  );
  connection.onDefinition(({ textDocument, position }) =>
    about(textDocument, null, (text) => definitionAt(text, position)),
  );
  connection.onReferences(({ textDocument, position, context }) =>
    about(textDocument, [], (text) => referencesAt(text, position, context.includeDeclaration)),
  );
  connection.onDocumentHighlight(({ textDocument, position }) =>
    about(textDocument, [], (text) => highlightsAt(text, position)),
  );
  connection.onPrepareRename(({ textDocument, position }) =>
    about(textDocument, null, (text) => {
      const occurrence = occurrenceAt(text, position);
      if (!occurrence || symbolAtPlace(text, position) === undefined) return null;
      return { range: toRange(occurrence.span), placeholder: occurrence.name };
    }),
  );
  connection.onRenameRequest(({ textDocument, position, newName }) =>
    about(textDocument, null, async (text) => {
      const renamed = await renameAt(text, position, newName);
      if (renamed.kind === 'refused')
        throw new ResponseError(ErrorCodes.InvalidRequest, renamed.why);
      const { uri, version } = text;
      return { documentChanges: [{ textDocument: { uri, version }, edits: [...renamed.edits] }] };
    }),
  );
  connection.onDocumentSymbol(({ textDocument }) => about(textDocument, [], symbolsIn));
  connection.onDocumentLinks(({ textDocument }) =>
    about(textDocument, [], (text) =>
      linksIn(text, host.isThere ?? (() => Promise.resolve(false))),
    ),
  );
  connection.onFoldingRanges(({ textDocument }) => about(textDocument, [], foldsIn));
  connection.onSelectionRanges(({ textDocument, positions }) =>
    about(textDocument, [], (text) => positions.map((place) => selectionAt(text, place))),
  );
  connection.onCompletion(({ textDocument, position }) =>
    about(textDocument, [], (text) => completionsAt(text, texts.offsetAt(text.uri, position))),
  );
  connection.onDocumentFormatting(({ textDocument }) =>
    about(textDocument, null, (text) => formatted(text)),
  );
  connection.onDocumentRangeFormatting(({ textDocument, range }) =>
    about(textDocument, null, (text) => formatted(text, range)),
  );
  connection.onCodeAction(({ textDocument, range, context }) =>
    about(textDocument, [], (text) =>
      actionsFor(text, checker.findings(text.uri), range, context.diagnostics),
    ),
  );
  connection.onCodeLens(({ textDocument }) =>
    about(textDocument, [], (text) => lensesFor(text, checker.findings(text.uri))),
  );
  connection.languages.inlayHint.on(({ textDocument }) =>
    about(textDocument, [], (text) => hintsFor(text, checker.findings(text.uri))),
  );
  connection.languages.semanticTokens.on(({ textDocument }) =>
    about(textDocument, { data: [] }, (text) => semanticTokensOf(text, checker.findings(text.uri))),
  );
}

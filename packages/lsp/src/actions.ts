import { frontEndOf } from '@fencewright/core';
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic as LspDiagnostic,
  type Range,
  type TextEdit,
} from 'vscode-languageserver';
import type { Document } from './document.js';
import type { Findings } from './findings.js';

/**
 * The data of a code action, from which the server computes the fences when the user selects the
 * action.
 */
export interface LazyFences {
  readonly uri: string;
  readonly version: number;
  readonly mode: 'fence' | 'xchg' | 'minimise';
}

function fix(
  document: Document,
  title: string,
  edits: TextEdit[],
  about?: LspDiagnostic,
): CodeAction {
  const { uri, version } = document;
  return {
    title,
    kind: about ? CodeActionKind.QuickFix : CodeActionKind.RefactorRewrite,
    ...(about && { diagnostics: [about] }),
    edit: { documentChanges: [{ textDocument: { uri, version }, edits }] },
  };
}

/** Returns the fixes for a diagnostic: `did you mean 'x'?`, and declarations of unknown names. */
function quickFixes(document: Document, about: LspDiagnostic): CodeAction[] {
  const hint = typeof about.data === 'string' ? about.data : '';
  const nearest = /did you mean '([^']+)'/.exec(hint)?.[1];
  const fixes: CodeAction[] = [];
  if (nearest !== undefined)
    fixes.push(
      fix(document, `Change to '${nearest}'`, [{ range: about.range, newText: nearest }], about),
    );
  if (about.code !== 'FW1002' || document.format !== 'native') return fixes;
  const { names, text } = document;
  const unknown = names.occurrences.find(
    ({ span, symbol, role }) =>
      symbol === undefined &&
      ['load', 'store', 'address'].includes(role) &&
      span.start.line === about.range.start.line &&
      span.start.column === about.range.start.character,
  );
  if (!unknown) return fixes;
  const title = names.occurrences.find(
    ({ symbol }) => symbol !== undefined && names.symbols[symbol]?.kind === 'program',
  );
  if (title) {
    const start = { line: title.span.end.line, character: title.span.end.column };
    const newText = `\n\nvar ${unknown.name}`;
    fixes.push(
      fix(
        document,
        `Declare '${unknown.name}' as shared`,
        [{ range: { start, end: start }, newText }],
        about,
      ),
    );
  }
  const body = names.occurrences.findLast(
    ({ symbol, start, role }) =>
      start < unknown.start &&
      role === 'declaration' &&
      symbol !== undefined &&
      ['thread', 'event', 'procedure'].includes(names.symbols[symbol]!.kind),
  );
  const brace = body ? text.indexOf('{', body.end) : -1;
  if (body && brace >= 0 && brace < unknown.start) {
    const lines = text.slice(0, brace + 1).split(/\r\n|\n|\r/);
    const start = { line: lines.length - 1, character: lines.at(-1)!.length };
    const newText = `\n  local ${unknown.name};`;
    fixes.push(
      fix(
        document,
        `Declare '${unknown.name}' as local`,
        [{ range: { start, end: start }, newText }],
        about,
      ),
    );
  }
  return fixes;
}

function lazily(document: Document, title: string, mode: LazyFences['mode']): CodeAction {
  const { uri, version } = document;
  const data: LazyFences = { uri, version, mode };
  return { title, kind: CodeActionKind.RefactorRewrite, data };
}

/** Whether fences can be put into texts of the format. */
function canMend({ format }: Document): boolean {
  return frontEndOf(format).edit !== undefined;
}

/** Returns the code actions for a range of a text. */
export function actionsFor(
  document: Document,
  findings: Findings | undefined,
  range: Range,
  about: readonly LspDiagnostic[],
): CodeAction[] {
  const actions = about.flatMap((one) => quickFixes(document, one));
  if (!findings || !canMend(document)) return actions;
  const isQuick = about.some(({ code }) => code === 'not-robust');
  if (findings.state === 'not-robust') {
    const count = findings.fences ? ` (${findings.fences.count})` : '';
    const fences = lazily(document, `Insert the cheapest fences${count}`, 'fence');
    actions.push(isQuick ? { ...fences, kind: CodeActionKind.QuickFix } : fences);
    actions.push(lazily(document, 'Insert the cheapest locked stores', 'xchg'));
  }
  if (
    findings.state === 'robust' &&
    document.format === 'native' &&
    /\bm?fence\b/.test(document.text)
  )
    actions.push(lazily(document, 'Remove fences that are not needed', 'minimise'));
  if (document.format === 'native') actions.push(...noFence(document, range));
  return actions;
}

/** Returns the action that puts `@nofence` before the statement at the start of a line, if any. */
function noFence(document: Document, { start }: Range): CodeAction[] {
  const content = document.text.split(/\r\n|\n|\r/, start.line + 1)[start.line] ?? '';
  const match = /^(\s*)[A-Za-z_][\w'′]*(\[[^\]]*\])?\s*=(?!=)/.exec(content);
  if (!match) return [];
  const place = { line: start.line, character: match[1]!.length };
  return [
    fix(document, 'Add @nofence: no fence may stand here', [
      { range: { start: place, end: place }, newText: '@nofence ' },
    ]),
  ];
}

import type { Diagnostic, Span } from '@fencewright/core';
import {
  type Diagnostic as LspDiagnostic,
  DiagnosticSeverity,
  type Range,
} from 'vscode-languageserver';
import { claimsIn, claimTitle } from './claims.js';
import { type AttackedStore, attackedStores, type Findings } from './findings.js';
import { claimingIn, type Document, programOf } from './document.js';
import { toRange } from './places.js';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

const start: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The message about a file in C that is only a part of a program, which is no mistake. */
const isPart = "there is no 'main'";

function fromReading(uri: string, diagnostic: Diagnostic): LspDiagnostic {
  const { code, severity, span, related } = diagnostic;
  const { message, hint }: Pick<Diagnostic, 'message' | 'hint'> =
    diagnostic.message === isPart
      ? {
          message: `not checked: ${isPart}`,
          hint: 'name the program with this file under programs in fencewright.json',
        }
      : diagnostic;
  const placeOf = (place?: Span): string =>
    place?.source ? `${place.source.name}:${place.start.line + 1}: ` : '';
  const elsewhere = placeOf(span);
  // The address of another file is unknown.
  const beside = related?.span.source ? ` (${placeOf(related.span)}${related.message})` : '';
  return {
    range: span && !span.source ? toRange(span) : start,
    severity: diagnostic.message === isPart ? severities.info : severities[severity],
    code,
    source: 'fencewright',
    message: elsewhere + message + beside + (hint === undefined ? '' : ` (${hint})`),
    data: hint,
    ...(related &&
      !related.span.source && {
        relatedInformation: [
          { location: { uri, range: toRange(related.span) }, message: related.message },
        ],
      }),
  };
}

function linesOf({ loads }: AttackedStore): string {
  const lines = [...new Set(loads.map(({ span }) => span.start.line + 1))].sort((a, b) => a - b);
  const [first, ...others] = lines;
  if (others.length === 0) return `the load in line ${first}`;
  return `loads in lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`;
}

function fromAttack(uri: string, attacked: AttackedStore): LspDiagnostic {
  const { store, loads, thread } = attacked;
  return {
    range: toRange(store.span),
    severity: DiagnosticSeverity.Warning,
    code: 'not-robust',
    source: 'fencewright',
    message: `${thread}'s store of ${store.cell} can be delayed past ${linesOf(attacked)}`,
    relatedInformation: loads.map(({ span, cell }) => ({
      location: { uri, range: toRange(span) },
      message: `this load of ${cell} can read memory before the store reaches memory`,
    })),
  };
}

/** Returns the diagnostics of a text: first the diagnostics of reading, then of the check. */
export function diagnosticsFor(
  document: Document,
  findings: Findings | undefined,
): LspDiagnostic[] {
  const { uri } = document;
  const said = document.diagnostics.map((each) => fromReading(uri, each));
  if (!findings) return said;
  const attacks = attackedStores(programOf(document), findings.attacks).map((one) =>
    fromAttack(uri, one),
  );
  if (findings.state === 'not-robust' && attacks.length === 0)
    attacks.push({
      range: titleRange(document),
      severity: DiagnosticSeverity.Warning,
      code: 'not-robust',
      source: 'fencewright',
      message: `the program is ${findings.against ?? 'not robust: see fencewright explain'}`,
    });
  if (findings.state === 'unknown')
    attacks.push({
      range: titleRange(document),
      severity: DiagnosticSeverity.Information,
      code: 'undecided',
      source: 'fencewright',
      message: `robustness is not decided: ${findings.detail}`,
    });
  return [
    ...[
      ...said,
      ...attacks,
      ...fromClaims(document, findings),
      ...fromDeadlock(document, findings),
      ...fromHangs(document, findings),
    ],
    ...fromOrders(document, findings),
  ];
}

/** Returns the diagnostic for memory orders that are too weak for C11. */
function fromOrders(document: Document, { orders }: Findings): LspDiagnostic[] {
  if (!orders?.against) return [];
  const { level, span } = orders.against;
  return [
    {
      range: span && !span.source ? toRange(span) : titleRange(document),
      severity: severities[level],
      code: 'weak-orders',
      source: 'fencewright',
      message: orders.line,
    },
  ];
}

/** Returns the diagnostics for threads that wait for ever, with the stores that are late. */
function fromHangs(document: Document, { claims }: Findings): LspDiagnostic[] {
  const rangeOf = (span: Span | undefined): Range =>
    span && !span.source ? toRange(span) : titleRange(document);
  return (claims?.hangs ?? []).map(({ text, span, lateStores }) => ({
    range: rangeOf(span),
    severity: DiagnosticSeverity.Warning,
    code: 'hangs',
    source: 'fencewright',
    message: text,
    relatedInformation: lateStores.map((late) => ({
      location: { uri: document.uri, range: rangeOf(late.span) },
      message: late.text,
    })),
  }));
}

/** Returns the diagnostic for a deadlock without store buffers; empty if none is known. */
function fromDeadlock(document: Document, { claims }: Findings): LspDiagnostic[] {
  if (!claims?.deadlock) return [];
  const { text, span } = claims.deadlock;
  return [
    {
      range: span && !span.source ? toRange(span) : titleRange(document),
      severity: DiagnosticSeverity.Warning,
      code: 'deadlocks',
      source: 'fencewright',
      message: text,
    },
  ];
}

/** Returns the diagnostics for failing claims. */
function fromClaims(document: Document, { claims }: Findings): LspDiagnostic[] {
  const program = claimingIn(document);
  return claimsIn(program, claims ?? { claims: [] }).flatMap((found) => {
    const { claim, span, isQuestion, single, sc, tso } = found;
    const failsAnyway = single === 'violated' || sc === 'violated';
    if (isQuestion || (!failsAnyway && tso !== 'violated')) return [];
    const title = claimTitle(found);
    const property = claim.kind === 'property' ? program?.properties[claim.property] : undefined;
    return [
      {
        range: toRange(span),
        severity: DiagnosticSeverity.Warning,
        code: failsAnyway ? 'wrong-under-sc' : 'breaks',
        source: 'fencewright',
        message: `${property ? property.name : 'this assertion'} ${title}`,
      },
    ];
  });
}

/**
 * Returns the range for diagnostics about the whole program: the program's name, or the first line.
 */
export function titleRange({ names, text }: Document): Range {
  const name = names.occurrences.find(
    ({ symbol, role }) =>
      role === 'declaration' && symbol !== undefined && names.symbols[symbol]?.kind === 'program',
  );
  if (name) return toRange(name.span);
  const [line = ''] = text.split(/[\r\n]/, 1);
  return { start: { line: 0, character: 0 }, end: { line: 0, character: line.length } };
}

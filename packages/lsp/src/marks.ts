import {
  type CodeLens,
  type InlayHint,
  InlayHintKind,
  type Range,
  type SemanticTokens,
  SemanticTokensBuilder,
} from 'vscode-languageserver';
import { countOf } from '@fencewright/core';
import { claimsIn, claimTitle } from './claims.js';
import { claimingIn, type Document, programOf } from './document.js';
import { titleRange } from './diagnostics.js';
import { attackedStores, type Findings } from './findings.js';
import { toRange } from './places.js';

/** The types of semantic tokens, in the order of their numbers. */
export const tokenTypes = [
  'namespace',
  'variable',
  'property',
  'parameter',
  'function',
  'event',
  'class',
  'label',
  'macro',
] as const;

/** The modifiers of semantic tokens, each with a bit, in the order of the bits. */
export const tokenModifiers = ['declaration', 'readonly', 'attacked'] as const;

const typeOf: Readonly<Record<string, (typeof tokenTypes)[number]>> = {
  program: 'namespace',
  constant: 'variable',
  'shared variable': 'property',
  thread: 'class',
  event: 'event',
  procedure: 'function',
  parameter: 'parameter',
  register: 'variable',
  label: 'label',
  property: 'namespace',
  invariant: 'namespace',
  binder: 'parameter',
  builtin: 'macro',
};

/** Returns the names of a text with their meanings, as semantic tokens. */
export function semanticTokensOf(
  document: Document,
  findings: Findings | undefined,
): SemanticTokens {
  const { names } = document;
  const builder = new SemanticTokensBuilder();
  const stores = attackedStores(programOf(document), findings?.attacks ?? []);
  const attacked = new Set(
    stores.map(({ store: { span } }) => `${span.start.line} ${span.start.column}`),
  );
  for (const { span, start, end, symbol, role } of names.occurrences) {
    const kind = symbol === undefined ? undefined : names.symbols[symbol]?.kind;
    const type = kind === undefined ? undefined : typeOf[kind];
    if (kind === undefined || type === undefined) continue;
    const { line, column } = span.start;
    const bits =
      (role === 'declaration' ? 1 : 0) |
      (kind === 'constant' ? 2 : 0) |
      (attacked.has(`${line} ${column}`) ? 4 : 0);
    builder.push(line, column, end - start, tokenTypes.indexOf(type), bits);
  }
  return builder.build();
}

/**
 * Returns hints that name the cheapest fences with their costs. The hint for a fence before line
 * `n` stands at the end of line `n - 1`, with lines counted from 1.
 */
function fenceHints({ text }: Document, { fences }: Findings): InlayHint[] {
  const lines = text.split(/\r\n|\n|\r/);
  return (fences?.lines ?? []).flatMap(({ line, cost }): InlayHint[] => {
    const before = lines[line - 1];
    if (before === undefined) return [];
    return [
      {
        position: { line: line - 1, character: before.length },
        label: `fence here: costs ${cost}`,
        kind: InlayHintKind.Type,
        paddingLeft: true,
        tooltip: 'one of the cheapest fences that make the program robust',
      },
    ];
  });
}

/** Returns the hints beside the code: early loads, and places of helpful fences. */
export function hintsFor(document: Document, findings: Findings | undefined): InlayHint[] {
  return findings ? [...earlyLoads(document, findings), ...fenceHints(document, findings)] : [];
}

function earlyLoads(document: Document, findings: Findings): InlayHint[] {
  const stores = attackedStores(programOf(document), findings.attacks);
  const loads = new Map(
    stores.flatMap((attacked) =>
      attacked.loads.map(({ span }) => [`${span.end.line} ${span.end.column}`, { span, attacked }]),
    ),
  );
  return [...loads.values()].map(({ span, attacked: { store } }) => ({
    position: { line: span.end.line, character: span.end.column },
    label: 'reads memory early',
    kind: InlayHintKind.Type,
    paddingLeft: true,
    tooltip: `while the store of ${store.cell} in line ${store.span.start.line + 1} waits`,
  }));
}

/** Returns a lens above a line, with a title and a command. */
function lensAt({ uri, version }: Document, range: Range, title: string, command: string) {
  return { range, command: { title, command, arguments: [uri, version] } };
}

/**
 * Returns the code lenses of a text: above the program the verdict, the commands and the findings
 * about C11; above each claim the findings about the claim.
 */
export function lensesFor(document: Document, findings: Findings | undefined): CodeLens[] {
  const { orders } = findings ?? {};
  const range = titleRange(document);
  return [
    ...verdictLenses(document, findings),
    ...(orders ? [lensAt(document, range, orders.line, 'fencewright.check')] : []),
    ...claimLenses(document, findings),
  ];
}

/** Returns the code lenses above the claims: each says whether the claim holds under TSO. */
function claimLenses(document: Document, findings: Findings | undefined): CodeLens[] {
  const known = findings?.claims;
  if (!known) return [];
  return claimsIn(claimingIn(document), known).map((claim) =>
    lensAt(document, toRange(claim.span), claimTitle(claim), 'fencewright.states'),
  );
}

function verdictLenses(document: Document, findings: Findings | undefined): CodeLens[] {
  const range = titleRange(document);
  const lens = (title: string, command: string): CodeLens =>
    lensAt(document, range, title, command);
  if (!findings) return [lens('check', 'fencewright.check')];
  switch (findings.state) {
    case 'robust':
      return [lens(`robust (${countOf(findings.states, 'state')})`, 'fencewright.explain')];
    case 'unknown':
      return [lens(`unknown: ${findings.detail} | go on for a minute`, 'fencewright.goOn')];
    case 'error':
      return [];
    case 'not-robust': {
      const count = findings.attacks.length;
      const { fences, claims, against } = findings;
      const attacks = count === 0 ? '' : `: ${countOf(count, 'attack')}`;
      return [
        lens(`${against ?? 'not robust'}${attacks}`, 'fencewright.explain'),
        lens('explain', 'fencewright.explain'),
        ...(fences
          ? [lens(`fix with ${countOf(fences.count, 'fence')}`, 'fencewright.fence')]
          : []),
        ...(claims?.answer === undefined ? [] : [lens(claims.answer, 'fencewright.states')]),
      ];
    }
  }
}

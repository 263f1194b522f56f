import type { Program, ReachResult, Result, ResultOf } from '@fencewright/core';
import type { CodeAction, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import type { LazyFences } from './actions.js';
import { fileOf } from './checker.js';
import { type Document, hasEvents } from './document.js';
import { editsBetween } from './edits.js';
import type { Session } from './session.js';

/** The time limit of a question that the user asks, in milliseconds. */
const patience = 60_000;

interface About {
  readonly uri: string;
}

/** The text with fences, and the cost of the fences; or the reason for missing fences. */
type Fenced =
  | { readonly kind: 'found'; readonly text: string; readonly count: number; readonly cost: number }
  | { readonly kind: 'none'; readonly why: string };

const whyNot: Readonly<Record<string, string>> = {
  impossible: 'no fences make the program robust',
  unknown: 'the time was too short to find fences',
  error: 'an execution of the program ends in a fault',
  'property-fails': 'a property fails without store buffers',
};

const whyStopped = {
  cancelled: 'the text has changed meanwhile',
  memory: 'the memory was too small to find fences',
  time: 'the time was too short to find fences',
} as const;

function fencedBy({ fences }: ResultOf<'fence' | 'event-fence'>): Fenced {
  const { verdict } = fences.result;
  if (verdict.kind !== 'found')
    return { kind: 'none', why: whyNot[verdict.kind] ?? 'there is no answer' };
  if (fences.text === undefined)
    return { kind: 'none', why: 'the text has no place for the fences' };
  const count = 'repairs' in verdict ? verdict.repairs.length : verdict.fences.length;
  return { kind: 'found', text: fences.text, count, cost: verdict.cost };
}

async function fencesFor(
  { checker }: Session,
  document: Document,
  mode: LazyFences['mode'],
): Promise<Fenced> {
  const question = { kind: 'fence', ...(mode !== 'fence' && { mode }) } as const;
  const answered = await checker.ask(document, question, patience);
  if (answered.kind === 'stopped') return { kind: 'none', why: whyStopped[answered.reason] };
  if (answered.kind !== 'answer') return { kind: 'none', why: 'there is no answer' };
  const { result } = answered;
  return result.kind === 'fence' || result.kind === 'event-fence'
    ? fencedBy(result)
    : { kind: 'none', why: 'this question does not apply to this kind of program' };
}

function editOf({ uri, version, text }: Document, after: string): WorkspaceEdit {
  const edits: TextEdit[] = editsBetween(text, after);
  return { documentChanges: [{ textDocument: { uri, version }, edits }] };
}

/** The question about robustness that a check asks of programs of events. */
const explainEvents = { kind: 'explain', events: { against: 'both' } } as const;

async function pageOf({ checker, host }: Session, document: Document): Promise<string | undefined> {
  const question = hasEvents(document)
    ? explainEvents
    : ({ kind: 'explain', answers: 'brief' } as const);
  const answered = await checker.ask(document, question, patience);
  if (answered.kind !== 'answer') return undefined;
  const { diagnostics, result: found } = answered;
  const about = { file: fileOf(document.uri), source: document.text };
  const { explainHtml, eventExplainHtml } = await import('@fencewright/core/page');
  if (found.kind === 'event-check') {
    const subject = { ...about, program: found.about };
    return eventExplainHtml(subject, found.result, { diagnostics, version: host.version });
  }
  if (found.kind !== 'explain') return undefined;
  const { result, replay, answerRun } = found;
  const subject = { ...about, program: found.about };
  return explainHtml(subject, result, {
    ...{ diagnostics, version: host.version },
    ...(replay && { replay }),
    ...(answerRun && { answerRun }),
  });
}

/**
 * Returns final states and claims under both models, as text and as a page; `undefined` if there is
 * no answer.
 */
async function statesOf(
  { checker, host }: Session,
  document: Document,
): Promise<{ readonly text: string; readonly html: string } | undefined> {
  const answered = await checker.ask(document, { kind: 'reach' }, patience);
  if (answered.kind !== 'answer') return undefined;
  const { diagnostics, result: found } = answered;
  const about = { file: fileOf(document.uri), source: document.text };
  const { reachReport, plainPalette, replay } = await import('./states-report.js');
  const { eventReachHtml, reachHtml } = await import('@fencewright/core/page');
  if (found.kind === 'event-reach') {
    const { eventReachReport } = await import('@fencewright/core/events');
    const subject = { ...about, program: found.about };
    const html = eventReachHtml(subject, found.result, { diagnostics, version: host.version });
    return { text: eventReachReport(subject, found.result, plainPalette), html };
  }
  const shown = shownStates(found);
  if (!shown) return undefined;
  const { program, result } = shown;
  const subject = { ...about, program };
  const html = reachHtml(subject, result, {
    replay: (computation) => replay(program, computation),
    ...{ diagnostics, version: host.version },
  });
  return { text: reachReport(subject, result, plainPalette), html };
}

/**
 * Returns the program with its states; for any number of copies, the instance in which a claim
 * fails. `undefined` if there is none.
 */
function shownStates(
  result: Result,
): { readonly program: Program; readonly result: ReachResult } | undefined {
  if (result.kind === 'reach') return { program: result.about, result: result.result };
  return result.kind === 'reach-all' ? result.result.shown : undefined;
}

/** Makes the editor show a page, if possible; returns the address. */
async function showPage(
  { connection, abilities, host }: Session,
  page: string | undefined,
): Promise<string | null> {
  const address = page !== undefined && host.keepPage ? await host.keepPage(page) : undefined;
  if (address !== undefined && abilities.showsDocuments)
    await connection.window.showDocument({ uri: address, external: true });
  return address ?? null;
}

/** Registers the commands beyond the protocol: checks on demand, fences, pages, final states. */
export function registerCommands(session: Session): void {
  const { connection, checker, get, texts } = session;
  connection.onCodeActionResolve(async (action: CodeAction): Promise<CodeAction> => {
    const { uri, version, mode } = action.data as LazyFences;
    const document = await get(uri);
    if (document?.version !== version) return action;
    const fenced = await fencesFor(session, document, mode);
    if (fenced.kind === 'found' && texts.isLast(document))
      return { ...action, edit: editOf(document, fenced.text) };
    const why = fenced.kind === 'none' ? fenced.why : 'the text has changed meanwhile';
    connection.window.showWarningMessage(`Fencewright: ${why}.`);
    return action;
  });
  connection.onExecuteCommand(async ({ command, arguments: [uri] = [] }) => {
    const document = typeof uri === 'string' ? await get(uri) : undefined;
    if (!document) return null;
    switch (command) {
      case 'fencewright.check':
        checker.check(document.uri);
        return null;
      case 'fencewright.goOn':
        checker.check(document.uri, patience);
        return null;
      case 'fencewright.explain':
        return showPage(session, await pageOf(session, document));
      case 'fencewright.states':
        return showPage(session, (await statesOf(session, document))?.html);
      case 'fencewright.fence': {
        const fenced = await fencesFor(session, document, 'fence');
        if (fenced.kind === 'none')
          connection.window.showWarningMessage(`Fencewright: ${fenced.why}.`);
        else if (texts.isLast(document))
          await connection.workspace.applyEdit(editOf(document, fenced.text));
        return null;
      }
      default:
        return null;
    }
  });
  connection.onRequest('fencewright/check', async ({ uri }: About) => {
    checker.check(uri);
    return { version: (await get(uri))?.version ?? null };
  });
  connection.onRequest('fencewright/explain', async ({ uri }: About) => {
    const document = await get(uri);
    if (!document) return null;
    return { version: document.version, html: (await pageOf(session, document)) ?? null };
  });
  connection.onRequest('fencewright/fences', async ({ uri }: About) => {
    const document = await get(uri);
    if (!document) return null;
    return { version: document.version, ...(await fencesFor(session, document, 'fence')) };
  });
  connection.onRequest('fencewright/reach', async ({ uri }: About) => {
    const document = await get(uri);
    if (!document) return null;
    const states = await statesOf(session, document);
    return { version: document.version, ...(states ?? { text: null, html: null }) };
  });
}

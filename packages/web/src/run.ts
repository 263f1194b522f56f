import {
  type CheckResult,
  decide,
  type Diagnostic,
  explainReport,
  inspectedProgram,
  type Known,
  type Limits,
  verdictMeaning,
  type Model,
  plainPalette,
  type ResultOf,
  scopeInWords,
  threadModel,
  readText,
  sentence,
} from '@fencewright/core';
import { attackedStores, findingsOf } from '@fencewright/lsp/reading';
import type { TextQuestion, MessagePlace, ResultPart, VerdictPart } from './messages.js';
import { adviceInTabs, type Read, refusalMessage } from './read.js';
import { version } from './version.js';

const mebibyte = 1024 * 1024;

/** Reports a part of the findings of a run; reports of a finished run are dropped. */
type Tell = (part: ResultPart) => void;

type Question = Parameters<typeof decide>[1];

function markOf({ severity, message, hint, code, span }: Diagnostic): MessagePlace {
  const nowhere = { line: 0, column: 0 };
  const said = hint === undefined ? message : `${message} (${hint})`;
  return {
    severity,
    message: `${said} [${code}]`,
    from: span && !span.source ? span.start : nowhere,
    to: span && !span.source ? span.end : nowhere,
  };
}

function marksOfAttacks(model: Model, result: ResultOf<'explain'>): MessagePlace[] {
  const { about, result: checked } = result;
  const answer = { kind: 'check', about, result: checked } as const;
  const { attacks } = findingsOf({ kind: 'answer', model, result: answer, diagnostics: [] });
  const threads = threadModel(model);
  const program = threads && inspectedProgram(threads);
  return attackedStores(program, attacks).map(({ thread, store, loads }) => {
    const lines = [...new Set(loads.map(({ span }) => span.start.line + 1))];
    const noun = lines.length === 1 ? 'the load in line' : 'the loads in lines';
    return {
      severity: 'warning',
      message: `${thread}'s store of ${store.cell} can be delayed past ${noun} ${lines.join(', ')}`,
      from: store.span.start,
      to: store.span.end,
    };
  });
}

/** Returns the meaning of a verdict, or the reason for a missing verdict. */
function meaningIn({ verdict, happensBefore, scope }: CheckResult, detail: string): string {
  if (verdict.kind === 'error') return 'An execution of the program ends in a fault.';
  if (verdict.kind === 'unknown') return sentence(`the program may be robust or not: ${detail}`);
  const where = scope ? `${scopeInWords(scope)}, ` : '';
  return sentence(where + verdictMeaning[happensBefore][verdict.kind]);
}

/** Returns the page's text on a verdict about threads. */
function threadVerdict(
  { file, text: source, model, diagnostics }: Read,
  result: ResultOf<'explain'>,
): VerdictPart {
  const { about, result: checked, replay: replayed } = result;
  const advised = { file, source, program: about, advise: adviceInTabs };
  const answer = { kind: 'check', about, result: checked } as const;
  const found = findingsOf({ kind: 'answer', model, result: answer, diagnostics });
  return {
    ...{ kind: 'verdict', state: found.state, detail: meaningIn(checked, found.detail) },
    marks: [...checked.diagnostics.map(markOf), ...marksOfAttacks(model, result)],
    ...{ states: found.states, milliseconds: found.milliseconds },
    text: explainReport(advised, checked, replayed, { palette: plainPalette, width: 100 }),
    hasAnswer: true,
  };
}

/** Returns the page's text on a verdict about a program of events. */
async function eventVerdict(
  { file, text: source, model, diagnostics }: Read,
  result: ResultOf<'event-check'>,
): Promise<VerdictPart> {
  const { eventCheckReport } = await import('@fencewright/core/events');
  const { eventMeaning } = await import('./event-meaning.js');
  const { about, result: checked } = result;
  const subject = { file, source, program: about, advise: adviceInTabs };
  const found = findingsOf({ kind: 'answer', model, result, diagnostics });
  return {
    ...{ kind: 'verdict', state: found.state, detail: eventMeaning(checked, found.detail) },
    marks: checked.diagnostics.map(markOf),
    ...{ states: found.states, milliseconds: found.milliseconds },
    text: eventCheckReport(subject, checked, plainPalette),
    hasAnswer: false,
  };
}

/**
 * Reports the verdict when found, and again in full, with the page that shows the reason. Returns
 * the explanation of a program of threads.
 */
async function tellVerdict(
  program: Read,
  limits: Limits,
  tell: Tell,
): Promise<ResultOf<'explain'> | undefined> {
  const { file, text: source, model, diagnostics } = program;
  const question: Question =
    model.kind === 'events'
      ? { kind: 'explain', events: { against: 'both' } }
      : { kind: 'explain', allAttacks: true, listsAttacks: true };
  let isTold = false;
  const onKnown = ({ result, isFinal }: Known): void => {
    if (isTold || !isFinal || result.kind !== 'explain') return;
    tell(threadVerdict(program, result));
    isTold = true;
  };
  const result = await decide(model, question, limits, { onKnown });
  if (result.kind === 'refused') {
    const detail = refusalMessage(result.refusal);
    tell({
      ...{ kind: 'verdict', state: 'unknown', detail, marks: [] },
      ...{ states: 0, milliseconds: 0, text: `${detail}\n`, hasAnswer: false },
    });
    return undefined;
  }
  const subject = { file, source };
  if (result.kind === 'event-check') {
    tell(await eventVerdict(program, result));
    const { eventExplainHtml } = await import('@fencewright/core/page');
    const { about, result: checked } = result;
    const page = eventExplainHtml({ ...subject, program: about }, checked, {
      diagnostics,
      version,
    });
    tell({ kind: 'execution', page });
    return undefined;
  }
  if (result.kind !== 'explain') throw new Error(`an answer of another kind: ${result.kind}`);
  tell(threadVerdict(program, result));
  const { explainedPart } = await import('./explained.js');
  tell(await explainedPart(program, result));
  return result;
}

/** Reports final states and fences. Steps that are cancelled report nothing. */
async function tellRest(
  program: Read,
  explained: ResultOf<'explain'> | undefined,
  limits: Limits,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  if (signal.aborted) return;
  const { statesOf } = await import('./states.js');
  const { answer, known, draw } = await statesOf(program, limits);
  if (signal.aborted) return;
  if (answer) tell(answer);
  if (explained && known) {
    const { explainedPart } = await import('./explained.js');
    tell(await explainedPart(program, explained, known));
  }
  tell(await draw());
  const { fencesFor } = await import('./fences.js');
  const fences = await fencesFor(program, limits);
  if (!signal.aborted) tell(fences);
}

/**
 * Finds out everything the page shows about a text, part by part: whether the text is a program,
 * the verdict, final states, fences. Never throws.
 */
export async function run(asked: TextQuestion, signal: AbortSignal, tell: Tell): Promise<void> {
  const limits: Limits = {
    ...{ timeout: asked.timeout, maxMemory: 512 * mebibyte, signal },
    onProgress: ({ states, memory }) => tell({ kind: 'progress', states, bytes: memory }),
  };
  try {
    const { model, diagnostics } = await readText(asked.format, asked.text);
    tell({ kind: 'read', isProgram: model !== undefined, marks: diagnostics.map(markOf) });
    const program = model && { ...asked, model, diagnostics };
    if (program) {
      const explained = await tellVerdict(program, limits, tell);
      await tellRest(program, explained, limits, signal, tell);
    }
    tell({ kind: 'ended', by: signal.aborted ? 'stopped' : 'itself' });
  } catch (error) {
    // The browser throws this error for tables that are too large, and for nesting too deep for its
    // stack.
    const isLimit = error instanceof RangeError;
    tell({
      kind: 'failed',
      message: isLimit ? 'the memory of the page is used up' : String(error),
    });
  }
}

import {
  answerLine,
  type CheckResult,
  decide,
  deepBracket,
  type Diagnostic,
  explainReport,
  fenceFindings,
  fenceReport,
  type FencesInText,
  inspectedProgram,
  lintModel,
  type Limits,
  meaningOf,
  type Model,
  nestedTooDeeply,
  parseText,
  plainPalette,
  reachReport,
  type Refusal,
  replay,
  type ResultOf,
  scopeInWords,
  threadModel,
} from '@fencewright/core';
import { attackedStores, findingsOf } from '@fencewright/lsp';
import type { Asked, Mark, Part } from './messages.js';
import { version } from './version.js';

const mebibyte = 1024 * 1024;

/** Says a part of what is found out; what it says of a run that is over is dropped. */
export type Tell = (part: Part) => void;

interface Read extends Asked {
  readonly model: Model;
  readonly diagnostics: readonly Diagnostic[];
}

type Question = Parameters<typeof decide>[1];

function markOf({ severity, message, hint, code, span }: Diagnostic): Mark {
  const nowhere = { line: 0, column: 0 };
  const said = hint === undefined ? message : `${message} (${hint})`;
  return {
    severity,
    message: `${said} [${code}]`,
    from: span && !span.source ? span.start : nowhere,
    to: span && !span.source ? span.end : nowhere,
  };
}

async function read(asked: Asked): Promise<{ model?: Model; diagnostics: readonly Diagnostic[] }> {
  const bracket = deepBracket(asked.text);
  if (bracket) return { diagnostics: [nestedTooDeeply(bracket)] };
  const { model, diagnostics } = await parseText(asked.format, asked.text);
  return model ? { model, diagnostics: [...diagnostics, ...lintModel(model)] } : { diagnostics };
}

/** Why a question is none about such a program. */
function refusalInWords({ kind }: Refusal): string {
  switch (kind) {
    case 'any-number':
      return 'This needs to know how many copies there are of each thread: write a number instead of [*].';
    case 'only-proofs':
      return 'This program has more than finitely many states can show: only a proof can answer. Ask "fencewright prove" on the command line.';
    case 'events':
      return 'This question is about programs of threads, and this one is made of events.';
    default:
      return 'This cannot be asked about such a program.';
  }
}

function marksOfAttacks(model: Model, result: ResultOf<'explain'>): Mark[] {
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

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

/** What a verdict means, or why there is none. */
function meaningIn({ verdict, happensBefore, scope }: CheckResult, detail: string): string {
  if (verdict.kind === 'error') return 'An execution of the program is at fault.';
  if (verdict.kind === 'unknown') return sentence(`it may be robust or not: ${detail}`);
  const where = scope ? `${scopeInWords(scope)}, ` : '';
  return sentence(where + meaningOf[happensBefore][verdict.kind]);
}

/** The verdict, with the page that shows why. */
async function verdictOf(program: Read, limits: Limits): Promise<Part> {
  const { file, text: source, model, diagnostics } = program;
  const question: Question =
    model.kind === 'events'
      ? { kind: 'explain', events: { against: 'both' } }
      : { kind: 'explain', allAttacks: true, listsAttacks: true };
  const result = await decide(model, question, limits);
  if (result.kind === 'refused') {
    const detail = refusalInWords(result.refusal);
    return {
      ...{ kind: 'verdict', state: 'unknown', detail, marks: [] },
      ...{ states: 0, milliseconds: 0, text: `${detail}\n` },
    };
  }
  if (result.kind === 'event-check') {
    const { eventCheckReport } = await import('@fencewright/core/events');
    const { eventExplainHtml } = await import('@fencewright/core/page');
    const { about, result: checked } = result;
    const subject = { file, source, program: about };
    const found = findingsOf({ kind: 'answer', model, result, diagnostics });
    return {
      ...{ kind: 'verdict', state: found.state, detail: found.detail },
      marks: checked.diagnostics.map(markOf),
      ...{ states: found.states, milliseconds: found.milliseconds },
      page: eventExplainHtml(subject, checked, { diagnostics, version }),
      text: eventCheckReport(subject, checked, plainPalette),
    };
  }
  if (result.kind !== 'explain') throw new Error(`an answer of another kind: ${result.kind}`);
  const { explainHtml } = await import('@fencewright/core/page');
  const { about, result: checked, replay: replayed } = result;
  const subject = { file, source, program: about };
  const answer = { kind: 'check', about, result: checked } as const;
  const found = findingsOf({ kind: 'answer', model, result: answer, diagnostics });
  return {
    ...{ kind: 'verdict', state: found.state, detail: meaningIn(checked, found.detail) },
    marks: [...checked.diagnostics.map(markOf), ...marksOfAttacks(model, result)],
    ...{ states: found.states, milliseconds: found.milliseconds },
    page: explainHtml(subject, checked, {
      ...{ diagnostics, version },
      ...(replayed && { replay: replayed }),
    }),
    text: explainReport(subject, checked, replayed, { palette: plainPalette, width: 100 }),
  };
}

const noFences: Readonly<Record<string, string>> = {
  impossible: 'No fences make the program robust.',
  unknown: 'The time was too short to find the cheapest fences.',
  error: 'The program is at fault: there is nothing to mend with fences.',
};

function fenceWords(
  { result, text }: Pick<FencesInText, 'text'> & { readonly result: { readonly verdict: object } },
  source: string,
): string {
  const verdict = result.verdict as {
    readonly kind: string;
    readonly cost?: number;
    readonly repairs?: readonly object[];
    readonly fences?: readonly object[];
  };
  if (verdict.kind !== 'found') return noFences[verdict.kind] ?? 'There is no answer.';
  const count = (verdict.repairs ?? verdict.fences ?? []).length;
  if (count === 0) return 'The program needs no fences.';
  const noun = count === 1 ? 'One fence makes' : `${count} fences make`;
  const end = text === undefined || text === source ? '; the text has no place for them' : '';
  return `${noun} the program robust, and nothing cheaper does (cost ${verdict.cost})${end}.`;
}

/** The cheapest fences, in the text. */
async function fencesFor(program: Read, limits: Limits): Promise<Part> {
  const { file, format, text: source, model } = program;
  const question = { kind: 'fence', text: { format, source } } as const;
  const result = await decide(model, question, limits);
  if (result.kind === 'refused') {
    const words = refusalInWords(result.refusal);
    return { kind: 'fences', words, text: `${words}\n` };
  }
  if (result.kind === 'event-fence') {
    const { eventFenceFindings, eventFenceReport } = await import('@fencewright/core/events');
    const { about, fences } = result;
    const findings = eventFenceFindings(source, fences, file);
    const subject = { file, source, program: about };
    return {
      ...{ kind: 'fences', words: fenceWords(fences, source) },
      ...(findings.diff !== undefined && findings.diff !== '' && { diff: findings.diff }),
      ...(fences.text !== undefined && { after: fences.text }),
      text: eventFenceReport(subject, findings, plainPalette),
    };
  }
  if (result.kind !== 'fence') throw new Error(`an answer of another kind: ${result.kind}`);
  const { about, fences } = result;
  const findings = fenceFindings(source, fences, file);
  const subject = { file, source, program: fences.about ?? about };
  return {
    ...{ kind: 'fences', words: fenceWords(fences, source) },
    ...(findings.diff !== undefined && findings.diff !== '' && { diff: findings.diff }),
    ...(fences.text !== undefined && { after: fences.text }),
    text: fenceReport(subject, findings, plainPalette),
  };
}

/** The final states under SC and TSO. */
async function statesOf(program: Read, limits: Limits): Promise<Part> {
  const { file, text: source, model, diagnostics } = program;
  const result = await decide(model, { kind: 'reach' }, limits);
  if (result.kind === 'refused') {
    const words = refusalInWords(result.refusal);
    return { kind: 'states', words, text: `${words}\n` };
  }
  if (result.kind === 'event-reach') {
    const { eventReachReport } = await import('@fencewright/core/events');
    const { eventReachHtml } = await import('@fencewright/core/page');
    const { about, result: found } = result;
    const subject = { file, source, program: about };
    const page = eventReachHtml(subject, found, { diagnostics, version });
    return {
      kind: 'states',
      words: '',
      page,
      text: eventReachReport(subject, found, plainPalette),
    };
  }
  if (result.kind !== 'reach') throw new Error(`an answer of another kind: ${result.kind}`);
  const { reachHtml } = await import('@fencewright/core/page');
  const { about, result: found } = result;
  const subject = { file, source, program: about };
  const page = reachHtml(subject, found, {
    replay: (computation) => replay(about, computation),
    ...{ diagnostics, version },
  });
  const words = sentence(answerLine(about, found.answer));
  return { kind: 'states', words, page, text: reachReport(subject, found, plainPalette) };
}

/**
 * Finds out all that the page shows of a text, part by part: whether it is a program, the verdict,
 * fences, final states. Never throws.
 */
export async function run(asked: Asked, signal: AbortSignal, tell: Tell): Promise<void> {
  const limits: Limits = {
    ...{ timeout: asked.timeout, maxMemory: 512 * mebibyte, signal },
    onProgress: ({ states, memory }) => tell({ kind: 'progress', states, bytes: memory }),
  };
  try {
    const { model, diagnostics } = await read(asked);
    tell({ kind: 'read', isProgram: model !== undefined, marks: diagnostics.map(markOf) });
    if (model)
      for (const step of [verdictOf, fencesFor, statesOf]) {
        const part = await step({ ...asked, model, diagnostics }, limits);
        // What was cut short because nobody wanted it is no answer, but the verdict says so.
        if (signal.aborted && step !== verdictOf) break;
        tell(part);
        if (signal.aborted) break;
      }
    tell({ kind: 'ended', by: signal.aborted ? 'stopped' : 'itself' });
  } catch (error) {
    // Tables that outgrow what the engine of the page allows, and nesting that outgrows its stack.
    const isLimit = error instanceof RangeError;
    tell({
      kind: 'failed',
      message: isLimit ? 'the memory of the page is used up' : String(error),
    });
  }
}

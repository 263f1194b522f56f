import { at } from '@fencewright/ground/base/at.js';
import { enumerate } from '@fencewright/ground/base/number-words.js';
import type {
  CodeFlow,
  Location,
  PhysicalLocation,
  Region,
  Result,
  ThreadFlowLocation,
} from 'sarif';
import type { Program } from '@fencewright/model/program/program.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { withoutDot } from '@fencewright/ground/source/quote-name.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { CheckResult, Witness } from '@fencewright/model/verdict/verdict.js';
import type { AnsweredInstances, StateAnswer } from '@fencewright/model/verdict/state-answer.js';
import { placedHang, spanOfWaiting } from '../words/hang-in-words.js';
import { deadlockHeadline, headlineInWords, headlineText } from '../words/headline.js';
import { differenceOf } from '../words/opening.js';
import { whyUndecided } from '../words/why-undecided.js';
import { cellText, findTransition, stepSentence, threadName } from '../words/action-words.js';
import { attackActions } from '../text/attack-in-words.js';
import { underHappensBefore } from '../words/verdict-meaning.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import { instructionTexts } from '../words/instruction-texts.js';
import { bufferStates } from './buffer-states.js';
import { c11Finding } from './c11-finding.js';
import {
  deadlocksRule,
  notRobustRule,
  ruleIndex,
  sarifLevel,
  undecidedRule,
  weakOrdersRule,
} from './sarif-rules.js';
import { sourceSnippet, statementSnippet } from '../text/source-excerpt.js';

/** The file that SARIF results are about. */
export interface SarifSubject {
  /** The address of the file, relative to the root of the repository if possible. */
  readonly uri: string;
  /** The text of the file; absent if the file could not be read. */
  readonly source?: string;
}

function regionOf({ start, end }: Span): Region {
  return {
    startLine: start.line + 1,
    startColumn: start.column + 1,
    endLine: end.line + 1,
    endColumn: end.column + 1,
  };
}

function physicalLocation({ uri: own }: SarifSubject, span: Span | undefined): PhysicalLocation {
  const uri = span?.source ? encodeURI(withoutDot(span.source.name)) : own;
  return { artifactLocation: { uri }, ...(span && { region: regionOf(span) }) };
}

function spanOf(program: Program, thread: ThreadId, transition: TransitionId): Span | undefined {
  return findTransition(program, thread, transition)?.transition.origin.span;
}

/**
 * Returns a text that identifies a result by the source text at its places, and so does not change
 * when lines are inserted above.
 */
function fingerprint(
  { source = '' }: SarifSubject,
  parts: readonly string[],
  spans: readonly (Span | undefined)[],
  snippet: typeof sourceSnippet = sourceSnippet,
): string {
  const snippets = spans.map((span) => (span ? snippet(span.source?.text ?? source, span) : ''));
  return [...parts, ...snippets].map((part) => part.replace(/\s+/g, ' ')).join(' | ');
}

/**
 * Returns the fingerprint of a result about a program, by name and version. In C, clang reports a
 * place as one character, and all calls of `atomic_store` or `assert` have that character in
 * common; version 2 of the fingerprint therefore includes the calls.
 */
function printsOf(
  subject: SarifSubject,
  program: Program,
  ...[name, ...about]: [string, readonly string[], readonly (Span | undefined)[]]
): Readonly<Record<string, string>> {
  return isOfC(program)
    ? { [`${name}/v2`]: fingerprint(subject, ...about, statementSnippet) }
    : { [`${name}/v1`]: fingerprint(subject, ...about) };
}

/**
 * Returns a text with escapes, so that viewers see no links in it: `flag[1]` looks like a link.
 * Source: SARIF 2.1.0, Sect. 3.11.6.
 */
function plain(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&');
}

/**
 * Returns the steps of a witness as one flow for each thread, numbered by the steps of the whole
 * execution.
 */
function codeFlow(
  subject: SarifSubject,
  program: Program,
  witness: Pick<Witness, 'computation' | 'cycle'>,
  text = 'a TSO execution that is not sequentially consistent',
): CodeFlow {
  const { computation, cycle } = witness;
  const texts = instructionTexts(program, computation);
  const states = bufferStates(program, computation);
  const onCycle = new Set(cycle.flatMap(({ from, to }) => [from, to]));
  const steps = computation.map((action, i): ThreadFlowLocation => {
    const span = spanOf(program, action.thread, action.transition);
    return {
      executionOrder: i + 1,
      importance: onCycle.has(i)
        ? 'essential'
        : action.kind === 'local'
          ? 'unimportant'
          : 'important',
      state: at(states, i),
      location: {
        physicalLocation: physicalLocation(subject, span),
        message: {
          text: stepSentence(program, action, at(texts, i)),
        },
      },
    };
  });
  const threads = [...new Set(computation.map(({ thread }) => thread))].sort((a, b) => a - b);
  return {
    message: { text },
    threadFlows: threads.map((thread) => ({
      id: threadName(program, thread),
      locations: steps.filter((_, i) => computation[i]?.thread === thread),
    })),
  };
}

function attackResult(
  subject: SarifSubject,
  program: Program,
  attack: Attack,
  witness: Witness | undefined,
  happensBefore: HappensBefore,
): Result {
  const { thread } = attack;
  const actions = witness && attackActions(witness);
  const cellOf = (action: { readonly address: number } | undefined, transition: TransitionId) =>
    action ? formatAddress(program, action.address) : cellText(program, thread, transition);
  const stored = cellOf(actions?.store, attack.store);
  const loaded = cellOf(actions?.load, attack.load);
  const store = spanOf(program, thread, attack.store);
  const load = spanOf(program, thread, attack.load);
  const related = (id: number, span: Span | undefined, text: string): Location => ({
    id,
    physicalLocation: physicalLocation(subject, span),
    message: { text },
  });
  const name = threadName(program, thread);
  return {
    ruleId: notRobustRule,
    ruleIndex: ruleIndex(notRobustRule),
    level: 'error',
    message: {
      text:
        `Not robust${underHappensBefore(happensBefore)}: ${plain(name)} can delay its [store of ${plain(stored)}](1) past its [load of ${plain(loaded)}](2),` +
        ' which leads to an execution that is not sequentially consistent.',
    },
    locations: [{ physicalLocation: physicalLocation(subject, store) }],
    relatedLocations: [
      related(1, store, `this store of ${stored} waits in ${name}'s store buffer`),
      related(2, load, `meanwhile this load of ${loaded} reads memory`),
    ],
    partialFingerprints: printsOf(subject, program, 'attack', [notRobustRule, name], [store, load]),
    ...(witness && { codeFlows: [codeFlow(subject, program, witness)] }),
  };
}

/**
 * Returns the results for attacks: the attack of the witness with its code flow, then further
 * feasible attacks without code flows.
 */
function attackResults(
  subject: SarifSubject,
  program: Program,
  { verdict, attacks, happensBefore }: CheckResult,
): Result[] {
  if (verdict.kind !== 'not-robust') return [];
  const { witness } = verdict;
  const isShown = ({ thread, store, load }: Attack): boolean =>
    thread === witness.attack.thread &&
    store === witness.attack.store &&
    load === witness.attack.load;
  const others = attacks.filter((item) => item.verdict === 'feasible' && !isShown(item.attack));
  return [
    attackResult(subject, program, witness.attack, witness, happensBefore),
    ...others.map(({ attack }) => attackResult(subject, program, attack, undefined, happensBefore)),
  ];
}

/**
 * Returns the result for a run that no serial order explains: `sentence` is the reason, `spans` are
 * the places of the accesses that contradict every order.
 */
export function violationResult(
  subject: SarifSubject,
  sentence: string,
  spans: readonly (Span | undefined)[],
): Result {
  return {
    ruleId: notRobustRule,
    ruleIndex: ruleIndex(notRobustRule),
    level: 'error',
    message: { text: `Not robust: ${plain(sentence)}` },
    locations: [{ physicalLocation: physicalLocation(subject, spans[0]) }],
    partialFingerprints: { 'violation/v1': fingerprint(subject, [notRobustRule], spans) },
  };
}

/** Returns the result for a file that is not decided. `detail` is the reason. */
export function undecidedResult(
  subject: SarifSubject,
  detail: string,
  happensBefore: HappensBefore = 'standard',
): Result {
  return {
    ruleId: undecidedRule,
    ruleIndex: ruleIndex(undecidedRule),
    level: 'warning',
    message: {
      text: `Not decided whether the program is robust${underHappensBefore(happensBefore)}: ${plain(detail)}.`,
    },
    locations: [{ physicalLocation: physicalLocation(subject, undefined) }],
    partialFingerprints: { 'verdict/v1': undecidedRule },
  };
}

/** Returns the result for a diagnostic from reading or checking a file. */
export function diagnosticResult(subject: SarifSubject, diagnostic: Diagnostic): Result {
  const { code, severity, message, hint, span, related } = diagnostic;
  return {
    ruleId: code,
    ruleIndex: ruleIndex(code),
    level: sarifLevel[severity],
    message: { text: plain(hint === undefined ? message : `${message} (hint: ${hint})`) },
    locations: [{ physicalLocation: physicalLocation(subject, span) }],
    ...(related && {
      relatedLocations: [
        {
          id: 1,
          physicalLocation: physicalLocation(subject, related.span),
          message: { text: related.message },
        },
      ],
    }),
    partialFingerprints: { 'diagnostic/v1': fingerprint(subject, [code, message], [span]) },
  };
}

/** Returns the results with their fingerprints made distinct by numbers. */
export function withDistinctFingerprints(results: readonly Result[]): Result[] {
  const seen = new Map<string, number>();
  return results.map((result) => ({
    ...result,
    partialFingerprints: Object.fromEntries(
      Object.entries(result.partialFingerprints ?? {}).map(([key, value]) => {
        const times = (seen.get(value) ?? 0) + 1;
        seen.set(value, times);
        return [key, times === 1 ? value : `${value} | ${times}`];
      }),
    ),
  }));
}

/** Returns the place in the text at which to show an answer; `undefined` if there is none. */
function spanOfAnswer(
  templates: Program,
  program: Program,
  answer: Extract<StateAnswer, { kind: 'breaks' | 'wrong-under-sc' | 'hangs' | 'differs' }>,
): Span | undefined {
  if (answer.kind === 'differs') return undefined;
  if (answer.kind === 'hangs') return placedHang(program, answer.hangs[0]).span;
  const [first] = answer.claims;
  return first?.kind === 'assertion'
    ? spanOf(templates, first.thread, first.transition)
    : undefined;
}

/**
 * Returns the result for an answer that TSO breaks claims or changes states; empty for other
 * answers.
 */
function answerResults(
  subject: SarifSubject,
  program: Program,
  answer: StateAnswer,
  answered: AnsweredInstances | undefined,
): Result[] {
  if (answer.kind === 'stricter' || answer.kind === 'robust' || answer.kind === 'unknown')
    return [];
  const level = answer.kind === 'differs' ? 'warning' : 'error';
  const { templates = program, shown } = answered ?? {};
  const about = shown?.program ?? templates;
  const span = spanOfAnswer(templates, about, answer);
  const related =
    answer.kind === 'hangs' ? placedHang(about, answer.hangs[0]).lateStores : undefined;
  const { computation } = answer;
  const headline = headlineInWords(program, answer, answered);
  const difference = enumerate(differenceOf(program, answer, answered));
  const line = `${headline ? headlineText(headline) : ''}${difference === '' ? '' : `: ${difference}`}`;
  return [
    {
      ruleId: answer.kind,
      ruleIndex: ruleIndex(answer.kind),
      level,
      message: { text: `${plain(`${line.slice(0, 1).toUpperCase()}${line.slice(1)}`)}.` },
      locations: [{ physicalLocation: physicalLocation(subject, span) }],
      ...(related && {
        relatedLocations: related.map((late, i) => ({
          id: i + 1,
          physicalLocation: physicalLocation(subject, late.span),
          message: { text: plain(late.text) },
        })),
      }),
      partialFingerprints: printsOf(subject, program, 'answer', [answer.kind], [span]),
      ...(computation && {
        codeFlows: [
          codeFlow(
            subject,
            about,
            { computation, cycle: [] },
            answer.kind === 'wrong-under-sc'
              ? 'an execution without store buffers that shows it'
              : 'a TSO execution that shows it',
          ),
        ],
      }),
    },
  ];
}

/** Returns the result for a deadlock without store buffers; empty if none is known. */
function deadlockResults(
  subject: SarifSubject,
  program: Program,
  { deadlocks, answered }: CheckResult,
): Result[] {
  const about = answered?.templates ?? program;
  const headline = deadlockHeadline(about, deadlocks);
  const [first] = deadlocks?.kind === 'found' ? deadlocks.waiting : [];
  if (!headline || !first) return [];
  const span = spanOfWaiting(about, first);
  const text = headlineText(headline);
  return [
    {
      ...{ ruleId: deadlocksRule, ruleIndex: ruleIndex(deadlocksRule), level: 'error' },
      message: { text: `${plain(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`)}.` },
      locations: [{ physicalLocation: physicalLocation(subject, span) }],
      partialFingerprints: printsOf(subject, program, 'deadlock', [deadlocksRule], [span]),
    },
  ];
}

/**
 * Returns the result for memory orders that are too weak for C11, in a program checked for x86;
 * empty if there are none.
 */
function portableResults(
  subject: SarifSubject,
  program: Program,
  { portable }: Pick<CheckResult, 'portable'>,
): Result[] {
  const found = portable && c11Finding(program, portable);
  if (!found) return [];
  const { level, text, thread, transition } = found;
  const span = spanOf(program, thread, transition);
  return [
    {
      ...{ ruleId: weakOrdersRule, ruleIndex: ruleIndex(weakOrdersRule), level },
      message: { text: `${plain(text)}.` },
      locations: [{ physicalLocation: physicalLocation(subject, span) }],
      partialFingerprints: printsOf(subject, program, 'c11', [weakOrdersRule], [span]),
    },
  ];
}

/**
 * Returns the SARIF results of a check: each feasible attack that is known, the messages, and
 * whether the check was decided.
 */
export function checkToSarif(
  subject: SarifSubject,
  program: Program,
  result: CheckResult,
  diagnostics: readonly Diagnostic[] = [],
): Result[] {
  const { verdict } = result;
  const undecided =
    verdict.kind === 'unknown'
      ? [undecidedResult(subject, whyUndecided(verdict), result.happensBefore)]
      : [];
  const messages = [...diagnostics, ...result.diagnostics]
    .filter((diagnostic) => !isRemark(diagnostic))
    .map((diagnostic) => diagnosticResult(subject, diagnostic));
  const { answer, answered } = result;
  const answers = answer ? answerResults(subject, program, answer, answered) : [];
  const attacks = attackResults(subject, program, result);
  const orders = portableResults(subject, program, result);
  const deadlocks = deadlockResults(subject, program, result);
  return withDistinctFingerprints([
    ...attacks,
    ...answers,
    ...deadlocks,
    ...orders,
    ...undecided,
    ...messages,
  ]);
}

/** Whether a diagnostic says how the tool got its answer, and nothing about the program. */
export const isRemark = ({ code }: Diagnostic): boolean => code === 'FW5004';

/** Returns the SARIF results of a file that could not be read. */
export function diagnosticsToSarif(
  subject: SarifSubject,
  diagnostics: readonly Diagnostic[],
): Result[] {
  return withDistinctFingerprints(
    diagnostics.map((diagnostic) => diagnosticResult(subject, diagnostic)),
  );
}

import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { quoteArgument } from '@fencewright/ground/source/quote-name.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { AnswerRun, Replay } from '@fencewright/model/verdict/replay.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import type { CheckResult, Witness } from '@fencewright/model/verdict/verdict.js';
import { answerRunWords } from '../text/answer-run.js';
import { attackSentence } from '../text/attack-in-words.js';
import { caveatLines, statisticsLines } from '../text/check.js';
import type { FenceFindings } from '../words/fence-findings.js';
import { openingOf } from '../words/opening.js';
import { stepTable } from '../words/step-table.js';
import type { Subject } from '../words/subject.js';
import { counterpartSection } from './counterpart-section.js';
import { cycleSection } from './cycle-section.js';
import { fenceMarks, fenceSection } from './fence-section.js';
import { html, type Html } from './html-text.js';
import { pageData } from '../words/page-data.js';
import { headingOf, pageHtml } from './page-frame.js';
import { programText } from './program-text.js';
import { setUpSteps } from './set-up-steps.js';
import { allSteps, stage, stageContents, type Surroundings } from './stage.js';
import { attackMenu } from './attack-menu.js';
import { explainedSummary } from '../words/explained-summary.js';
import { advisesFences, hintOnCheck } from '../words/hint-on-check.js';
import { robustSection } from './verdict-sections.js';

/** The data for a page on a check, besides the result. */
export interface ExplainPage {
  /** The states of the machine along the witness. */
  readonly replay?: Replay;
  /** The requested attacks, which the page shows in place of the witness's attack. */
  readonly explained?: ExplainedAttacks;
  /** The execution that shows the effect of TSO on claims and states; absent if there is none. */
  readonly answerRun?: AnswerRun;
  /** The findings of a search for fences; present only for a program that is not robust. */
  readonly fences?: FenceFindings;
  /** The diagnostics from reading the file. */
  readonly diagnostics: readonly Diagnostic[];
  readonly version: string;
}

/** An execution that violates robustness, with the known facts about the execution. */
interface Execution {
  readonly witness: Witness;
  readonly replay: Replay;
  readonly happensBefore: HappensBefore;
  readonly fences?: FenceFindings;
  /** Content to be shown before the explanation of the attack. */
  readonly before?: Html | false;
}

function surroundingsOf(
  subject: Subject,
  { witness, replay, happensBefore, fences, before = false }: Execution,
): Surroundings {
  const { program, file } = subject;
  const marks = fences ? fenceMarks(program, fences) : [];
  return {
    hint: 'A bar is the time that a store waits in its buffer: only its own thread sees it, everybody else reads memory. Red frames are the accesses of the cycle, dashed ones are still to come.',
    legend: html`<p class="legend">
      <span class="at store">the store that waits</span>
      <span class="at load">the load that overtakes it</span
      >${marks.length > 0 && html` <ins class="fence">fence</ins> <span>would stop it</span>`}
    </p>`,
    marks,
    more: html`${before}${cycleSection(subject, witness, happensBefore)}
    ${counterpartSection(subject, witness.computation, replay, setUpSteps(program, witness))}
    ${
      fences &&
      html`<section aria-labelledby="fences-title">
        <h2 id="fences-title">The fences that would stop it</h2>
        ${fenceSection(subject, fences)}
      </section>`
    }`,
    command: `fencewright explain ${quoteArgument(file)}`,
  };
}

/** Returns the sentence on an attack, before its execution. */
function attackLead(program: Program, witness: Witness): Html {
  return html`<p class="lead">The attack: ${attackSentence(program, witness)}</p>`;
}

/** Returns the executions of the requested attacks, with a menu. */
function menuOf(
  subject: Subject,
  result: CheckResult,
  explained: ExplainedAttacks,
  fences: FenceFindings | undefined,
): Html {
  const { program } = subject;
  return attackMenu(subject, result, explained, ({ witness, replay }) => {
    const { happensBefore } = result;
    const execution = { witness, replay, happensBefore, ...(fences && { fences }) };
    const data = pageData(program, witness, replay);
    return html`${attackLead(program, witness)}
    ${stageContents(subject, witness, data, surroundingsOf(subject, execution))}`;
  });
}

/** Returns the results for the requested attacks that have no execution to show. */
function explainedSection(
  { program }: Subject,
  result: CheckResult,
  explained: ExplainedAttacks,
): Html {
  return html`<section aria-labelledby="attacks-title">
    <h2 id="attacks-title">The attack that was asked for</h2>
    ${explainedSummary(program, result, explained).map((words) => html`<p>${words}</p>`)}
  </section>`;
}

/**
 * Returns the section on the execution that leads to the answer, as a table that the reader can
 * open.
 */
function answerRunSection(
  subject: Subject,
  result: CheckResult,
  run: AnswerRun | undefined,
): Html | false {
  const words = run && answerRunWords(subject, result);
  if (!words) return false;
  const table = stepTable(pageData(run.program, run, run.replay));
  // Without an attack, this is the only execution of the page.
  const isAlone = result.verdict.kind !== 'not-robust';
  const command = `fencewright explain ${quoteArgument(subject.file)}`;
  return html`<section aria-labelledby="answer-title">
    <h2 id="answer-title">${words.title}</h2>
    ${allSteps(table, 'answer-steps', 'The execution step by step', command, isAlone)}
    <p>${words.end}</p>
  </section>`;
}

/**
 * Returns the execution without store buffers in which a claim fails, to step through; the attack,
 * if there is one, follows in one line. Undefined if no such execution is known.
 */
function failureStage(
  subject: Subject,
  result: CheckResult,
  { answerRun: run, replay, explained }: ExplainPage,
): Html | undefined {
  const { answer, verdict } = result;
  if (answer?.kind !== 'wrong-under-sc' || !run || explained) return undefined;
  const words = answerRunWords(subject, result);
  if (!words) return undefined;
  const about = { ...subject, program: run.program };
  const execution = { computation: run.computation, cycle: [] };
  const command = `fencewright explain ${quoteArgument(subject.file)}`;
  const attack =
    verdict.kind === 'not-robust' &&
    replay &&
    html`<section aria-labelledby="attack-title">
      <h2 id="attack-title">An attack on robustness, beside that</h2>
      <p>${attackSentence(subject.program, verdict.witness)}</p>
      ${allSteps(stepTable(pageData(subject.program, verdict.witness, replay)), 'attack-steps', 'Its execution step by step', command)}
    </section>`;
  return html`<p class="lead">${words.title}</p>
    ${stage(about, execution, pageData(run.program, execution, run.replay), {
      hint: `Every store reaches memory at once. ${words.end}`,
      more: html`${attack}${verdict.kind === 'robust' && robustSection(subject.program, result)}${adviceSection(subject, result)}`,
      command,
    })}`;
}

/**
 * Returns the section with the advice for the user after the answer; false if there is no advice.
 */
function adviceSection(subject: Subject, result: CheckResult): Html | false {
  const hint = hintOnCheck(subject, result);
  return (
    hint !== undefined &&
    html`<section aria-labelledby="advice-title">
      <h2 id="advice-title">What to do next</h2>
      <p>${hint}</p>
    </section>`
  );
}

function body(subject: Subject, result: CheckResult, page: ExplainPage): Html {
  const { verdict, happensBefore } = result;
  const { replay, explained, answerRun } = page;
  const fences = advisesFences(result) ? page.fences : undefined;
  const failure = failureStage(subject, result, page);
  if (failure) return failure;
  const answered = answerRunSection(subject, result, answerRun);
  if (explained && explained.executions.length > 0)
    return menuOf(subject, result, explained, fences);
  if (verdict.kind === 'not-robust' && replay && !explained) {
    const { witness } = verdict;
    const execution = {
      ...{ witness, replay, happensBefore, before: answered },
      ...(fences && { fences }),
    };
    const data = pageData(subject.program, witness, replay);
    return html`${attackLead(subject.program, witness)}
    ${stage(subject, witness, data, surroundingsOf(subject, execution))}
    ${!fences && adviceSection(subject, result)}`;
  }
  return html`${explained && explainedSection(subject, result, explained)}${answered}${verdict.kind === 'robust' && robustSection(subject.program, result)}${adviceSection(subject, result)}
    <section class="program" aria-labelledby="program-title">
      <h2 id="program-title">The program</h2>
      <div class="scroller" tabindex="0" role="region" aria-label="Program text">
        ${programText(subject.program, subject.source, undefined, [])}
      </div>
    </section>`;
}

/**
 * Returns a self-contained HTML page on a check: the program with the attack marked, the execution
 * step by step with store buffers and memory, the happens-before graph with the cycle, the fences.
 * If a claim fails without store buffers, the execution that shows the failure comes first. If
 * there is no attack, the page has the known facts and the reasons.
 */
export function explainHtml(subject: Subject, result: CheckResult, page: ExplainPage): string {
  return pageHtml(subject, {
    heading: headingOf(openingOf(subject.program, result)),
    contents: body(subject, result, page),
    diagnostics: [...page.diagnostics, ...result.diagnostics],
    effort: [...statisticsLines(result), ...caveatLines(result)],
    verb: 'explain',
    version: page.version,
  });
}

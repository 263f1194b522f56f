import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { quoteArgument } from '@fencewright/ground/source/quote-name.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { AnswerRun, Replay } from '@fencewright/model/verdict/replay.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import type { CheckResult, Witness } from '@fencewright/model/verdict/verdict.js';
import { attackSentence } from '../text/attack-in-words.js';
import { caveatLines, statisticsLines } from '../text/check.js';
import type { FenceFindings } from '../words/fence-findings.js';
import { openingOf } from '../words/opening.js';
import { stepTable } from '../words/step-table.js';
import type { Subject } from '../words/subject.js';
import { answerStage, howBarsRead } from './answer-stage.js';
import { counterpartSection } from './counterpart-section.js';
import { cycleSection } from './cycle-section.js';
import { fenceMarks, fenceSection } from './fence-section.js';
import { html, type Html } from './html-text.js';
import { pageData } from '../words/page-data.js';
import { headingOf, pageHtml } from './page-frame.js';
import { programText } from './program-text.js';
import { setUpSteps } from './set-up-steps.js';
import { allSteps, stageContents, stageScript, type Surroundings } from './stage.js';
import { executionMenu } from './execution-menu.js';
import { isWithoutBuffers } from '../words/told-steps.js';
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
}

const fenceLegend = html`<ins class="fence">fence</ins> <span>would stop it</span>`;

function fencesSection(subject: Subject, fences: FenceFindings): Html {
  return html`<section aria-labelledby="fences-title">
    <h2 id="fences-title">The fences that would stop it</h2>
    ${fenceSection(subject, fences)}
  </section>`;
}

function surroundingsOf(
  subject: Subject,
  { witness, replay, happensBefore, fences }: Execution,
): Surroundings {
  const { program, file } = subject;
  const marks = fences ? fenceMarks(program, fences) : [];
  return {
    hint: `${howBarsRead} Red frames are the accesses of the cycle, dashed ones are still to come.`,
    legend: html`<p class="legend">
      <span class="at store">the store that waits</span>
      <span class="at load">the load that overtakes it</span
      >${marks.length > 0 && html` <ins class="fence">fence</ins> <span>would stop it</span>`}
    </p>`,
    marks,
    more: html`${cycleSection(subject, witness, happensBefore)}
    ${counterpartSection(subject, witness.computation, replay, setUpSteps(program, witness))}
    ${fences && fencesSection(subject, fences)}`,
    command: `fencewright explain ${quoteArgument(file)}`,
  };
}

/** Returns the sentence on an attack, before its execution. */
function attackLead(program: Program, witness: Witness): Html {
  return html`<p class="lead">The attack: ${attackSentence(program, witness)}</p>`;
}

/** Returns the stage of an attack, with the sentence on the attack. */
function attackContents(subject: Subject, execution: Execution): Html {
  const { program } = subject;
  const { witness, replay } = execution;
  const data = pageData(program, witness, replay);
  return html`${attackLead(program, witness)}
  ${stageContents(subject, witness, data, surroundingsOf(subject, execution))}`;
}

/** Returns the executions of the requested attacks, with a menu. */
function menuOf(
  subject: Subject,
  result: CheckResult,
  explained: ExplainedAttacks,
  fences: FenceFindings | undefined,
): Html {
  return attackMenu(subject, result, explained, ({ witness, replay }) => {
    const { happensBefore } = result;
    return attackContents(subject, { witness, replay, happensBefore, ...(fences && { fences }) });
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
 * Returns the section on the attack, for a program that already goes wrong without store buffers.
 */
function attackBeside(subject: Subject, witness: Witness, replay: Replay): Html {
  const table = stepTable(pageData(subject.program, witness, replay));
  const command = `fencewright explain ${quoteArgument(subject.file)}`;
  return html`<section aria-labelledby="attack-title">
    <h2 id="attack-title">An attack on robustness, beside that</h2>
    <p>${attackSentence(subject.program, witness)}</p>
    ${allSteps(table, 'attack-steps', 'Its execution step by step', command)}
  </section>`;
}

/**
 * Returns the execution that shows what goes wrong, as content to step through: a claim fails, a
 * thread waits for ever, freed memory is used, or only TSO reaches a state. If the execution needs
 * no store buffers, a section on the attack follows; otherwise the attack is in the menu of the
 * page. Undefined if no such execution is known.
 */
function answerBody(
  subject: Subject,
  result: CheckResult,
  { answerRun, replay, explained }: ExplainPage,
  fences: FenceFindings | undefined,
): Html | undefined {
  if (explained) return undefined;
  const { verdict, happensBefore } = result;
  const witness = verdict.kind === 'not-robust' && replay ? verdict.witness : undefined;
  const isDirect = answerRun !== undefined && isWithoutBuffers(answerRun.computation);
  const marks = fences ? fenceMarks(subject.program, fences) : [];
  const staged = answerStage(subject, result, answerRun, {
    marks,
    legend: marks.length > 0 && html`<p class="legend">${fenceLegend}</p>`,
    more: html`${witness && replay && isDirect && attackBeside(subject, witness, replay)}
    ${verdict.kind === 'robust' && robustSection(subject.program, result)}
    ${fences ? fencesSection(subject, fences) : adviceSection(subject, result)}`,
  });
  if (!staged) return undefined;
  if (!witness || !replay || isDirect) return html`${staged.contents}${stageScript}`;
  const execution = { witness, replay, happensBefore, ...(fences && { fences }) };
  return executionMenu({
    noun: 'Execution',
    entries: [staged.title, `The attack: ${attackSentence(subject.program, witness)}`],
    contents: [staged.contents, attackContents(subject, execution)],
    remarks: html`<p class="hint">
      The first execution shows what store buffers change. The second shows why the program is not
      robust; nothing needs to fail in it.
    </p>`,
  });
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
  const { replay, explained } = page;
  const fences = advisesFences(result) ? page.fences : undefined;
  const staged = answerBody(subject, result, page, fences);
  if (staged) return staged;
  if (explained && explained.executions.length > 0)
    return menuOf(subject, result, explained, fences);
  if (verdict.kind === 'not-robust' && replay && !explained) {
    const { witness } = verdict;
    const execution = { witness, replay, happensBefore, ...(fences && { fences }) };
    return html`${attackContents(subject, execution)} ${stageScript}
    ${!fences && adviceSection(subject, result)}`;
  }
  return html`${explained && explainedSection(subject, result, explained)}${verdict.kind === 'robust' && robustSection(subject.program, result)}${adviceSection(subject, result)}
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
 * If a claim fails, a thread waits for ever, freed memory is used or only TSO reaches a state, the
 * execution that shows this comes first. If there is no attack, the page has the known facts and
 * the reasons.
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

import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { AttackStage, DecidedAttack } from '@fencewright/model/verdict/attack.js';
import type { CheckResult, CheckStatistics } from '@fencewright/model/verdict/verdict.js';
import { attackTable, ruledOutBy } from '../text/check.js';
import { stageWords } from '../words/stage-words.js';
import { diagnosticPlace } from '../text/diagnostics.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { html, type Html } from './html-text.js';
import { tableHtml } from './blocks-html.js';

/**
 * Returns the words that follow a number of attacks: the method by which these attacks were ruled
 * out, and what the method shows.
 */
function whyRuledOut(stage: AttackStage, { engine, states }: CheckStatistics): Html {
  const by = stageWords[stage];
  switch (stage) {
    case 'control-flow':
      return html`ruled out by ${by}: each path from the store to the load waits until the buffer is
      empty.`;
    case 'static-path':
      return html`ruled out by ${by}: no other thread accesses what could lead from the load back to
      the store.`;
    case 'local-closure':
      return html`ruled out by ${by}: even if each load could read any value that its cell has at
      any time, no thread could close the cycle.`;
    case 'pair-closure':
      return html`ruled out by ${by}: no pair of threads, and no thread with a cell, reaches the
      states that the cycle needs.`;
    case 'few-threads':
    case 'directed':
    case 'search':
      return html`refuted by the engine <code>${engine}</code>, for buffers of any length
        (${countOf(states, 'state')}).`;
    case 'any-number':
      return html`ruled out by ${by}: no number of threads with this code has such an attack.`;
    case 'proof':
      return html`ruled out by ${by}: every store can be treated as reaching memory at once.`;
    default:
      return unreachable(stage);
  }
}

/** The maximum number of rows in a list of attacks; more would make a page slow. */
const mostRows = 500;

/** Returns each attack with the method that decided it; false if the check did not list attacks. */
function attackList(program: Program, attacks: readonly DecidedAttack[]): Html | false {
  if (attacks.length === 0) return false;
  const shown = attacks.slice(0, mostRows);
  const rest = attacks.length - shown.length;
  return html`<details>
    <summary>Each attack, and what rules it out</summary>
    ${tableHtml(attackTable(program, shown), 'Each attack')}
    ${rest > 0 && html`<p>${countOf(rest, 'more attack')} not shown.</p>`}
  </details>`;
}

/** Returns the section on why a program is robust: the outcomes of its attacks. */
export function robustSection(
  program: Program,
  { statistics, happensBefore, attacks }: CheckResult,
): Html {
  const { total } = statistics.attacks;
  return html`<section aria-labelledby="reason-title">
    <h2 id="reason-title">Why it is robust</h2>
    <p>
      ${
        happensBefore === 'value'
          ? 'Whatever the threads read and leave in memory under TSO, some sequentially consistent execution does too.'
          : 'In whatever order the threads run under TSO, their loads and stores depend on each other as in an execution where every store takes effect at once.'
      }
      No fence is needed.
    </p>
    ${
      total === 0
        ? html`<p>No thread has both a store and a load, so that no load can overtake a store.</p>`
        : html`<p>
              A program is robust unless some <em>attack</em> is feasible: one thread delays a store
              past a later load, and other threads lead back from the load to the store. This
              program has ${countOf(total, 'attack')}:
            </p>
            <ul>
              ${ruledOutBy(statistics.attacks).map(
                ([stage, number]) =>
                  html`<li>
                    <strong>${countOf(number, 'attack')}</strong> ${whyRuledOut(stage, statistics)}
                  </li>`,
              )}
            </ul>
            ${attackList(program, attacks)}`
    }
  </section>`;
}

/** Returns the messages about a file; false if there are none. */
export function messageSection(file: string, diagnostics: readonly Diagnostic[]): Html | false {
  if (diagnostics.length === 0) return false;
  const most = 50;
  const rest = diagnostics.length - most;
  return html`<section aria-labelledby="messages-title">
    <h2 id="messages-title">Messages</h2>
    <ul class="messages">
      ${diagnostics.slice(0, most).map((each) => {
        const { code, severity, message, hint } = each;
        return html`<li class="${severity}">
          <code>${diagnosticPlace(file, each)}</code> ${severity} ${code}:
          ${message}${hint !== undefined && html` <small>${hint}</small>`}
        </li>`;
      })}
    </ul>
    ${rest > 0 && html`<p>${countOf(rest, 'more message')} not shown.</p>`}
  </section>`;
}

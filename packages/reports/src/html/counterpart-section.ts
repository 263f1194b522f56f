import { at } from '@fencewright/ground/base/at.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import { addedCells } from '@fencewright/model/program/thread-cells.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';
import { placeCell, placeInWords, threadName } from '../words/action-words.js';
import { enumerate } from '@fencewright/ground/base/number-words.js';
import { accessedValue, cellValueText } from '../words/pointer-values.js';
import { stepNumbers } from '../words/step-numbers.js';
import type { Subject } from '../words/subject.js';
import { html, type Html } from './html-text.js';
import { scrolled, stepsTable } from './steps-table.js';

/** The maximum number of rows with which a comparison is readable. */
const mostRows = 60;

/**
 * Returns the effect of an access on a cell: `x = 1`, `y is 0`, `z: 0 to 1`; `undefined` for other
 * actions.
 */
function accessWords(program: Program, action: Action): string | undefined {
  switch (action.kind) {
    case 'issue':
      return `${formatAddress(program, action.address)} = ${accessedValue(program, action)}`;
    case 'load':
      return `${formatAddress(program, action.address)} is ${accessedValue(program, action)}`;
    case 'rmw': {
      const cell = formatAddress(program, action.address);
      const read = accessedValue(program, action);
      return action.written === undefined
        ? `${cell} is ${read}`
        : `${cell}: ${read} to ${cellValueText(program, action.address, action.written)}`;
    }
    case 'store':
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'local':
      return undefined;
  }
}

/**
 * Returns the cells whose final values differ in the two runs, with both values: first with store
 * buffers, then without.
 */
function leftDifferent(
  program: Program,
  buffered: MachineState['memory'],
  direct: MachineState['memory'],
): string[] {
  const cells = [...new Set([...buffered.keys(), ...direct.keys()])].sort((a, b) => a - b);
  return cells.flatMap((cell) => {
    const [one, other] = [buffered.get(cell) ?? 0, direct.get(cell) ?? 0];
    if (one === other) return [];
    const text = (value: number): string => cellValueText(program, cell, value);
    return [`${formatAddress(program, cell)} is ${text(other)} instead of ${text(one)}`];
  });
}

/** Returns a sentence on how the final states of the two runs differ. */
function outcome(
  program: Program,
  computation: Computation,
  { states, counterpart }: Required<Replay>,
): Html {
  const { partsAt, memory } = counterpart;
  if (partsAt !== undefined) {
    const { thread, transition } = at(computation, partsAt);
    const place = placeInWords(program, thread, transition);
    return html`<p>
      From here on the runs differ: with the values read, ${threadName(program, thread)} does not
      reach this instruction${place !== undefined && html` of ${place}`} (step
      ${at(stepNumbers(program, computation), partsAt)}).
    </p>`;
  }
  const different = leftDifferent(program, at(states, states.length - 1).memory, memory);
  return different.length === 0
    ? html`<p>Both runs leave the same memory; the runs differ in the values read.</p>`
    : html`<p>In the end ${enumerate(different)}.</p>`;
}

/**
 * Returns the accesses of an execution from the told step `from` on, from 0, beside their effects
 * if every store reaches memory at once; nothing if there are too many accesses.
 */
export function counterpartSection(
  { program }: Subject,
  computation: Computation,
  replay: Replay,
  from: number,
): Html | false {
  const { counterpart, states } = replay;
  if (!counterpart) return false;
  const numbers = stepNumbers(program, computation);
  const own = addedCells(program);
  const isOwn = (action: Action): boolean => 'address' in action && own.has(action.address);
  const rows = counterpart.steps.flatMap(({ step, action }) => {
    const buffered = at(computation, step);
    const position = at(numbers, step) - 1;
    const words = [accessWords(program, buffered), accessWords(program, action)] as const;
    const isShown = position >= from && words[0] !== undefined && !isOwn(buffered);
    return isShown ? [{ step: position, action: buffered, words }] : [];
  });
  if (rows.length > mostRows) return false;
  const cells = rows.map(({ step, action, words: [one, other] }) => {
    const { thread, transition } = action;
    return html`<tr data-step="${step}">
      <th scope="row">${step + 1}</th>
      <td>${threadName(program, thread)}</td>
      <td>${placeCell(program, thread, transition)}</td>
      <td>${one}${action.kind === 'issue' && html` <small>later</small>`}</td>
      <td class="${one === other ? 'alike' : 'new'}">${other}</td>
    </tr> `;
  });
  const heads = ['step', 'thread', 'line', 'with store buffers', 'without'];
  return html`<section aria-labelledby="counterpart-title">
    <h2 id="counterpart-title">
      The same outcome cannot happen without store buffers: the nearest interleaving
    </h2>
    <p>
      The threads run the same instructions in the same order, but every store reaches memory at
      once. Where the last two columns differ, the executions part.
    </p>
    ${scrolled('With and without store buffers', stepsTable(heads, cells, 'counterpart'))}
    ${outcome(program, computation, { states, counterpart })}
  </section>`;
}

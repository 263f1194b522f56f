import { html, type Html } from './html-text.js';
import { stepsTable } from './steps-table.js';
import type { PageData } from './page-data.js';

/**
 * Returns a table of all steps with the buffers and the memory after each: for printing, and for
 * readers who do not see the time line.
 */
export function stepTable({ threads, cells, steps, frames }: PageData): Html {
  const isUsed = threads.map((_, t) => frames.some(({ buffers }) => (buffers[t] ?? []).length > 0));
  const heads = [
    ...['step', 'what happens', 'line'],
    ...threads.flatMap((name, t) => (isUsed[t] ? [`buffer of ${name}`] : [])),
    ...cells,
  ];
  const contents = frames.map(({ buffers, memory }) => [
    ...buffers.flatMap((stores, t) => (isUsed[t] ? [stores.join(', ') || '-'] : [])),
    ...memory.map(String),
  ]);
  const rows = contents.map((shown, i) => {
    const step = steps[i - 1];
    const cellsOf = shown.map((text, c) =>
      i > 0 && contents[i - 1]?.[c] !== text
        ? html`<td class="new">${text}</td>`
        : html`<td>${text}</td>`,
    );
    return html`<tr>
      <th scope="row">${i}</th>
      <td>${step?.sentence ?? 'the start'}</td>
      <td>${step?.line ?? ''}</td>
      ${cellsOf}
    </tr> `;
  });
  return stepsTable(heads, rows);
}

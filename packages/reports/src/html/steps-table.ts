import { html, type Html } from './html-text.js';

/** Returns a table with one head for each column; `style` is a further class of the table. */
export function stepsTable(heads: readonly string[], rows: readonly Html[], style?: string): Html {
  return html`<table class="steps${style !== undefined && ` ${style}`}">
    <thead>
      <tr>
        ${heads.map((head) => (head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** Returns the table in a frame that scrolls, named by `label` for readers of the screen. */
export function scrolled(label: string, table: Html): Html {
  return html`<div class="scroller" tabindex="0" role="region" aria-label="${label}">
    ${table}
  </div>`;
}

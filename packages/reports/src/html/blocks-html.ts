import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { plainPalette } from '../text/palette.js';
import { diffLines } from '../text/diff-lines.js';
import { sourceExcerpt } from '../text/source-excerpt.js';
import { plainWord, wordsOf } from '../words/blocks.js';
import type { Block, Table, TonedText, Words } from '../words/document.js';
import { headlineText } from '../words/headline.js';
import { runTable } from '../words/run.js';
import { html, type Html } from './html-text.js';
import { scrolled, stepsTable } from './steps-table.js';

function wordsHtml(words: Words): Html {
  const parts = wordsOf(words).map((word) => {
    const tone = typeof word === 'string' ? undefined : word.tone;
    const text = plainWord(word);
    if (tone === 'strong') return html`<strong>${text}</strong>`;
    return tone === 'faint' ? html`<small>${text}</small>` : html`${text}`;
  });
  return html`${parts}`;
}

/**
 * Returns a table in a frame that scrolls, named by `label` for readers of the screen. In a table
 * of steps, the number is the head of its row, and changes are marked.
 */
export function tableHtml({ columns, rows, isUntitled = false }: Table, label: string): Html {
  const isOfSteps = columns[0]?.title === 'step';
  const cellHtml = (cell: TonedText, c: number): Html => {
    if (c === 0 && (isUntitled || isOfSteps)) return html`<th scope="row">${plainWord(cell)}</th>`;
    const isNew = isOfSteps && typeof cell !== 'string' && cell.tone === 'strong';
    if (isNew) return html`<td class="new">${cell.text}</td>`;
    return html`<td>${isOfSteps ? plainWord(cell) : wordsHtml(cell)}</td>`;
  };
  const shown = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map(cellHtml)}
      </tr>`,
  );
  const heads = columns.map(({ title }) => title);
  const style = columns[1]?.title === 'what happens' ? 'told' : undefined;
  return scrolled(label, stepsTable(heads, shown, style));
}

const preformatted = (lines: readonly string[]): Html =>
  html`<pre class="command" tabindex="0">${lines.join('\n')}</pre>`;

/** Returns blocks as HTML; `label` names the tables of a section, as its title does. */
export function blocksHtml(blocks: readonly Block[], label = 'answer'): Html {
  return html`${blocks.map((block) => blockHtml(block, label))}`;
}

function blockHtml(block: Block, label: string): Html {
  switch (block.kind) {
    case 'headline':
      return html`<p class="lead">${headlineText(block.headline)}</p>`;
    case 'sentence':
      return html`<p>${wordsHtml(block.words)}</p>`;
    case 'section': {
      const title = plainWord(block.title);
      return html`<section aria-label="${title}">
        <h2>${title}</h2>
        ${blocksHtml(block.blocks, `${title}, in full`)}
      </section>`;
    }
    case 'list': {
      const items = block.items.map(
        ({ words, note, blocks = [] }) =>
          html`<li>
            ${wordsHtml(words)}${note !== undefined && html` <small>${note}</small>`}
            ${blocksHtml(blocks, label)}
          </li>`,
      );
      return block.isOrdered
        ? html`<ol class="cycle-words">
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`;
    }
    case 'table':
      return tableHtml(block, label);
    case 'run':
      return tableHtml(runTable(block.run), label);
    case 'excerpt':
      return preformatted(sourceExcerpt(block.source, block.marks, plainPalette));
    case 'advice':
      return html`<p>${block.words}</p>`;
    case 'change':
      return preformatted(diffLines(block.diff, plainPalette));
    default:
      return unreachable(block);
  }
}

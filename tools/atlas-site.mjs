// Makes the page of the atlas in the playground from docs/atlas/README.md: its tables, with links
// that open the programs in the playground.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { escape, inline, markdown, page } from './lessons.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'docs/atlas');

/** Returns the address of the playground with a text in it: see packages/web/src/share.ts. */
function linkTo(text) {
  const shared = JSON.stringify({ format: 'native', text });
  return `./#1/${deflateRawSync(shared).toString('base64url')}`;
}

/** Replaces links to files: programs of the native language open, other files are named. */
async function withPlaygroundLinks(text) {
  const parts = text.split(/(\[[^\]]*\]\([^)]*\))/);
  const made = await Promise.all(
    parts.map(async (part) => {
      const [, words, target] = /^\[([^\]]*)\]\(([^)]*)\)$/.exec(part) ?? [];
      if (target === undefined) return part;
      if (!target.endsWith('.fw'))
        return target.startsWith('../../') ? `${words}: \`${target.slice(6)}\`` : words;
      return `[${words}](${linkTo(await readFile(path.join(folder, target), 'utf8'))})`;
    }),
  );
  return made.join('');
}

const words = (cell) => cell.text.trim();

/** Returns a table of algorithms; on narrow screens each cell shows the name of its column. */
async function tableOf({ header, rows }, title) {
  const columns = header.map(words);
  const body = await Promise.all(
    rows.map(async (row) => {
      const cells = await Promise.all(
        row.map(async (cell, at) => {
          const html = inline(await withPlaygroundLinks(words(cell)));
          if (at === 0) return `<th scope="row">${html}</th>`;
          const content = html === '' ? '' : `<div>${html}</div>`;
          return `<td data-column="${escape(columns[at])}">${content}</td>`;
        }),
      );
      return `<tr>${cells.join('')}</tr>\n`;
    }),
  );
  const head = columns.map((name) => `<th scope="col">${inline(name)}</th>`).join('');
  return `<div class="wide" role="region" tabindex="0" aria-label="${escape(title)}"><table class="atlas"><thead><tr>${head}</tr></thead>
<tbody>
${body.join('')}</tbody></table></div>
`;
}

/** Returns the HTML page of the atlas. */
export async function atlasPage(policy) {
  const parts = [];
  let title = 'Atlas';
  for (const token of markdown.lexer(await readFile(path.join(folder, 'README.md'), 'utf8'))) {
    if (token.type === 'heading') title = token.text;
    if (token.type === 'table' && token.header[0].text === 'algorithm')
      parts.push(await tableOf(token, title));
    else parts.push(markdown.parser(markdown.lexer(await withPlaygroundLinks(token.raw))));
  }
  return page('Fencewright atlas', parts.join(''), policy, 'atlas-page');
}

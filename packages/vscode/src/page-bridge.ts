/** A message of the `explain` page to the editor: the line of the shown step. */
export interface Revealed {
  readonly kind: 'reveal';
  readonly line: number;
}

/**
 * A message of the editor to a page: the line with the cursor, or the reason why the page is out of
 * date.
 */
export type ToPage =
  | { readonly kind: 'step'; readonly line: number }
  | { readonly kind: 'outdated'; readonly words: string };

/** The script in the page that exchanges messages with the editor. */
const bridge = `
(() => {
  const editor = acquireVsCodeApi();
  const now = document.getElementById('now');
  let told = 0;
  const tell = () => {
    const line = Number(/\\(line (\\d+)\\)/.exec(now.textContent ?? '')?.[1]);
    if (line && line !== told) editor.postMessage({ kind: 'reveal', line });
    told = line;
  };
  if (now) new MutationObserver(tell).observe(now, { childList: true, characterData: true, subtree: true });
  const note = document.createElement('p');
  note.id = 'outdated';
  note.setAttribute('role', 'status');
  note.style.cssText = 'position: sticky; top: 0; z-index: 9; margin: 0 0 0.75rem; padding: 0.5rem 1rem; background: var(--wait-paper); color: var(--wait); font-weight: 600';
  note.hidden = true;
  document.body.prepend(note);
  const step = (line) => {
    if (line === told) return;
    const piece = document.querySelector('.source [data-line="' + Number(line) + '"] [data-keys]');
    if (!piece) return;
    told = line;
    piece.click();
  };
  addEventListener('message', ({ data }) => {
    if (data?.kind === 'step') step(data.line);
    if (data?.kind !== 'outdated') return;
    note.textContent = data.words;
    note.hidden = false;
  });
})();`;

/**
 * A page with the script that links the page to an editor; the page's own policy allows scripts
 * inside the page only.
 */
export function linkedPage(html: string): string {
  const end = html.lastIndexOf('</body>');
  const script = `<script>${bridge}</script>`;
  return end < 0 ? html + script : html.slice(0, end) + script + html.slice(end);
}

/** Removes the background that VS Code gives to code in pages. */
const plainCode = '<style>code { background: none; color: inherit; padding: 0; }</style>';

/** A page in the colours of the editor, which may differ from the system's colours. */
export function pageInColours(html: string, isDark: boolean): string {
  return html
    .replace('<head>', `<head>${plainCode}`)
    .replaceAll(
      /@media\s*\(prefers-color-scheme:\s*dark\)/g,
      isDark ? '@media not print' : '@media not all',
    )
    .replaceAll('light dark', isDark ? 'dark' : 'light');
}

/** What the page of `explain` tells the editor: the step that it shows, and the line of it. */
export interface Revealed {
  readonly kind: 'reveal';
  readonly line: number;
}

/** What the editor tells the page: the line with the cursor. */
export interface Chosen {
  readonly kind: 'step';
  readonly line: number;
}

/** Runs in the page. */
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
  addEventListener('message', ({ data }) => {
    if (data?.kind !== 'step' || data.line === told) return;
    const piece = document.querySelector('.source [data-line="' + Number(data.line) + '"] [data-keys]');
    if (!piece) return;
    told = data.line;
    piece.click();
  });
})();`;

/** A page with what links it to an editor; its own policy allows no more than scripts inside. */
export function linkedPage(html: string): string {
  const end = html.lastIndexOf('</body>');
  const script = `<script>${bridge}</script>`;
  return end < 0 ? html + script : html.slice(0, end) + script + html.slice(end);
}

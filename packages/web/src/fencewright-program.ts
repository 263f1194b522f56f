// The element <fencewright-program> for pages of a course: a program in a frame of the playground.
// A separate classic script, so that any page may load the element from the playground's address.
import type { WebFormat } from './messages.js';
import { toFragment } from './share.js';

/** The address of the playground: the folder of this script. */
const site = new URL('.', (document.currentScript as HTMLScriptElement).src);

/** The maximum height of a frame in pixels, so that no program makes a page endless. */
const tallest = 4000;

const style = `
:host { display: block; }
:host([hidden]) { display: none; }
iframe { box-sizing: border-box; display: block; width: 100%; height: 30rem; border: 1px solid #8888; border-radius: 0.4rem; }
`;

/** Removes surrounding empty lines and the indentation of the page from a program. */
function programIn(content: string): string {
  const lines = content
    .replace(/^(\s*\n)+/, '')
    .trimEnd()
    .split('\n');
  const depths = lines.flatMap((line) =>
    line.trim() === '' ? [] : [/^\s*/.exec(line)![0].length],
  );
  const depth = Math.min(...depths);
  return `${lines.map((line) => line.slice(depth)).join('\n')}\n`;
}

/**
 * Shows the element's text in the playground, with the attributes `view`, `readonly`, `format` and
 * `fontsize`. Without scripts, or if the browser cannot make a link of the text, the text stays.
 */
class FencewrightProgram extends HTMLElement {
  static readonly observedAttributes = ['view', 'readonly', 'format', 'fontsize', 'aria-label'];

  #frame: HTMLIFrameElement | undefined;
  /**
   * The number of requests so far to show a program, since links may be finished in another order.
   */
  #asked = 0;

  connectedCallback(): void {
    addEventListener('message', this.#onMessage);
    if (document.readyState === 'loading')
      document.addEventListener('DOMContentLoaded', () => void this.#show(), { once: true });
    else void this.#show();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#onMessage);
  }

  attributeChangedCallback(): void {
    if (this.#frame) void this.#show();
  }

  async #show(): Promise<void> {
    if (!this.isConnected || typeof CompressionStream === 'undefined') return;
    const mine = ++this.#asked;
    const format = (this.getAttribute('format') ?? 'native') as WebFormat;
    const wishes = new URLSearchParams();
    for (const name of ['view', 'fontsize']) {
      const wish = this.getAttribute(name);
      if (wish !== null) wishes.set(name, wish);
    }
    if (this.hasAttribute('readonly')) wishes.set('readonly', '');
    const fragment = await toFragment({ format, text: programIn(this.textContent) });
    if (mine === this.#asked) this.#open(new URL(`embed.html?${wishes}#${fragment}`, site).href);
  }

  #open(address: string): void {
    this.#frame?.remove();
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const sheet = document.createElement('style');
    sheet.textContent = style;
    const frame = document.createElement('iframe');
    frame.src = address;
    frame.title = this.getAttribute('aria-label') ?? 'A program in Fencewright';
    frame.loading = 'lazy';
    frame.allow = 'fullscreen; clipboard-write';
    this.#frame = frame;
    root.replaceChildren(sheet, frame);
  }

  readonly #onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
    const frame = this.#frame;
    if (!frame) return;
    if (source !== frame.contentWindow || origin !== site.origin) return;
    const { kind, height } = Object(data) as { kind?: unknown; height?: unknown };
    if (kind !== 'fencewright-height' || typeof height !== 'number' || !(height > 0)) return;
    // The border of the frame counts.
    frame.style.height = `${Math.min(tallest, Math.ceil(height) + 2)}px`;
  };
}

if (!customElements.get('fencewright-program'))
  customElements.define('fencewright-program', FencewrightProgram);

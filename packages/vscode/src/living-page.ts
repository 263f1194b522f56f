import type { ToPage } from './page-bridge.js';
import type { ServerStatus } from './status-words.js';

/** The panel of the editor that shows a page. */
interface PagePanel {
  readonly show: (html: string) => void;
  readonly tell: (message: ToPage) => void;
}

/** A page of the server, if any, and the version of its text. */
export interface PageAnswer {
  readonly version: number;
  readonly html: string | null;
}

const before = 'this page is about an earlier version of the text';

/**
 * A page that follows a text. As soon as the text changes, the page says that it is outdated; after
 * the check of the text, the page is renewed.
 */
export class LivingPage {
  #html = '';
  /** The version of the text that the page shows. */
  #shown = 0;
  /** The latest version of the text that the server has reported. */
  #last = 0;
  /**
   * The version of the text for which the server was last asked to make a page, whether or not a
   * page could be made.
   */
  #asked: number | undefined;
  #wasUndecided = false;

  constructor(
    first: PageAnswer & { readonly html: string },
    private readonly frame: PagePanel,
    private readonly ask: () => Promise<PageAnswer | null>,
  ) {
    this.#show(first.version, first.html);
  }

  /** Shows the page once more, after a change of the editor's colours. */
  again(): void {
    this.frame.show(this.#html);
  }

  /** Shows a page that was requested separately, unless the page is older than the last status. */
  take({ version, html }: PageAnswer): void {
    if (html !== null && version >= this.#last) this.#show(version, html);
  }

  /**
   * Updates the page after a status of the server about one version of the text; ignores older
   * versions. During a check, and for a text with errors, the page is marked as outdated.
   */
  async follow({ version, state }: ServerStatus): Promise<void> {
    if (version < this.#last) return;
    this.#last = version;
    const isOlder = version !== this.#shown;
    switch (state) {
      case 'error':
        if (isOlder) this.#outdated(`The text has errors: ${before}.`);
        return;
      case 'stale':
      case 'checking':
        this.#asked = undefined;
        if (isOlder) this.#outdated(`The text has changed: ${before}.`);
        return;
      case 'robust':
      case 'not-robust':
      case 'unknown': {
        // With more time, a check that was undecided may have been decided.
        const isDecidedNow = this.#wasUndecided && state !== 'unknown';
        this.#wasUndecided = state === 'unknown';
        if ((isOlder || isDecidedNow) && this.#asked !== version) await this.#renew(version);
      }
    }
  }

  async #renew(version: number): Promise<void> {
    this.#asked = version;
    const answer = await this.ask();
    // For a newer version of the text, the server sends another status.
    if (this.#last !== version || answer?.version !== version) return;
    if (answer.html === null)
      this.#outdated(`There is nothing to show for the present text: ${before}.`);
    else this.#show(version, answer.html);
  }

  #show(version: number, html: string): void {
    this.#shown = version;
    this.#last = Math.max(this.#last, version);
    this.#html = html;
    this.frame.show(html);
  }

  #outdated(words: string): void {
    this.frame.tell({ kind: 'outdated', words });
  }
}

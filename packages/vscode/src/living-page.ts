import type { ToPage } from './page-bridge.js';
import type { Status } from './status-words.js';

/** Where a page stands. */
export interface Frame {
  readonly show: (html: string) => void;
  readonly tell: (message: ToPage) => void;
}

/** A page of the server's, if there is one, and the version of the text that it is about. */
export interface PageAnswer {
  readonly version: number;
  readonly html: string | null;
}

const before = 'this page is about the text before';

/**
 * A page that goes with its text: it says so as soon as it is older, and is made anew once the text
 * has been checked.
 */
export class LivingPage {
  #html = '';
  /** The version that the page is about. */
  #shown = 0;
  /** The last version of which the server has said something. */
  #last = 0;
  /** The version that a page is being made of, or could not be made of. */
  #asked: number | undefined;
  #wasUndecided = false;

  constructor(
    first: PageAnswer & { readonly html: string },
    private readonly frame: Frame,
    private readonly ask: () => Promise<PageAnswer | null>,
  ) {
    this.#show(first.version, first.html);
  }

  /** Shows the page once more, in other colours. */
  again(): void {
    this.frame.show(this.#html);
  }

  /** Takes over what was asked for beside: a page of this version. */
  take({ version, html }: PageAnswer): void {
    if (html !== null && version >= this.#last) this.#show(version, html);
  }

  /** The server says how it stands with the text. */
  async follow({ version, state }: Status): Promise<void> {
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
        // More time may have decided what was open before.
        const isDecidedNow = this.#wasUndecided && state !== 'unknown';
        this.#wasUndecided = state === 'unknown';
        if ((isOlder || isDecidedNow) && this.#asked !== version) await this.#renew(version);
      }
    }
  }

  async #renew(version: number): Promise<void> {
    this.#asked = version;
    const answer = await this.ask();
    // Of a newer version the server will say more.
    if (this.#last !== version || answer?.version !== version) return;
    if (answer.html === null)
      this.#outdated(`There is nothing to show of the text as it is: ${before}.`);
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

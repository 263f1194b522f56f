import type { Program } from '@fencewright/model/program/program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { printableLine, quoteName } from '@fencewright/ground/source/quote-name.js';
import { titleOf } from '../text/check.js';
import { type Headline, headlineText, leadOf } from '../words/headline.js';
import type { Opening } from '../words/opening.js';
import { sentence } from '../words/sentence.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { html, type Html, trusted } from './html-text.js';
import { pageStyle } from './page-assets.js';
import { messageSection } from './verdict-sections.js';

/**
 * The answer at the top of a page: the main sentence, then the scope of the answer and its reasons.
 */
export interface PageHeading {
  readonly tone: Headline['tone'];
  /** The words of the heading after the program's name. */
  readonly words: string;
  /** The rest of the heading, as a sentence of its own; may be empty. */
  readonly lead: string;
  /** The values and places of a state that only TSO reaches, one a line. */
  readonly difference?: readonly string[];
  /** The sentences below the main sentence: the scope of the answer and its reasons. */
  readonly grounds?: readonly string[];
}

/** Returns a headline and its grounds for the top of a page. */
export function headingOf({ headline, difference, grounds }: Opening): PageHeading {
  const { tone, words } = headline;
  return {
    ...{ tone, words, difference },
    lead: leadOf(headline),
    grounds: grounds.map((one) => sentence(typeof one === 'string' ? one : headlineText(one))),
  };
}

/** The parts of every page around its contents: headline, messages, effort and version. */
interface PageFrame {
  readonly heading: PageHeading;
  readonly contents: Html;
  readonly diagnostics: readonly Diagnostic[];
  /** The sentences about the effort of the check. */
  readonly effort: readonly string[];
  readonly verb: string;
  readonly version: string;
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** A self-contained HTML page. */
export function pageHtml(
  subject: { readonly file: string; readonly program: Pick<Program, 'name' | 'assumptions'> },
  frame: PageFrame,
): string {
  const { tone, words, lead, difference = [], grounds = [] } = frame.heading;
  const title = titleOf(subject);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - ${words}</title>
        <link rel="icon" href="data:," />
        <style>
          ${trusted(pageStyle)}
        </style>
      </head>
      <body>
        <header>
          <h1>
            ${printableLine(subject.program.name) || title}
            <span class="verdict ${tone}">${words}</span>
          </h1>
          <p class="file">${quoteName(subject.file)}</p>
          ${lead !== '' && html`<p class="lead"><strong>${lead}</strong></p>`}
          ${
            difference.length > 0 &&
            html`<ul class="difference">
              ${difference.map((line) => html`<li>${line}</li>`)}
            </ul>`
          }
          ${grounds.map((line) => html`<p>${line}</p>`)}
          ${assumptionLines(subject.program).map((line) => html`<p class="file">${line}</p>`)}
        </header>
        <main>${frame.contents} ${messageSection(subject.file, frame.diagnostics)}</main>
        <footer>
          <p>
            ${frame.effort.join('. ')}. Made by <code>fencewright ${frame.verb}</code>
            ${frame.version}.
          </p>
        </footer>
      </body>
    </html> `.html;
}

import type { Program } from '@fencewright/model/program/program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { printableLine, quoteName } from '@fencewright/ground/source/quote-name.js';
import { titleOf } from '../text/check.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { html, type Html, trusted } from './html-text.js';
import { pageStyle } from './page-assets.js';
import { messageSection } from './verdict-sections.js';

/** The verdict and its meaning, at the top of a page. */
export interface Headline {
  readonly className: 'good' | 'bad' | 'doubtful';
  readonly verdict: string;
  readonly meaning: string;
}

/** The parts of every page around its contents: headline, messages, effort and version. */
interface PageFrame {
  readonly headline: Headline;
  /** A sentence on the execution that the page shows, before the meaning of the verdict. */
  readonly lead?: string;
  readonly contents: Html;
  readonly diagnostics: readonly Diagnostic[];
  /** Sentences about the effort. */
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
  const { className, verdict, meaning } = frame.headline;
  const title = titleOf(subject);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - ${verdict}</title>
        <link rel="icon" href="data:," />
        <style>
          ${trusted(pageStyle)}
        </style>
      </head>
      <body>
        <header>
          <h1>
            ${printableLine(subject.program.name) || title}
            <span class="verdict ${className}">${verdict}</span>
          </h1>
          <p class="file">${quoteName(subject.file)}</p>
          <p class="lead">
            ${frame.lead !== undefined && html`<strong>${frame.lead}</strong> `}${meaning}
          </p>
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

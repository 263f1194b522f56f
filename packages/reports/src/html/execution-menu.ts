import { html, type Html, trusted } from './html-text.js';
import { menuScript } from './page-assets.js';
import { stageScript } from './stage.js';

/** The executions of a page, to be shown one at a time by a menu. */
export interface ExecutionMenu {
  /** The noun for the menu's entries, with a capital letter: `Attack`. */
  readonly noun: string;
  /** The entries of the menu, one for each execution. */
  readonly entries: readonly string[];
  /** The stages of the executions, in the order of the entries; at least one. */
  readonly contents: readonly Html[];
  /** Content below the menu. */
  readonly remarks: Html;
}

/**
 * Returns executions with a menu that shows one at a time; without scripts, the page shows the
 * first.
 */
export function executionMenu({ noun, entries, contents, remarks }: ExecutionMenu): Html {
  const [first, ...others] = contents;
  const name = noun.toLowerCase();
  return html`<section class="attacks" aria-label="${noun}s to choose from">
      <div class="choice" id="attacks" hidden>
        <label for="attack">${noun}</label>
        <select id="attack">
          ${entries.map((entry) => html`<option>${entry}</option> `)}
        </select>
        <button
          type="button"
          id="attack-back"
          aria-label="Previous ${name}"
          title="Previous ${name}"
        >
          &#8593;
        </button>
        <button type="button" id="attack-forth" aria-label="Next ${name}" title="Next ${name}">
          &#8595;
        </button>
      </div>
      ${remarks}
    </section>
    <div id="shown">${first}</div>
    ${others.map((one) => html`<template class="attack">${one}</template> `)}
    <script>
      ${trusted(menuScript)};
    </script>
    ${stageScript}`;
}

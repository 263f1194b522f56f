import { html, type Html } from './html-text.js';
import type { PageData } from '../words/page-data.js';

/**
 * Returns the controls with which a reader steps through the execution; they need the page's
 * script.
 */
export function player(data: PageData): Html {
  const last = data.steps.length;
  return html`<div class="player" id="player">
    <div class="controls" role="group" aria-label="Steps">
      <button type="button" id="first" aria-label="First step" title="First (Home)">&#8676;</button>
      <button type="button" id="back" aria-label="Step back" title="Back (left arrow)">
        &#8592;
      </button>
      <button
        type="button"
        id="play"
        aria-label="Play"
        aria-pressed="false"
        title="Play, a step every 1.5 seconds (p)"
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path class="when-still" d="M4 2l10 6-10 6z" fill="currentColor" />
          <path class="when-playing" d="M3 2h4v12H3zM9 2h4v12H9z" fill="currentColor" />
        </svg>
      </button>
      <input
        type="range"
        id="slider"
        min="0"
        max="${last}"
        value="0"
        step="1"
        aria-label="Step"
        aria-describedby="keys"
      />
      <button type="button" id="forth" aria-label="Step forward" title="Forward (right arrow)">
        &#8594;
      </button>
      <button type="button" id="last" aria-label="Last step" title="Last (End)">&#8677;</button>
      <button
        type="button"
        id="large"
        aria-label="Large type"
        aria-pressed="false"
        title="Large type, for a class (l)"
      >
        A
      </button>
      <button type="button" id="full" aria-label="Full screen" title="Full screen (f)">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path
            d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
          />
        </svg>
      </button>
    </div>
    <output class="now" id="now" for="slider" aria-live="polite"
      >Step 0 of ${last}: the start</output
    >
    <p class="hint" id="keys">
      <kbd>&#8592;</kbd> <kbd>&#8594;</kbd> go through the steps, <kbd>Home</kbd> and
      <kbd>End</kbd> to the ends; <kbd>p</kbd> plays, <kbd>l</kbd> is large type, <kbd>f</kbd> full
      screen.
    </p>
  </div>`;
}

/**
 * Returns the panel with registers, store buffers and memory; the page's script fills the panel for
 * each step.
 */
export function machinePanel({ threads, cells, registers, frames }: PageData): Html {
  const [start] = frames;
  const rows = threads.map(
    (name, t) =>
      html`<div class="thread t${t % 6}" data-thread="${t}">
        <h3>${name}</h3>
        <div class="buffer">
          <span class="caption">store buffer</span>
          <ol class="slots" aria-label="store buffer of ${name}, oldest store first"></ol>
        </div>
        ${
          registers[t]!.length > 0 &&
          html`<dl class="registers" aria-label="registers of ${name}">
            ${registers[t]!.map(
              (register, r) =>
                html`<div>
                  <dt>${register}</dt>
                  <dd data-register="${r}">${start?.registers[t]?.[r] ?? 0}</dd>
                </div>`,
            )}
          </dl>`
        }
      </div>`,
  );
  return html`<div class="machine" id="machine">
    <div class="threads">${rows}</div>
    <div class="memory">
      <h3>memory</h3>
      <dl>
        ${cells.map(
          (cell, c) =>
            html`<div>
              <dt>${cell}</dt>
              <dd data-cell="${c}">${start?.memory[c] ?? 0}</dd>
            </div>`,
        )}
      </dl>
    </div>
  </div>`;
}

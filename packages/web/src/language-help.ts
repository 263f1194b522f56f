// Hover texts and completions in the text. The page loads this script after the first verdict; a
// separate thread answers the questions.
import type { Extension } from '@codemirror/state';
import type { EditorView, Tooltip } from '@codemirror/view';
import type { CodeMirror } from './editor.js';
import { completion } from './completion.js';
import type { Ask, LanguageAnswer, LanguageAsked } from './language-messages.js';
import type { WebFormat } from './messages.js';
import { element } from './shown.js';

/** Returns a function that asks the language thread; a damaged question gets an empty answer. */
function askerOf(format: () => WebFormat): Ask {
  const thread = new Worker('language.js', { type: 'module' });
  const waiting = new Map<number, (answer: LanguageAnswer) => void>();
  let asked = 0;
  thread.onmessage = ({ data }: MessageEvent<LanguageAnswer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  return (kind, text, offset) =>
    new Promise((resolve) => {
      const id = ++asked;
      waiting.set(id, resolve);
      thread.postMessage({ id, kind, format: format(), text, offset } satisfies LanguageAsked);
    });
}

/** Renders the supported part of Markdown: paragraphs, rules, code and bold. */
function shownMarkdown(markdown: string): HTMLElement {
  const inline = (text: string): (Node | string)[] =>
    text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
      if (/^`.+`$/.test(piece)) return element('code', {}, piece.slice(1, -1));
      return /^\*\*.+\*\*$/.test(piece) ? element('b', {}, piece.slice(2, -2)) : piece;
    });
  const parts = markdown.split(/\n\n+/);
  return element(
    'div',
    { className: 'hover' },
    ...parts.map((part) =>
      part === '---' ? element('hr', {}) : element('p', {}, ...inline(part)),
    ),
  );
}

/** The style of hover texts and completions. */
const style = {
  '.hover': { maxWidth: '36rem', padding: '0.375rem 0.625rem' },
  '.hover p': { margin: '0.25rem 0' },
  '.hover hr': { margin: '0.375rem 0', border: '0', borderTop: '1px solid var(--rule)' },
  '.offers': {
    maxWidth: 'min(36rem, 90vw)',
    maxHeight: '15rem',
    margin: '0',
    padding: '0',
    overflow: 'auto',
    listStyle: 'none',
  },
  '.offers li': {
    padding: '0.125rem 0.625rem',
    overflow: 'hidden',
    color: 'var(--faint)',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
  },
  '.offers b': { color: 'var(--ink)', fontFamily: 'var(--mono)' },
  '.offers [aria-selected=true]': { background: 'var(--now)', color: 'var(--ink)' },
  '@media (forced-colors: active)': {
    '.offers [aria-selected=true]': { forcedColorAdjust: 'none', background: 'SelectedItem' },
    '.offers [aria-selected=true], .offers [aria-selected=true] b': { color: 'SelectedItemText' },
  },
};

/** Returns hover and completion; `speak` announces results requested by a key. */
export function languageHelp(
  codeMirror: CodeMirror,
  format: () => WebFormat,
  speak: (words: string) => void,
): Extension {
  const { activateHover, EditorView: view, hoverTooltip, keymap, Prec } = codeMirror;
  const ask = askerOf(format);
  const tooltipAt = async (view: EditorView, pos: number): Promise<Tooltip | null> => {
    const { doc } = view.state;
    const { hover } = await ask('hover', doc.toString(), pos);
    if (hover === undefined || view.state.doc !== doc) return null;
    const { from, to } = view.state.wordAt(pos) ?? { from: pos, to: pos };
    return { pos: from, end: to, above: true, create: () => ({ dom: shownMarkdown(hover) }) };
  };
  const hover = hoverTooltip(tooltipAt, { hideOnChange: true });
  const askAtCursor = (view: EditorView): boolean => {
    const { head } = view.state.selection.main;
    activateHover(view, head, -1, {
      tooltip: hover,
      until: ({ docChanged, selection }) => docChanged || selection !== undefined,
    });
    void ask('hover', view.state.doc.toString(), head).then(({ hover: known }) =>
      speak(known?.replace(/[`*]|---/g, '') ?? 'There is no help for this place.'),
    );
    return true;
  };
  return [
    hover,
    Prec.high(keymap.of([{ key: 'F9', run: askAtCursor }])),
    completion(codeMirror, ask),
    view.baseTheme(style),
  ];
}

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import {
  type Diagnostic as Shown,
  lintGutter,
  lintKeymap,
  nextDiagnostic,
  setDiagnostics,
} from '@codemirror/lint';
import {
  Compartment,
  EditorState,
  type Extension,
  Prec,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import {
  activateHover,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  showTooltip,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { editsBetween } from '@fencewright/lsp/edits';
import { highlighting } from './highlight.js';
import type { Mark, WebFormat } from './messages.js';

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--faint)' },
  { tag: [tags.definitionKeyword, tags.keyword], color: 'var(--link)' },
  { tag: tags.controlKeyword, color: 'var(--t1)' },
  { tag: [tags.atom, tags.number], color: 'var(--t2)' },
  { tag: tags.standard(tags.name), color: 'var(--t3)' },
  { tag: tags.annotation, color: 'var(--wait)' },
]);

/** Of CodeMirror, what is given to scripts that are loaded later: there can be one of it only. */
export const codeMirror = {
  ...{ activateHover, EditorView, hoverTooltip, keymap, showTooltip },
  ...{ Prec, StateEffect, StateField },
};
export type CodeMirror = typeof codeMirror;

/** What the page does with its editor. */
export interface Editor {
  readonly text: () => string;
  readonly setText: (text: string, format: WebFormat) => void;
  /** The same text, in other colours. */
  readonly setFormat: (format: WebFormat) => void;
  /** Changes the text as little as possible; can be undone. */
  readonly apply: (after: string) => void;
  readonly setMarks: (marks: readonly Mark[]) => void;
  readonly nextMark: () => void;
  readonly focus: () => void;
  /** Has the editor tell what stands at places, and what can stand there. */
  readonly setHelp: (help: Extension) => void;
  /** Puts the cursor in a line, from 0. */
  readonly reveal: (line: number) => void;
}

function offsetOf(text: Text, { line, column }: Mark['from']): number {
  const { from, to } = text.line(Math.min(line + 1, text.lines));
  return Math.min(from + column, to);
}

/** Says whether the text is another one altogether, which was pasted. */
type Changed = (isOther: boolean) => void;

/** Tab leaves the editor unless it was told to indent: nobody is to be caught in it. */
const language = new Compartment();

const helping = new Compartment();

function extensions(
  format: WebFormat,
  isReadOnly: boolean,
  help: Extension,
  changed: Changed,
): Extension {
  return [
    helping.of(help),
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    syntaxHighlighting(colours),
    language.of(highlighting(format)),
    EditorState.tabSize.of(4),
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      'aria-label': 'Program',
      spellcheck: 'false',
      tabindex: '0',
    }),
    keymap.of([
      {
        key: 'Escape',
        run: (view) => {
          view.contentDOM.blur();
          document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
          return true;
        },
      },
      ...historyKeymap,
      ...lintKeymap.filter(({ key }) => key !== 'F8'),
      ...defaultKeymap.filter(({ key }) => key !== 'Escape'),
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(isPastedOver(update));
    }),
  ];
}

/** Whether all of the text has given way to a pasted one. */
function isPastedOver({ transactions, changes, startState }: ViewUpdate): boolean {
  if (!transactions.some((one) => one.isUserEvent('input.paste'))) return false;
  let kept = startState.doc.length;
  changes.iterChangedRanges((from, to) => (kept -= to - from));
  return kept === 0;
}

/** An editor in an element; `changed` is called after each change of the text. */
export function createEditor(parent: HTMLElement, isReadOnly: boolean, changed: Changed): Editor {
  let help: Extension = [];
  const stateOf = (doc: string, format: WebFormat): EditorState =>
    EditorState.create({ doc, extensions: extensions(format, isReadOnly, help, changed) });
  const view = new EditorView({ state: stateOf('', 'native'), parent });
  return {
    text: () => view.state.doc.toString(),
    setText: (text, format) => {
      view.setState(stateOf(text, format));
      changed(false);
    },
    setFormat: (format) => {
      view.dispatch({ effects: language.reconfigure(highlighting(format)) });
    },
    apply: (after) => {
      const { doc } = view.state;
      const changes = editsBetween(doc.toString(), after).map(({ range, newText }) => ({
        from: offsetOf(doc, { line: range.start.line, column: range.start.character }),
        to: offsetOf(doc, { line: range.end.line, column: range.end.character }),
        insert: newText,
      }));
      view.dispatch({ changes, scrollIntoView: true });
    },
    setMarks: (marks) => {
      const { doc } = view.state;
      const shown = marks.map(({ severity, message, from, to }): Shown => {
        const [start, end] = [offsetOf(doc, from), offsetOf(doc, to)];
        return { from: start, to: Math.max(start, end), severity, message };
      });
      view.dispatch(setDiagnostics(view.state, shown));
    },
    nextMark: () => {
      view.focus();
      nextDiagnostic(view);
    },
    setHelp: (next) => {
      help = next;
      view.dispatch({ effects: helping.reconfigure(help) });
    },
    focus: () => view.focus(),
    reveal: (line) => {
      const at = offsetOf(view.state.doc, { line, column: 0 });
      view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
      view.focus();
    },
  };
}

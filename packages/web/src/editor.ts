import { defaultKeymap, history, historyKeymap, invertedEffects } from '@codemirror/commands';
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
  type Transaction,
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
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { editsBetween } from '@fencewright/lsp/edits';
import { highlighting } from './highlight.js';
import type { MessagePlace, WebFormat } from './messages.js';

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--faint)' },
  { tag: [tags.definitionKeyword, tags.keyword], color: 'var(--link)' },
  { tag: tags.controlKeyword, color: 'var(--t1)' },
  { tag: [tags.atom, tags.number], color: 'var(--t2)' },
  { tag: tags.standard(tags.name), color: 'var(--t3)' },
  { tag: tags.annotation, color: 'var(--wait)' },
]);

/**
 * The parts of CodeMirror for scripts loaded later: the page must have only one copy of CodeMirror.
 */
export const codeMirror = {
  ...{ activateHover, EditorView, hoverTooltip, keymap, showTooltip },
  ...{ Prec, StateEffect, StateField },
};
export type CodeMirror = typeof codeMirror;

/** The functions by which the page uses the editor. */
export interface Editor {
  readonly text: () => string;
  readonly setText: (text: string, format: WebFormat) => void;
  readonly format: () => WebFormat;
  /** Sets the format in which the page reads the text; the user can undo this. */
  readonly setFormat: (format: WebFormat) => void;
  /** Replaces the text by a new one, with as few changes as possible; the user can undo this. */
  readonly apply: (after: string) => void;
  readonly setMarks: (marks: readonly MessagePlace[]) => void;
  readonly nextMark: () => void;
  readonly focus: () => void;
  /** Adds hover texts and completion to the editor. */
  readonly setHelp: (help: Extension) => void;
  /** Moves the cursor to a line, counted from 0, and shows the line. */
  readonly reveal: (line: number) => void;
}

function offsetOf(text: Text, { line, column }: MessagePlace['from']): number {
  const { from, to } = text.line(Math.min(line + 1, text.lines));
  return Math.min(from + column, to);
}

/** Called after a change; `isOther` tells that a pasted text replaced the whole text. */
type Changed = (isOther: boolean) => void;

/** The parts of an editor's set-up. */
interface Wishes {
  readonly isReadOnly: boolean;
  /** Called after each change of the text or the format. */
  readonly changed: Changed;
  /** Guesses the format of a text pasted over the whole text. */
  readonly guess?: (text: string) => WebFormat | undefined;
}

/**
 * The part of the set-up that depends on the language. Tab leaves the editor unless set to indent,
 * so that keyboard users are not trapped.
 */
const language = new Compartment();

const helping = new Compartment();

const setFormat = StateEffect.define<WebFormat>();

/** The part of the editor's state that holds the format of the text. */
const formatField = StateField.define<WebFormat>({
  create: () => 'native',
  update: (format, { effects }) => effects.find((one) => one.is(setFormat))?.value ?? format,
});

/** Changes the format with a pasted text, and back when the paste is undone. */
function formatChanges(guess: Wishes['guess']): Extension {
  return [
    EditorState.transactionExtender.of((transaction) => {
      const asked = transaction.effects.find((one) => one.is(setFormat))?.value;
      const format =
        asked ?? (isPastedOver(transaction) ? guess?.(transaction.newDoc.toString()) : undefined);
      if (format === undefined || format === transaction.startState.field(formatField)) return null;
      const colours = language.reconfigure(highlighting(format));
      return { effects: asked === undefined ? [setFormat.of(format), colours] : [colours] };
    }),
    invertedEffects.of(({ effects, startState }) =>
      effects.some((one) => one.is(setFormat)) ? [setFormat.of(startState.field(formatField))] : [],
    ),
  ];
}

function extensions(
  format: WebFormat,
  { isReadOnly, changed, guess }: Wishes,
  help: Extension,
): Extension {
  return [
    helping.of(help),
    formatField.init(() => format),
    formatChanges(guess),
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
      const { docChanged, startState, state, transactions } = update;
      if (docChanged || startState.field(formatField) !== state.field(formatField))
        changed(transactions.some(isPastedOver));
    }),
  ];
}

/** Whether a pasted text replaced the whole text. */
function isPastedOver(transaction: Transaction): boolean {
  if (!transaction.isUserEvent('input.paste')) return false;
  let kept = transaction.startState.doc.length;
  transaction.changes.iterChangedRanges((from, to) => (kept -= to - from));
  return kept === 0;
}

/** Creates an editor in an element. */
export function createEditor(parent: HTMLElement, wishes: Wishes): Editor {
  let help: Extension = [];
  const stateOf = (doc: string, format: WebFormat): EditorState =>
    EditorState.create({ doc, extensions: extensions(format, wishes, help) });
  const view = new EditorView({ state: stateOf('', 'native'), parent });
  return {
    text: () => view.state.doc.toString(),
    setText: (text, format) => {
      view.setState(stateOf(text, format));
      wishes.changed(false);
    },
    format: () => view.state.field(formatField),
    setFormat: (format) => view.dispatch({ effects: setFormat.of(format) }),
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

import type { Extension, StateEffectType, Text } from '@codemirror/state';
import type { EditorView, Tooltip } from '@codemirror/view';
import type { CodeMirror } from './editor.js';
import type { Ask, Offer } from './language-messages.js';
import { element } from './shown.js';

/** The list of completions that is open at the cursor. */
interface Popup {
  readonly offers: readonly Offer[];
  /** The offset at which the word before the cursor starts. */
  readonly from: number;
  /** The index of the chosen completion; -1 for none, so that Enter ends the line. */
  readonly at: number;
}

/** The effect of CodeMirror that shows a list, or no list. */
type SetPopup = StateEffectType<Popup | undefined>;

/** The maximum number of completions in the list. */
const mostOffers = 50;

/** Returns the word before an offset. */
function wordBefore(doc: Text, offset: number): string {
  const { from, text } = doc.lineAt(offset);
  return /[\w'′]*$/.exec(text.slice(0, offset - from))![0];
}

/**
 * Returns the offers that begin with the written word; none if all remaining offers equal the word.
 */
function matching(offers: readonly Offer[], word: string): readonly Offer[] {
  const begun = word.toLowerCase();
  const found = offers.filter(({ label }) => label.toLowerCase().startsWith(begun));
  return found.every(({ label }) => label === word) ? [] : found.slice(0, mostOffers);
}

function popupOf(offers: readonly Offer[], doc: Text, head: number, at: number): Popup | undefined {
  const word = wordBefore(doc, head);
  const left = matching(offers, word);
  return left.length === 0 ? undefined : { offers: left, from: head - word.length, at };
}

const idOf = (at: number): string => `offer-${at}`;

function accept(setPopup: SetPopup, view: EditorView, { offers, from }: Popup, at: number): void {
  const { before = '', after = '' } = offers[at] ?? {};
  const { head } = view.state.selection.main;
  view.dispatch({
    changes: { from, to: head, insert: before + after },
    selection: { anchor: from + before.length },
    effects: setPopup.of(undefined),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

function listOf(setPopup: SetPopup, view: EditorView, popup: Popup): HTMLElement {
  const items = popup.offers.map(({ label, detail }, i) => {
    const item = element('li', { id: idOf(i) }, element('b', {}, label), ` ${detail}`);
    item.role = 'option';
    item.ariaSelected = String(i === popup.at);
    // The text keeps the focus.
    item.addEventListener('mousedown', (event) => {
      event.preventDefault();
      accept(setPopup, view, popup, i);
    });
    return item;
  });
  const list = element('ul', { className: 'offers', id: 'offers' }, ...items);
  list.role = 'listbox';
  list.ariaLabel = 'Completions';
  return list;
}

const popupField = ({ EditorView, showTooltip, StateField }: CodeMirror, setPopup: SetPopup) =>
  StateField.define<Popup | undefined>({
    create: () => undefined,
    update: (popup, { effects, docChanged, selection, state }) => {
      for (const effect of effects) if (effect.is(setPopup)) return effect.value;
      if (!popup || (!docChanged && !selection)) return popup;
      const { head } = state.selection.main;
      // While the user continues the word, the list stays until the next answer.
      if (
        docChanged &&
        head >= popup.from &&
        wordBefore(state.doc, head).length === head - popup.from
      )
        return popupOf(popup.offers, state.doc, head, -1);
      return undefined;
    },
    provide: (field) => [
      showTooltip.from(field, (popup): Tooltip | null =>
        popup
          ? {
              pos: popup.from,
              create: (view) => {
                const dom = listOf(setPopup, view, popup);
                const mount = (): void =>
                  dom.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
                return { dom, mount };
              },
            }
          : null,
      ),
      EditorView.contentAttributes.from(field, (popup) => ({
        'aria-autocomplete': 'list',
        ...(popup && { 'aria-controls': 'offers' }),
        ...(popup && popup.at >= 0 && { 'aria-activedescendant': idOf(popup.at) }),
      })),
    ],
  });

/** Shows a list of completions at the cursor, while the user writes a word and on Ctrl-Space. */
export function completion(codeMirror: CodeMirror, ask: Ask): Extension {
  const { EditorView, keymap, Prec, StateEffect } = codeMirror;
  const setPopup: SetPopup = StateEffect.define();
  const popups = popupField(codeMirror, setPopup);
  const offer = async (view: EditorView, at: number): Promise<void> => {
    const { doc, selection } = view.state;
    const { head } = selection.main;
    const { offers } = await ask('complete', doc.toString(), head);
    // The answer is about an older text.
    if (view.state.doc !== doc || view.state.selection.main.head !== head) return;
    const next = popupOf(offers, doc, head, at);
    // An offer chosen before the answer arrived stays chosen.
    const shown = view.state.field(popups);
    const chosen = shown?.offers[shown.at]?.label;
    const place = next?.offers.findIndex(({ label }) => label === chosen) ?? -1;
    view.dispatch({ effects: setPopup.of(next && place >= 0 ? { ...next, at: place } : next) });
  };
  const move =
    (by: number) =>
    (view: EditorView): boolean => {
      const popup = view.state.field(popups);
      if (!popup) return false;
      const { length } = popup.offers;
      const next = popup.at < 0 && by < 0 ? length - 1 : (popup.at + by + length) % length;
      view.dispatch({ effects: setPopup.of({ ...popup, at: next }) });
      return true;
    };
  const close = (view: EditorView): boolean => {
    if (!view.state.field(popups)) return false;
    view.dispatch({ effects: setPopup.of(undefined) });
    return true;
  };
  const take = (view: EditorView): boolean => {
    const popup = view.state.field(popups);
    if (!popup || popup.at < 0) return close(view) && false;
    accept(setPopup, view, popup, popup.at);
    return true;
  };
  return [
    popups,
    Prec.highest(
      keymap.of([
        { key: 'Ctrl-Space', run: (view) => (void offer(view, 0), true) },
        { key: 'ArrowDown', run: move(1) },
        { key: 'ArrowUp', run: move(-1) },
        { key: 'Enter', run: take },
        { key: 'Escape', run: close },
      ]),
    ),
    EditorView.updateListener.of(({ view, docChanged, transactions }) => {
      if (!docChanged || !transactions.some((one) => one.isUserEvent('input.type'))) return;
      const { doc, selection } = view.state;
      const { head } = selection.main;
      const before = doc.sliceString(Math.max(0, head - 1), head);
      if (/[\w@.]/.test(before) && !view.state.readOnly) void offer(view, -1);
    }),
    EditorView.domEventHandlers({ blur: (_, view) => void close(view) }),
  ];
}

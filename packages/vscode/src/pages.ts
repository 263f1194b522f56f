import path from 'node:path';
import {
  ColorThemeKind,
  type ExtensionContext,
  type TextEditor,
  TextEditorRevealType,
  TextEditorSelectionChangeKind,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
} from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node.js';
import { LivingPage, type PageAnswer } from './living-page.js';
import { linkedPage, pageInColours, type Revealed, type ToPage } from './page-bridge.js';
import type { ServerStatus } from './status-words.js';

/** The kinds of pages, each with a title and the message for a missing page. */
const kinds = {
  explain: { title: 'Explain', none: 'there is nothing to explain' },
  reach: { title: 'States of', none: 'there is no answer for this program' },
} as const;

type PageKind = keyof typeof kinds;

interface OpenPage {
  readonly uri: string;
  readonly page: LivingPage;
  readonly panel: WebviewPanel;
}

function revealLine(editor: TextEditor | undefined, line: number): void {
  if (!editor || line > editor.document.lineCount) return;
  const { range } = editor.document.lineAt(line - 1);
  editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
}

function isDark(): boolean {
  const { kind } = window.activeColorTheme;
  return kind === ColorThemeKind.Dark || kind === ColorThemeKind.HighContrast;
}

const editorOf = (uri: string): TextEditor | undefined =>
  window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);

/**
 * The open pages: of each kind, at most one for each text. A page is renewed when the text changes,
 * and the editor marks the line of the step that the page shows.
 */
export class Pages {
  readonly #open = new Map<string, OpenPage>();

  constructor(
    context: ExtensionContext,
    private readonly client: () => LanguageClient,
  ) {
    context.subscriptions.push(
      window.onDidChangeActiveColorTheme(() => {
        for (const { page } of this.#open.values()) page.again();
      }),
    );
  }

  /** Passes the status of a text, as the server reports it, to the pages of the text. */
  follow(status: ServerStatus): void {
    for (const { uri, page } of this.#open.values())
      if (uri === status.uri) void page.follow(status);
  }

  /** Opens a page, or brings an open page to the front. */
  async show(kind: PageKind, uri: string | undefined): Promise<void> {
    if (uri === undefined) return;
    const { title, none } = kinds[kind];
    const answer = await this.#ask(kind, uri);
    const key = `${kind} ${uri}`;
    const open = this.#open.get(key);
    const html = answer?.html ?? null;
    if (!answer || html === null) {
      const version = editorOf(uri)?.document.version;
      const isOlder = version !== undefined && answer !== null && version !== answer.version;
      const why = isOlder ? 'the text has changed meanwhile' : none;
      await window.showInformationMessage(`Fencewright: ${why}.`);
    } else if (open) {
      open.page.take(answer);
      open.panel.reveal(undefined, true);
    } else {
      const name = path.basename(Uri.parse(uri).path);
      this.#add(key, kind, uri, `${title} ${name}`, { ...answer, html });
    }
  }

  #ask(kind: PageKind, uri: string): Promise<PageAnswer | null> {
    return this.client().sendRequest<PageAnswer | null>(`fencewright/${kind}`, { uri });
  }

  #add(
    key: string,
    kind: PageKind,
    uri: string,
    title: string,
    first: PageAnswer & { readonly html: string },
  ): void {
    const panel = window.createWebviewPanel('fencewright.page', title, ViewColumn.Beside, {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [],
    });
    const tell = (message: ToPage): void => void panel.webview.postMessage(message);
    const show = (html: string): void => {
      panel.webview.html = pageInColours(linkedPage(html), isDark());
    };
    const page = new LivingPage(first, { show, tell }, () => this.#ask(kind, uri));
    this.#open.set(key, { uri, page, panel });
    panel.webview.onDidReceiveMessage((message: Revealed) => {
      if (message.kind === 'reveal') revealLine(editorOf(uri), message.line);
    });
    const following = window.onDidChangeTextEditorSelection((event) => {
      const [selection] = event.selections;
      if (!selection || event.textEditor.document.uri.toString() !== uri) return;
      if (event.kind === TextEditorSelectionChangeKind.Command) return;
      tell({ kind: 'step', line: selection.active.line + 1 });
    });
    panel.onDidDispose(() => {
      this.#open.delete(key);
      following.dispose();
    });
  }
}

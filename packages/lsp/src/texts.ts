import {
  TextDocument,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver-textdocument';
import { type Document, formatOfDocument, openDocument } from './document.js';

interface Entry {
  readonly text: TextDocument;
  readonly document: Promise<Document | undefined>;
}

/** The texts open in the editor, each read after every change. */
export class Texts {
  readonly #entries = new Map<string, Entry>();

  get uris(): readonly string[] {
    return [...this.#entries.keys()];
  }

  open(
    uri: string,
    language: string,
    version: number,
    content: string,
  ): Promise<Document | undefined> {
    return this.#set(TextDocument.create(uri, language, version, content));
  }

  /** Changes a text; returns `undefined` if the text is not open. */
  change(
    uri: string,
    version: number,
    changes: TextDocumentContentChangeEvent[],
  ): Promise<Document | undefined> | undefined {
    const entry = this.#entries.get(uri);
    return entry && this.#set(TextDocument.update(entry.text, changes, version));
  }

  close(uri: string): void {
    this.#entries.delete(uri);
  }

  /**
   * Returns the latest version of a text; `undefined` if the text is not open, or not a program.
   */
  async get(uri: string): Promise<Document | undefined> {
    for (;;) {
      const entry = this.#entries.get(uri);
      const document = await entry?.document;
      // A newer version may have arrived.
      if (this.#entries.get(uri) === entry) return document;
    }
  }

  /** Whether a document is the latest version of its text. */
  isLast({ uri, version }: Document): boolean {
    return this.#entries.get(uri)?.text.version === version;
  }

  offsetAt(uri: string, place: { readonly line: number; readonly character: number }): number {
    return this.#entries.get(uri)?.text.offsetAt(place) ?? 0;
  }

  #set(text: TextDocument): Promise<Document | undefined> {
    const { uri, languageId, version } = text;
    const content = text.getText();
    const format = formatOfDocument(uri, languageId, content);
    const document =
      format === undefined
        ? Promise.resolve(undefined)
        : openDocument(uri, version, format, content);
    this.#entries.set(uri, { text, document });
    return document;
  }
}

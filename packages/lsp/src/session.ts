import type { Connection } from 'vscode-languageserver';
import type { Checker } from './checker.js';
import type { Document } from './document.js';
import type { Host } from './engine.js';
import type { Texts } from './texts.js';

/** The abilities that the client has announced, as far as the server uses them. */
export interface ClientAbilities {
  refreshesLenses: boolean;
  refreshesHints: boolean;
  refreshesTokens: boolean;
  showsDocuments: boolean;
}

/** The objects shared by the handlers of a server. */
export interface Session {
  readonly connection: Connection;
  readonly host: Host;
  readonly texts: Texts;
  readonly checker: Checker;
  readonly abilities: ClientAbilities;
  /**
   * Returns the latest version of a text, with all findings; `undefined` if the text is not open.
   */
  readonly get: (uri: string) => Promise<Document | undefined>;
}

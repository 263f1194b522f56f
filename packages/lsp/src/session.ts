import type { Connection } from 'vscode-languageserver';
import type { Checker } from './checker.js';
import type { Document } from './document.js';
import type { Host } from './engine.js';
import type { Texts } from './texts.js';

/** What the client says it can do, as far as it matters. */
export interface ClientAbilities {
  refreshesLenses: boolean;
  refreshesHints: boolean;
  refreshesTokens: boolean;
  showsDocuments: boolean;
}

/** What the handlers of a server share. */
export interface Session {
  readonly connection: Connection;
  readonly host: Host;
  readonly texts: Texts;
  readonly checker: Checker;
  readonly abilities: ClientAbilities;
  /** The last version of a text, with all that is known of it. */
  readonly get: (uri: string) => Promise<Document | undefined>;
}

import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
} from 'vscode-languageserver/browser.js';
import type { Engine } from './engine.js';
import { engineHere } from './engine-here.js';
import { serve } from './server.js';
import type { Session } from './session.js';

/**
 * One end of a channel: a port, a worker, or a worker's own scope. Declared here, since the
 * library's types require the declarations of workers, which pages lack.
 */
export interface Port {
  postMessage(message: unknown): void;
}

/**
 * Serves the editor at the other end of a port, for a worker of a browser (its own scope is such a
 * port). Without an `engine`, questions are answered on the calling thread.
 */
export function serveOver(port: Port, version: string, engine: Engine = engineHere): Session {
  const end = port as never;
  const connection = createConnection(new BrowserMessageReader(end), new BrowserMessageWriter(end));
  const session = serve(connection, { engine, version });
  connection.listen();
  return session;
}

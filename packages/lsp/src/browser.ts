import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
} from 'vscode-languageserver/browser.js';
import type { Engine } from './engine.js';
import { engineHere } from './engine-here.js';
import { serve } from './server.js';
import type { Session } from './session.js';

type Port = ConstructorParameters<typeof BrowserMessageReader>[0];

/**
 * Serves the editor at the other end of a port, for a worker of a browser: there it is the worker's
 * own scope. Without another engine it answers on its own thread.
 */
export function serveOver(port: Port, version: string, engine: Engine = engineHere): Session {
  const connection = createConnection(
    new BrowserMessageReader(port),
    new BrowserMessageWriter(port),
  );
  const session = serve(connection, { engine, version });
  connection.listen();
  return session;
}

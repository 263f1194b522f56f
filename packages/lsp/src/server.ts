import {
  CodeActionKind,
  type Connection,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { Checker, type CheckMode } from './checker.js';
import { registerCommands } from './commands.js';
import { diagnosticsFor } from './diagnostics.js';
import type { Document } from './document.js';
import type { Host } from './engine.js';
import { registerLanguage } from './language.js';
import { tokenModifiers, tokenTypes } from './marks.js';
import type { ClientAbilities, Session } from './session.js';
import { Texts } from './texts.js';

/** The commands for editors; each takes an address. */
export const commands = [
  'fencewright.check',
  'fencewright.goOn',
  'fencewright.explain',
  'fencewright.fence',
  'fencewright.states',
] as const;

function initialized(version: string): InitializeResult {
  return {
    serverInfo: { name: 'fencewright', version },
    capabilities: {
      positionEncoding: 'utf-16',
      textDocumentSync: {
        openClose: true,
        change: TextDocumentSyncKind.Incremental,
        save: { includeText: false },
      },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      documentHighlightProvider: true,
      renameProvider: { prepareProvider: true },
      documentSymbolProvider: true,
      foldingRangeProvider: true,
      selectionRangeProvider: true,
      completionProvider: { triggerCharacters: ['.', '@'] },
      documentFormattingProvider: true,
      documentRangeFormattingProvider: true,
      codeActionProvider: {
        codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite],
        resolveProvider: true,
      },
      documentLinkProvider: {},
      inlayHintProvider: true,
      codeLensProvider: {},
      semanticTokensProvider: {
        legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
        full: true,
      },
      executeCommandProvider: { commands: [...commands] },
    },
  };
}

function modeOf(options: unknown): CheckMode | undefined {
  const check = (Object(options) as { readonly check?: unknown }).check;
  return check === 'onType' || check === 'onSave' || check === 'manual' ? check : undefined;
}

/** Returns the editor's limit on the work of a check; `undefined` without a valid limit. */
function effortOf(options: unknown): number | undefined {
  const { effort } = Object(options) as { readonly effort?: unknown };
  return typeof effort === 'number' && effort >= 1 ? Math.floor(effort) : undefined;
}

/**
 * Returns the editor's time limit for a check in milliseconds, if it has set one; editors give
 * seconds.
 */
function timeoutOf(options: unknown): number | undefined {
  const { timeout } = Object(options) as { readonly timeout?: unknown };
  return typeof timeout === 'number' && timeout > 0 ? timeout * 1000 : undefined;
}

/**
 * Serves an editor over any kind of connection. The maker of the connection has to call `listen`.
 */
export function serve(connection: Connection, host: Host): Session {
  const texts = new Texts();
  const abilities: ClientAbilities = {
    refreshesLenses: false,
    refreshesHints: false,
    refreshesTokens: false,
    showsDocuments: false,
  };
  const checker = new Checker(host.engine, {
    status: (status) => void connection.sendNotification('fencewright/status', status),
    changed: (uri) => void publish(uri),
  });
  const get = async (uri: string): Promise<Document | undefined> => {
    const document = await texts.get(uri);
    return document && checker.complete(document);
  };
  const publish = async (uri: string): Promise<void> => {
    const document = await get(uri);
    if (!document || !texts.isLast(document)) return;
    const diagnostics = diagnosticsFor(document, checker.findings(uri));
    await connection.sendDiagnostics({ uri, version: document.version, diagnostics });
    await refresh();
  };
  const refresh = async (): Promise<void> => {
    const asked = [
      ...(abilities.refreshesLenses ? ['workspace/codeLens/refresh'] : []),
      ...(abilities.refreshesHints ? ['workspace/inlayHint/refresh'] : []),
      ...(abilities.refreshesTokens ? ['workspace/semanticTokens/refresh'] : []),
    ];
    // A client may fail to refresh; the failure is ignored.
    await Promise.allSettled(asked.map((method) => connection.sendRequest(method)));
  };
  const take = async (uri: string, reading: Promise<Document | undefined>): Promise<void> => {
    const document = await reading;
    if (!document || !texts.isLast(document)) return;
    checker.edit(document);
    await publish(uri);
  };
  const configure = (options: unknown): void => {
    checker.mode = modeOf(options) ?? checker.mode;
    const effort = effortOf(options) ?? checker.effort;
    if (effort !== undefined) checker.effort = effort;
    checker.timeout = timeoutOf(options) ?? checker.timeout;
  };

  connection.onInitialize(({ capabilities, initializationOptions }) => {
    const { workspace, window } = capabilities;
    abilities.refreshesLenses = workspace?.codeLens?.refreshSupport === true;
    abilities.refreshesHints = workspace?.inlayHint?.refreshSupport === true;
    abilities.refreshesTokens = workspace?.semanticTokens?.refreshSupport === true;
    abilities.showsDocuments = window?.showDocument?.support === true;
    configure(initializationOptions);
    return initialized(host.version);
  });
  connection.onDidChangeConfiguration(({ settings }) => {
    const own = (Object(settings) as { readonly fencewright?: unknown }).fencewright;
    configure(own);
  });
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
    // Nothing but a text can be read; a client that sends something else is not answered.
    if (typeof text !== 'string') return;
    checker.announce(uri, version);
    void take(uri, texts.open(uri, languageId, version, text));
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    if (contentChanges.some((change) => typeof change.text !== 'string')) return;
    checker.announce(uri, version);
    const reading = texts.change(uri, version, contentChanges);
    if (reading) void take(uri, reading);
  });
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => checker.save(uri));
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    texts.close(uri);
    checker.close(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });
  connection.onShutdown(() => checker.end());
  const session = { connection, host, texts, checker, abilities, get };
  registerLanguage(session);
  registerCommands(session);
  return session;
}

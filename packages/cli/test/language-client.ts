import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  type CodeLens,
  createProtocolConnection,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node.js';

const binary = fileURLToPath(new URL('../bin/fencewright.js', import.meta.url));

/** A message of the server about its progress with a text. */
export interface Status {
  readonly uri: string;
  readonly version: number;
  readonly state: string;
  readonly detail: string;
}

/** A client of a language server of its own, over standard streams. */
export class LanguageClient {
  readonly statuses: Status[] = [];
  readonly published: PublishDiagnosticsParams[] = [];
  readonly edits: unknown[] = [];
  readonly exited: Promise<number | null>;

  private constructor(
    readonly process: ChildProcess,
    readonly connection: ProtocolConnection,
  ) {
    this.exited = new Promise((resolve) => process.once('exit', resolve));
    connection.onNotification('fencewright/status', (status: Status) => this.statuses.push(status));
    connection.onNotification('textDocument/publishDiagnostics', (one: PublishDiagnosticsParams) =>
      this.published.push(one),
    );
    connection.onRequest('workspace/applyEdit', (params: { readonly edit: unknown }) => {
      this.edits.push(params.edit);
      return { applied: true };
    });
  }

  static async start(
    env: Readonly<Record<string, string>> = {},
    more: readonly string[] = [],
  ): Promise<LanguageClient> {
    const child = spawn(process.execPath, [binary, 'lsp', '--stdio', ...more], {
      env: { ...process.env, ...env },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const client = new LanguageClient(child, connection);
    connection.listen();
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
      // Long enough for a busy machine.
      initializationOptions: { timeout: 100 },
    });
    await connection.sendNotification('initialized', {});
    return client;
  }

  ask<T>(method: string, params: object): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  open(uri: string, text: string, languageId = 'fencewright', version = 1): Promise<void> {
    const textDocument = { uri, languageId, version, text };
    return this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Replaces the whole text of an open document. */
  change(uri: string, version: number, text: string): Promise<void> {
    const textDocument = { uri, version };
    const contentChanges = [{ text }];
    return this.connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges,
    });
  }

  save(uri: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  }

  /** Returns the titles of the code lenses of a text, with the lines that they precede. */
  async lenses(uri: string): Promise<readonly (readonly [number, string | undefined])[]> {
    const lenses = await this.ask<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    return lenses.map(({ range, command }) => [range.start.line, command?.title]);
  }

  close(uri: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** Returns the final status of a version of a text. */
  async verdict(uri: string, version = 1, within = 600_000): Promise<Status> {
    const end = Date.now() + within;
    while (Date.now() < end) {
      const last = this.statuses.findLast((one) => one.uri === uri);
      if (last?.version === version && last.state !== 'stale' && last.state !== 'checking')
        return last;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no verdict on ${uri}`);
  }

  /** Returns the current diagnostics of a text. */
  diagnostics(uri: string): PublishDiagnosticsParams['diagnostics'] {
    return this.published.findLast((one) => one.uri === uri)?.diagnostics ?? [];
  }
}

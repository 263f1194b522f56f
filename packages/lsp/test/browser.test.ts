import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  type CodeLens,
  createProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/browser.js';
import { serveOver } from '../src/browser.js';

const entry = fileURLToPath(new URL('../src/browser.ts', import.meta.url));

/**
 * Store buffering ([BDM13] Fig. 1): each thread stores to a variable, then loads the variable of
 * the other thread.
 */
const buffering = `program SB
var x, y
thread left { local r; x = 1; r = y; }
thread right { local r; y = 1; r = x; }
property both: never (left.r == 0 && right.r == 0 && ended(left) && ended(right))
`;

test('a server at a port of a browser checks, and says what is claimed', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  serveOver(port2, '0');
  const connection = createProtocolConnection(
    new BrowserMessageReader(port1),
    new BrowserMessageWriter(port1),
  );
  const published: PublishDiagnosticsParams[] = [];
  connection.onNotification('textDocument/publishDiagnostics', (one: PublishDiagnosticsParams) =>
    published.push(one),
  );
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
  });
  await connection.sendNotification('initialized', {});
  const uri = 'inmemory:///sb.fw';
  const open = (text: string, version: number): Promise<void> =>
    version === 1
      ? connection.sendNotification('textDocument/didOpen', {
          textDocument: { uri, languageId: 'fencewright', version, text },
        })
      : connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [{ text }],
        });
  const codes = (): unknown[] => published.at(-1)?.diagnostics.map(({ code }) => code) ?? [];
  const titles = async (): Promise<unknown[]> => {
    const lenses = await connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
      textDocument: { uri },
    });
    return lenses.map(({ command }) => command?.title);
  };
  await open(buffering, 1);
  await vi.waitFor(() => expect(codes()).toEqual(['not-robust', 'not-robust', 'breaks']), 600_000);
  await vi.waitFor(async () => {
    expect(await titles()).toEqual([
      'not robust: 2 attacks',
      'explain',
      'fix with 2 fences',
      'breaks',
      'fails under TSO only',
    ]);
  }, 600_000);
  await open(buffering.replaceAll('= 1; r', '= 1; fence; r'), 2);
  await vi.waitFor(async () => {
    expect(await titles()).toEqual([expect.stringMatching(/^robust \(/), 'holds']);
  }, 600_000);
  expect(codes()).toEqual([]);
});

test('nothing of it needs Node.js', async () => {
  const { metafile } = await build({
    entryPoints: [entry],
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', splitting: true },
    ...{ outdir: '/', conditions: ['source'], metafile: true, logLevel: 'silent' },
    // Loaded on demand only: Z3 in WebAssembly depends on Node.js.
    external: ['z3-solver', 'highs'],
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.some((file) => file.endsWith('lsp/src/server.ts'))).toBe(true);
  expect(
    inputs.filter((file) => /packages\/(cli|verifier)\/|core\/src\/node\//.test(file)),
  ).toEqual([]);
});

// Measures how long an editor waits for diagnostics after a key, in the built language server: in a
// text of some three hundred lines, and in a text of a few lines, which shows the time of the
// protocol and the process alone. The texts take turns, for equal load of the machine.
// npm run build && npx tsx --conditions=source bench/keys.ts [keys]
import { spawn } from 'node:child_process';
import path from 'node:path';
import {
  createProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node.js';
import { aligned, type Table } from './tables.js';

const cli = path.join(path.dirname(import.meta.dirname), 'packages/cli/bin/fencewright.js');
const keys = Number(process.argv[2] ?? 200);
/** The number of keys that are typed before the measurement, to warm the server up. */
const first = 50;

/**
 * Returns a program of two threads, each with the given number of statements, one a line. One more
 * line is for typing.
 */
function programOf(statements: number): string {
  const body = (mine: string, theirs: string): string[] =>
    Array.from({ length: statements }, (_, i) =>
      i % 3 === 0
        ? `  ${mine}[${i % 4}] = r + ${i};`
        : i % 3 === 1
          ? `  r = ${theirs}[${i % 4}];`
          : `  if (r == ${i}) { flag = ${mine}[0] + ${i}; }`,
    );
  return [
    'program Keys',
    'var a[4], b[4], flag',
    'thread left { local r;',
    ...body('a', 'b'),
    '  r = 1;',
    '}',
    'thread right { local r;',
    ...body('b', 'a'),
    '}',
    '',
  ].join('\n');
}

/** A text with the line `r = 1;`, at which keys are typed. */
interface Typed {
  readonly uri: string;
  readonly line: number;
  readonly lines: number;
  version: number;
}

const server = spawn('node', [cli, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = createProtocolConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
let told: (one: PublishDiagnosticsParams) => void = () => undefined;
connection.onNotification('textDocument/publishDiagnostics', (one: PublishDiagnosticsParams) =>
  told(one),
);
connection.listen();

async function open(name: string, text: string): Promise<Typed> {
  const uri = `inmemory:///${name}.fw`;
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'fencewright', version: 1, text },
  });
  const lines = text.split('\n');
  return { uri, line: lines.indexOf('  r = 1;'), lines: lines.length - 1, version: 1 };
}

/**
 * Types or takes back a letter that makes the name unknown. Returns the ms until the diagnostic
 * appears, or disappears.
 */
function key(text: Typed, isWrong: boolean): Promise<number> {
  const version = (text.version += 1);
  const { uri, line } = text;
  const begun = performance.now();
  const said = new Promise<number>((resolve) => {
    told = (one) => {
      if (one.uri !== uri || one.version !== version) return;
      const isSaid = one.diagnostics.some(({ code }) => code === 'FW1002');
      if (isSaid !== isWrong) throw new Error(`version ${version} has other diagnostics`);
      resolve(performance.now() - begun);
    };
  });
  const start = { line, character: 3 };
  void connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [
      isWrong
        ? { range: { start, end: start }, text: 'q' }
        : { range: { start, end: { line, character: 4 } }, text: '' },
    ],
  });
  return said;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

await connection.sendRequest('initialize', {
  processId: process.pid,
  rootUri: null,
  capabilities: {},
  // Checks run in a separate thread: here only reading is measured.
  initializationOptions: { check: 'onSave' },
});
await connection.sendNotification('initialized', {});
const texts = [await open('small', programOf(1)), await open('large', programOf(147))];
const times = texts.map((): number[] => []);
for (let i = 0; i < first + keys; i++)
  for (const [t, text] of texts.entries()) {
    const time = await key(text, i % 2 === 0);
    if (i >= first) times[t]!.push(time);
  }
connection.dispose();
server.kill();

const rows = texts.map(({ lines }, t) => {
  const sorted = times[t]!.toSorted((a, b) => a - b);
  const base = times[0]!.toSorted((a, b) => a - b);
  const [middle, late] = [quantile(sorted, 0.5), quantile(sorted, 0.95)];
  const inMs = (value: number): string => value.toFixed(1);
  return [`${lines}`, inMs(middle), inMs(late), (middle / quantile(base, 0.5)).toFixed(1)];
});
const table: Table = { columns: ['lines', 'median ms', '95 % below ms', 'ratio'], rows };
process.stdout.write(aligned(table));

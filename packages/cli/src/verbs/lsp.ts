import { serve } from '@fencewright/lsp';
import { rmSync } from 'node:fs';
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node.js';
import { exitCodes } from '../exit-codes.js';
import { stopSignals } from '../interrupt.js';
import { LanguageEngine } from '../language-engine.js';
import { MessageLengths } from '../message-lengths.js';
import { flag, hidden, parsed } from '../options/declare.js';
import { wholeFrom } from '../options/values.js';
import { verb } from '../verb.js';
import { version } from '../version.js';

const options = {
  stdio: flag('--stdio', 'communicate over the standard streams (always on)'),
  // The library `vscode-languageserver` reads the option from the command line of the process.
  clientProcessId: hidden(
    parsed(
      '--clientProcessId <pid>',
      'end when the process with this number ends; VS Code passes the option',
      wholeFrom(1),
    ),
  ),
};

/** Whether a process with this number runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user runs, too.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Removes the folders of servers that ended without a chance to do so. */
async function removeOrphans(): Promise<void> {
  const names = await readdir(tmpdir());
  const orphans = names.filter((name) => {
    const pid = /^fencewright-page-([1-9][0-9]*)-/.exec(name)?.[1];
    return pid !== undefined && !isRunning(Number(pid));
  });
  // Folders of other users stay.
  const removed = orphans.map((name) => rm(path.join(tmpdir(), name), { recursive: true }));
  await Promise.allSettled(removed);
}

/**
 * Writes a page for a browser to a file in a new folder, which is removed when the process ends, or
 * by a later server; returns the page's address.
 */
async function keepPage(html: string): Promise<string> {
  await removeOrphans();
  const folder = await mkdtemp(path.join(tmpdir(), `fencewright-page-${process.pid}-`));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = path.join(folder, 'explain.html');
  await writeFile(file, html, { mode: 0o600 });
  return pathToFileURL(file).href;
}

function isThere(uri: string): Promise<boolean> {
  return access(fileURLToPath(uri)).then(
    () => true,
    () => false,
  );
}

/** The verb `lsp`: runs the language server until the editor ends it. */
export const lspVerb = verb({ name: 'lsp', options }, async () => {
  // The server no longer knows where the next message starts. The editor starts another server.
  const refuse = (complaint: string): void => {
    process.stderr.write(`fencewright: the editor sent a malformed message: ${complaint}\n`);
    process.exit(exitCodes.input);
  };
  const reader = new StreamMessageReader(process.stdin.pipe(new MessageLengths(refuse)));
  reader.onError(({ message }) => {
    if (/header|content-length/i.test(message)) refuse(message);
  });
  // By default, a signal ends a process without its last event, which removes pages.
  for (const signal of stopSignals) process.once(signal, () => process.exit(exitCodes.interrupted));
  const writer = new StreamMessageWriter(process.stdout);
  const connection = createConnection(ProposedFeatures.all, reader, writer);
  serve(connection, { engine: new LanguageEngine(), version, keepPage, isThere });
  const gone = new Promise<void>((resolve) => process.stdin.once('close', resolve));
  connection.listen();
  await gone;
  process.exit(exitCodes.robust);
});

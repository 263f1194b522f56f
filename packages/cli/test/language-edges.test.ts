import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { LanguageClient } from './language-client.js';
import { storeBuffering } from './programs.js';

const opened = (uri: string, text: unknown) => ({
  textDocument: { uri, languageId: 'fencewright', version: 1, text },
});

test('a text that is no text ends nothing', async () => {
  const client = await LanguageClient.start();
  const open = (uri: string, text: unknown): Promise<void> =>
    client.connection.sendNotification('textDocument/didOpen', opened(uri, text));
  await open('file:///a.fw', 7);
  await open('file:///b.fw', null);
  await open('file:///c.fw', storeBuffering);
  await vi.waitFor(
    () => expect(client.published.map(({ uri }) => uri)).toContain('file:///c.fw'),
    600_000,
  );
});

test('after a broken header the server ends, and says why', async () => {
  const client = await LanguageClient.start();
  let said = '';
  client.process.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  client.process.stdin?.write('Content-Length: many\r\n\r\n{}');
  expect(await client.exited).toBe(65);
  expect(said).toContain('the editor sent a malformed message');
});

test.each([
  ['its input', (client: LanguageClient): void => void client.process.stdin?.end()],
  ['SIGTERM', (client: LanguageClient): void => void client.process.kill('SIGTERM')],
] as const)('pages for the browser go with the server, ended by %s', async (_, end) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'fencewright-pages-'));
  // A server that was killed has left a page: no process has this number.
  await mkdir(path.join(folder, 'fencewright-page-99999999-x'));
  const client = await LanguageClient.start({ TMPDIR: folder });
  const uri = 'file:///sb.fw';
  await client.connection.sendNotification('textDocument/didOpen', opened(uri, storeBuffering));
  const pages = async (): Promise<readonly string[]> =>
    (await readdir(folder)).filter((name) => name.startsWith('fencewright-page-'));
  await client.connection.sendRequest('workspace/executeCommand', {
    command: 'fencewright.explain',
    arguments: [uri],
  });
  expect(await pages()).toHaveLength(1);
  end(client);
  await client.exited;
  expect(await pages()).toEqual([]);
});

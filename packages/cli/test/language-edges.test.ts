import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { expect, test, vi } from 'vitest';
import { MessageLengths } from '../src/message-lengths.js';
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

// Nothing tells where the message behind such a header begins.
test.each([
  ['no number', 'Content-Length: many\r\n\r\n{}'],
  ['a negative length', 'Content-Length: -5\r\n\r\n{}'],
  ['a huge length', 'Content-Length: 99999999999999999999\r\n\r\n{}'],
  ['a length with a fraction', 'Content-Length: 2.5\r\n\r\n{}'],
  ['no length', 'Content-Type: text\r\n\r\n{}'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}'],
  ['no end', 'x'.repeat(100_000)],
])('after a header with %s the server ends, and says why', async (_, header) => {
  const client = await LanguageClient.start();
  let said = '';
  client.process.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  client.process.stdin?.write(header);
  expect(await client.exited).toBe(65);
  expect(said).toContain('the editor sent a malformed message');
});

test('messages are taken however they are cut into parts', async () => {
  const refused: string[] = [];
  const message = (content: string): string =>
    `Content-Type: x\r\ncontent-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`;
  // The content of a message may look like a header.
  const all = Buffer.from(['{}', '', 'Content-Length: -1\r\n\r\n', 'ä'].map(message).join(''));
  for (const size of [1, 2, 3, 7, 20, all.length]) {
    const lengths = new MessageLengths((complaint) => refused.push(complaint));
    const passed: Buffer[] = [];
    lengths.on('data', (part: Buffer) => passed.push(part));
    for (let at = 0; at < all.length; at += size) lengths.write(all.subarray(at, at + size));
    lengths.end();
    await finished(lengths);
    expect(Buffer.concat(passed)).toEqual(all);
  }
  expect(refused).toEqual([]);
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

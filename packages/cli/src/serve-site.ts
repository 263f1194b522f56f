import { readFile, realpath } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * Whether a host name means this machine; a foreign page trying to reach the server sends a
 * different name.
 */
const isLoopback = (host: string): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

/**
 * Returns the file that an address of the site means; `undefined` if there is none. Never returns a
 * file outside of the folder, or a hidden file.
 */
async function fileFor(folder: string, address: string): Promise<string | undefined> {
  try {
    const name = decodeURIComponent(address.replace(/[?#].*$/, ''));
    if (name.includes('\0') || name.split(/[/\\]/).some((part) => part.startsWith('.')))
      return undefined;
    const file = await realpath(path.join(folder, name.endsWith('/') ? `${name}index.html` : name));
    return file.startsWith((await realpath(folder)) + path.sep) ? file : undefined;
  } catch {
    return undefined;
  }
}

async function answer(
  folder: string,
  { method, url = '/', headers: { host = '' } }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const end = (status: number, words: string, more = {}): unknown =>
    response.writeHead(status, { 'content-type': 'text/plain', ...more }).end(`${words}\n`);
  if (!isLoopback(host)) return void end(403, 'only for this machine');
  if (method !== 'GET' && method !== 'HEAD')
    return void end(405, 'only GET and HEAD', { allow: 'GET, HEAD' });
  const file = await fileFor(folder, url);
  const type = types[path.extname(file ?? '')];
  const data = file === undefined || type === undefined ? undefined : await contents(file);
  if (data === undefined) return void end(404, 'not found');
  response.writeHead(200, {
    ...{ 'content-type': type, 'content-length': data.length, 'cache-control': 'no-cache' },
    ...{ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
  });
  response.end(method === 'HEAD' ? undefined : data);
}

const contents = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch(() => undefined);

/**
 * Serves the files of a folder to this machine alone. Resolves to the server once the server
 * listens; rejects with the error of `listen`.
 */
export async function serveSite(folder: string, port: number): Promise<Server> {
  const server = createServer((request, response) => void answer(folder, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });
  return server;
}

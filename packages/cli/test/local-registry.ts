import { execFile } from 'node:child_process';
import { mkdtemp, readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

interface Offered {
  readonly manifest: { readonly version: string };
  readonly tarball: () => Promise<string>;
}

/** A package that is installed, packed when somebody wants it. */
async function installed(root: string, name: string, folder: string): Promise<Offered> {
  const from = path.join(root, 'node_modules', name);
  const text = await readFile(path.join(from, 'package.json'), 'utf8');
  const pack = async () => {
    const to = await mkdtemp(path.join(folder, 'tarball-'));
    await symlink(from, path.join(to, 'package'));
    // Not compressed, which takes longer than all else.
    const args = ['-chf', 'packed.tar', '--exclude=package/node_modules', 'package'];
    await run('tar', args, { cwd: to });
    return path.join(to, 'packed.tar');
  };
  let packed: Promise<string> | undefined;
  return {
    manifest: JSON.parse(text) as Offered['manifest'],
    tarball: () => (packed ??= pack()),
  };
}

/** A package as it was packed. */
async function tarballOf(file: string): Promise<[string, Offered]> {
  const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json']);
  const manifest = JSON.parse(stdout) as Offered['manifest'] & { readonly name: string };
  return [manifest.name, { manifest, tarball: () => Promise.resolve(file) }];
}

/**
 * Serves these tarballs, and what is installed in `root`, in the way that npm asks for packages, so
 * that packages can be installed as users do where there is no network. Gives the address.
 */
export async function localRegistry(
  root: string,
  tarballs: readonly string[],
  folder: string,
): Promise<string> {
  const known = new Map(await Promise.all(tarballs.map(tarballOf)));
  const find = async (name: string): Promise<Offered> => {
    const offered = known.get(name) ?? (await installed(root, name, folder));
    known.set(name, offered);
    return offered;
  };
  const answer = async (url: string): Promise<Buffer | string> => {
    const name = decodeURIComponent(url.replace(/^\/(tarball\/)?/, ''));
    const { manifest, tarball } = await find(name);
    if (url.startsWith('/tarball/')) return readFile(await tarball());
    const dist = { tarball: `${address}/tarball/${encodeURIComponent(name)}` };
    const versions = { [manifest.version]: { ...manifest, dist } };
    return JSON.stringify({ name, 'dist-tags': { latest: manifest.version }, versions });
  };
  const server = createServer((request, response) => {
    answer(request.url ?? '').then(
      (body) => response.end(body),
      () => response.writeHead(404).end('{}'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => void server.close());
  return address;
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
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

/** Returns a package installed at `from`; its tarball is packed on demand. */
async function installed(from: string, folder: string): Promise<Offered> {
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

/**
 * Returns all installed versions of a package below `root`: the top-level one first, then those
 * nested in other packages.
 */
async function versionsIn(
  root: string,
  name: string,
  folder: string,
): Promise<readonly [Offered, ...Offered[]]> {
  const modules = path.join(root, 'node_modules');
  const hosts = (await readdir(modules, { withFileTypes: true })).filter((one) =>
    one.isDirectory(),
  );
  const nested = hosts
    .map((host) => path.join(modules, host.name, 'node_modules', name))
    .filter((one) => existsSync(path.join(one, 'package.json')));
  const [first, ...others] = [path.join(modules, name), ...nested].map((one) =>
    installed(one, folder),
  );
  return [await first!, ...(await Promise.all(others))];
}

/** Returns the name and the manifest of a tarball, with the file itself. */
async function tarballOf(file: string): Promise<[string, Offered]> {
  const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json']);
  const manifest = JSON.parse(stdout) as Offered['manifest'] & { readonly name: string };
  return [manifest.name, { manifest, tarball: () => Promise.resolve(file) }];
}

/**
 * Serves the tarballs and the packages installed in `root` by the protocol of npm's registry, so
 * that tests install packages without a network. Returns the address.
 */
export async function localRegistry(
  root: string,
  tarballs: readonly string[],
  folder: string,
): Promise<string> {
  const known = new Map<string, readonly [Offered, ...Offered[]]>();
  for (const [name, offered] of await Promise.all(tarballs.map(tarballOf)))
    known.set(name, [offered]);
  const answer = async (url: string): Promise<Buffer | string> => {
    const [, version, asked = ''] = /^\/(?:tarball\/([^/]+)\/)?(.*)$/.exec(url) ?? [];
    const name = decodeURIComponent(asked);
    const all = known.get(name) ?? (await versionsIn(root, name, folder));
    known.set(name, all);
    const wanted = all.find(({ manifest }) => manifest.version === version);
    if (version !== undefined) return readFile(await wanted!.tarball());
    const versions = all.map(({ manifest }): [string, object] => {
      const tarball = `${address}/tarball/${manifest.version}/${encodeURIComponent(name)}`;
      return [manifest.version, { ...manifest, dist: { tarball } }];
    });
    const latest = all[0].manifest.version;
    // The first entry is the version that counts.
    const byVersion = Object.fromEntries(versions.toReversed());
    return JSON.stringify({ name, 'dist-tags': { latest }, versions: byVersion });
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

// As a property it is loaded when something is written, and not with every start.
import { promises as fs } from 'node:fs';
import path from 'node:path';

/** Devices and pipes cannot be replaced, and a link should go on pointing where it does. */
async function targetOf(file: string): Promise<{ path: string; replaceable: boolean }> {
  try {
    const real = await fs.realpath(file);
    return { path: real, replaceable: (await fs.lstat(real)).isFile() };
  } catch {
    return { path: file, replaceable: true };
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'its folder does not exist';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'permission denied';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ENOSPC') return 'the disk is full';
  return code ?? String(error);
}

/** Writes a file as a whole or not at all: beside it first, then in its place. Gives the reason in words if it cannot. */
export async function writeWhole(file: string, text: string): Promise<string | undefined> {
  const target = await targetOf(file);
  const folder = path.dirname(target.path);
  const fresh = path.join(folder, `.${path.basename(target.path)}.${process.pid}`);
  try {
    if (!target.replaceable) {
      await fs.writeFile(target.path, text);
      return undefined;
    }
    await fs.writeFile(fresh, text, { flag: 'wx' });
    await fs.rename(fresh, target.path);
    return undefined;
  } catch (error) {
    await fs.rm(fresh, { force: true }).catch(() => undefined);
    return reasonOf(error);
  }
}

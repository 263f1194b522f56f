// As a property of `fs`, `promises` is loaded on first use, not at every start.
import { isRunning } from '@fencewright/core/node';
import { promises as fs, type Stats } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { quoteName } from '@fencewright/core';
import { writeFailure } from './write-failure.js';

/**
 * A source text as read, with which the state of its file is compared before the file is
 * overwritten.
 */
export interface ReadText {
  readonly file: string;
  /** The text, including the byte order mark. */
  readonly text: string;
}

/** A text to write, as a whole or in parts. */
type WholeText = string | Iterable<string>;

/** Thrown if a file must not be written; the message is the reason. */
class Refusal extends Error {}

/** Matches the names of unfinished files of this program: the process number, and a random part. */
const unfinished = /^\.fencewright-(\d+)-[0-9a-f]{16}$/;

function unfinishedName(): string {
  return `.fencewright-${process.pid}-${randomBytes(8).toString('hex')}`;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function statusOf(file: string): Promise<Stats | undefined> {
  try {
    return await fs.stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the file to write for a name: the target of links, even if the target does not exist yet.
 */
async function destinationOf(file: string): Promise<string> {
  let at = path.resolve(file);
  for (let hops = 0; hops < 40; hops++) {
    const folder = await fs.realpath(path.dirname(at));
    at = path.join(folder, path.basename(at));
    try {
      at = path.resolve(folder, await fs.readlink(at));
    } catch {
      return at;
    }
  }
  throw new Refusal('its links lead in a circle');
}

/** Removes the unfinished files that killed processes left in a folder. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const id = unfinished.exec(name)?.[1];
    if (id === undefined || isRunning(Number(id))) continue;
    await fs.rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Whether a file is unchanged since an earlier look. */
function isSame(before: Stats | undefined, now: Stats | undefined): boolean {
  if (!before || !now) return before === now;
  return before.ino === now.ino && before.mtimeMs === now.mtimeMs && before.size === now.size;
}

/** Throws `Refusal` if the target cannot be written, or has changed since `read`. */
async function refuseToReplace(target: string, status: Stats, read: ReadText | undefined) {
  // For root, everything can be written.
  if ((status.mode & 0o222) === 0) throw new Refusal('the file is read-only');
  if (status.nlink > 1)
    throw new Refusal('other names of the file (hard links) would keep the old text');
  await fs.access(target, fs.constants.W_OK);
  const source = read && read.file !== '-' ? await statusOf(read.file) : undefined;
  if (!read || source?.ino !== status.ino || source.dev !== status.dev) return;
  if (!(await fs.readFile(target)).equals(Buffer.from(read.text)))
    throw new Refusal('the file has changed since it was read');
}

/**
 * Writes a file with the mode and the owner of the file to be replaced, and flushes the file to the
 * disk.
 */
async function writeLike(file: string, text: WholeText, model: Stats | undefined): Promise<void> {
  // The new file must never be readable for users who cannot read the old file.
  const handle = await fs.open(file, 'wx', model ? 0o600 : 0o666);
  try {
    for (const part of typeof text === 'string' ? [text] : text) await handle.writeFile(part);
    if (model) {
      const own = await handle.stat();
      if (own.uid !== model.uid || own.gid !== model.gid)
        await handle.chown(model.uid, model.gid).catch(() => {
          throw new Refusal(
            'the file belongs to another user, and replacing it would change the owner',
          );
        });
      await handle.chmod(model.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the disk keep a new file name in a folder, if the system can do so. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await fs.open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The file exists anyway.
  }
}

async function replace(target: string, text: WholeText, read: ReadText | undefined): Promise<void> {
  const folder = path.dirname(target);
  await removeLeftovers(folder);
  const before = await statusOf(target);
  if (before) await refuseToReplace(target, before, read);
  const fresh = path.join(folder, unfinishedName());
  try {
    await writeLike(fresh, text, before);
    if (!isSame(before, await statusOf(target)))
      throw new Refusal('another process is writing the file as well');
    await fs.rename(fresh, target);
  } catch (error) {
    await fs.rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

function reasonOf(error: unknown): string {
  return error instanceof Refusal ? error.message : writeFailure(error);
}

/**
 * Writes a file as a whole or not at all: first under a temporary name, then renamed, with the mode
 * and owner of the old file. Links are followed; devices and pipes are written directly. A file
 * that is read-only, or has changed since being `read`, is left alone. Returns an error message if
 * the file cannot be written.
 */
export async function writeWhole(
  file: string,
  text: WholeText,
  read?: ReadText,
): Promise<string | undefined> {
  try {
    if (file === '-') throw new Refusal('name a file; ./- names a file called -');
    const status = await statusOf(file);
    if (status?.isDirectory()) throw new Refusal('a folder has this name');
    // Devices and pipes cannot be replaced.
    if (status && !status.isFile()) await fs.writeFile(file, text);
    else await replace(await destinationOf(file), text, read);
    return undefined;
  } catch (error) {
    return `fencewright: ${quoteName(file)} cannot be written: ${reasonOf(error)}\n`;
  }
}

// Runs the clang of the package whose entry is the first argument, with the others, like a program:
// what it may see of the disk is what is named here, and it cannot write.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const [entry, ...args] = process.argv.slice(2);
const { commands, Exit } = await import(entry);

const tree = {};
const seen = new Set();

/** Where `<...>` is looked up, and `"..."` after the folder of the file. */
const folders = args.flatMap((each) => {
  const folder = /^-(?:I|isystem|iquote)(.+)$/.exec(each)?.[1];
  return folder === undefined ? [] : [path.resolve(folder)];
});

/** What a text may include, by its words: too much is no harm, and names from macros are missed. */
const inclusion = /\binclude(?:_next)?\s*\(?\s*[<"]([^>"\n]+)[>"]/g;

/** Puts a file, if there is one, under its absolute name, and all that it may include. */
function add(file) {
  if (seen.has(file) || !statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  seen.add(file);
  const content = readFileSync(file);
  const names = file.split(path.sep).filter(Boolean);
  const last = names.pop();
  let folder = tree;
  for (const name of names) folder = folder[name] ??= {};
  folder[last] = content;
  for (const [, name] of content.toString('latin1').matchAll(inclusion))
    for (const where of [path.dirname(file), ...folders])
      add(path.resolve(where, Buffer.from(name, 'latin1').toString()));
}

add(path.resolve(args.at(-1)));
args.forEach((each, index) => {
  if (each === '-include') add(path.resolve(args[index + 1]));
});

const chunks = { stdout: [], stderr: [] };
const keep = (to) => (part) => {
  if (part) to.push(Buffer.from(part));
};
let code = 0;
try {
  await commands.clang([`-working-directory=${process.cwd()}`, ...args], tree, {
    stdout: keep(chunks.stdout),
    stderr: keep(chunks.stderr),
    fetchProgress: () => undefined,
  });
} catch (error) {
  if (!(error instanceof Exit)) throw error;
  ({ code } = error);
}
process.stderr.write(Buffer.concat(chunks.stderr));
process.stdout.write(Buffer.concat(chunks.stdout));
process.exitCode = code;

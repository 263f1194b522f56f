// Runs the clang of the package whose entry is the first argument, with the others, like a program:
// what it may see of the disk is what is named here, and it cannot write.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const [entry, ...given] = process.argv.slice(2);
/** The text of the file, which is the last argument, comes from standard input. */
const isOnInput = given[0] === '--text-on-input';
/** The header whose text comes from standard input. */
const header = given[0] === '--header-on-input' ? given[1] : undefined;
const args = given.slice(isOnInput ? 1 : header === undefined ? 0 : 2);
const { commands, Exit } = await import(entry);

const tree = {};
const seen = new Set();

/** Where `<...>` is looked up, and `"..."` after the folder of the file. */
const folders = args.flatMap((each) => {
  const folder = /^-(?:I|isystem|iquote|idirafter)(.+)$/.exec(each)?.[1];
  return folder === undefined ? [] : [path.resolve(folder)];
});

/** What a text may include, by its words: too much is no harm, and names from macros are missed. */
const inclusion = /\binclude(?:_next)?\s*\(?\s*[<"]([^>"\n]+)[>"]/g;

/** The folder of this absolute name, made if it is not there. */
function folderAt(name) {
  let folder = tree;
  for (const each of name.split(path.sep).filter(Boolean)) folder = folder[each] ??= {};
  return folder;
}

/** Puts a file, if there is one, under its absolute name, and all that it may include. */
function add(file, content) {
  if (seen.has(file)) return;
  if (!content && !statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  seen.add(file);
  content ??= readFileSync(file);
  folderAt(path.dirname(file))[path.basename(file)] = content;
  for (const [, name] of content.toString('latin1').matchAll(inclusion))
    for (const where of [path.dirname(file), ...folders])
      add(path.resolve(where, Buffer.from(name, 'latin1').toString()));
}

folderAt(process.cwd());
if (header !== undefined) add(path.resolve(header), readFileSync(0));
add(path.resolve(args.at(-1)), isOnInput ? readFileSync(0) : undefined);
args.forEach((each, index) => {
  if (each === '-include' || each === '-imacros') add(path.resolve(args[index + 1]));
});

/** The package has a `/usr` of its own, which would hide the machine's: that gets another name. */
const seenAs = (text) => text.replace(/^(-I|-isystem|-iquote|-idirafter)?\/usr(?=\/|$)/, '$1/usr~');
const asBefore = (text) => text.replaceAll('/usr~/', '/usr/');

if (tree.usr) {
  tree['usr~'] = tree.usr;
  delete tree.usr;
}
const output = { stdout: '', stderr: '' };
const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
const keep = (stream) => (part) => {
  if (part) output[stream] += decoders[stream].decode(part, { stream: true });
};
const options = { stdout: keep('stdout'), stderr: keep('stderr'), fetchProgress: () => undefined };
const folder = `-working-directory=${seenAs(process.cwd())}`;
try {
  // Loads the package, which tells of its progress otherwise.
  await commands.clang(null, {}, options);
  await commands.clang([folder, ...args.map(seenAs)], tree, options);
} catch (error) {
  if (!(error instanceof Exit)) throw error;
  process.exitCode = error.code;
}
process.stderr.write(asBefore(output.stderr));
process.stdout.write(asBefore(output.stdout));

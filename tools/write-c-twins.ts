// Writes the C twin of each litmus test of a folder and its subfolders, for comparing the answers
// on both: `npx tsx tools/write-c-twins.ts FOLDER OUTPUT`. The twin of `a/SB.litmus` is
// `OUTPUT/a/SB.c`; tests without a twin are listed with the reason.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { printC } from '@fencewright/languages/printers/c/print-c.js';
import { litmus } from '@fencewright/languages/litmus/front-end.js';
import { finiteProgram } from '@fencewright/model/program/model.js';

const [folder, output] = process.argv.slice(2);
if (folder === undefined || output === undefined) {
  console.error('usage: npx tsx tools/write-c-twins.ts FOLDER OUTPUT');
  process.exit(64);
}

const names = (await readdir(folder, { recursive: true })).filter((name) =>
  name.endsWith('.litmus'),
);
let written = 0;
for (const name of names.toSorted()) {
  const { model, diagnostics } = await litmus.parse(
    await readFile(path.join(folder, name), 'utf8'),
  );
  const program = finiteProgram(model);
  const printed = program ? printC(program) : { diagnostics };
  if (!('text' in printed) || printed.text === undefined) {
    const reasons = printed.diagnostics.filter(({ severity }) => severity === 'error');
    console.log(`${name}: ${reasons.map(({ message }) => message).join('; ')}`);
    continue;
  }
  const file = path.join(output, name.replace(/\.litmus$/, '.c'));
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, printed.text);
  written++;
}
console.log(`${written} of ${names.length} litmus tests written`);

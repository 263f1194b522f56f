// Asks all questions about the algorithms of the atlas, and writes its answers and its page.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { type Ask, askAtlas, atlasPage, readTable, root } from './atlas.js';

const binary = `${root}packages/cli/bin/fencewright.js`;

const ask: Ask = (args) =>
  new Promise((resolve) => {
    // A command that finds violations has an exit code of its own, and a report.
    const options = { cwd: root, maxBuffer: 1024 ** 3 };
    execFile(process.execPath, [binary, ...args], options, (error, stdout) =>
      resolve({ stdout, code: typeof error?.code === 'number' ? error.code : 0 }),
    );
  });

const table = readTable();
const answers = await askAtlas(
  table.flatMap(({ rows }) => rows),
  ask,
);
await writeFile(`${root}docs/atlas/answers.json`, `${JSON.stringify(answers, null, 2)}\n`);
await writeFile(`${root}docs/atlas/README.md`, atlasPage(table, answers));

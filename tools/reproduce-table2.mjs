// Compares Table 2 of [BDM13] with the authors' own inputs: the paper's row beside the row counted
// here. The inputs are not part of this repository. In a clone of github.com/yegord/trencher:
//   git archive e7f0b58 examples | tar -x -C FOLDER
// Then, after `npm run build`: node tools/reproduce-table2.mjs FOLDER/examples
// The second table is about copies of the four NBW programs in which the readers go on after their
// read of the buffer (docs/table2.md).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const columns = ['T', 'L', 'I', 'RQ', 'NR1', 'NR2', 'R', 'F'];

// Name of the input, the row of the paper, SHA-256 of the input.
const rows = `
peterson 2 14 18 23 2 12 9 2 037b14844f06a60388bdd35d67203028e45246139f2dd32d437167efc1c684a1
peterson-correct 2 16 20 12 12 0 0 0 85a5e299b777c67bb9aee92db09085fbd7cf74348e4c627b4f2391b8530fb58b
dekker 2 24 30 95 12 28 55 4 fb59a8458b9cc85bcebb9796fe7772d314d9783a35c0dcd3958522d6ec1888a8
dekker-correct 2 32 38 30 30 0 0 0 63e627400d9b73ac5ead8ffc01b082d26ebaa3a888f09c6161ec45fb9020b58f
lamport-fast-mutex-alg1 3 33 36 36 9 15 12 6 548a335a0a2820158f0925981c6dac7fe6c68fb79e2d347fb5fa72b75e1734b2
lamport-fast-mutex-alg1-correct 3 39 42 27 27 0 0 0 3af28192f80aebe5bb9d1c10f2aa71d112180d99d750a3e7be17ee331403015f
clh-lock 7 62 58 54 48 6 0 0 e5d49d9e6bc50eae4e4f898a0ee5b80f8da9f993a50bb57bd2627b552ee37947
mcs-lock 4 52 50 30 26 4 0 0 fda2843b131294ddeba10bce7d86ca34fb46b0553a54d5cfcbf91c85c71f6f5e
lock-free-stack 4 46 50 14 14 0 0 0 92d18257c0b54fa7c844d7d1fc49016facc08e8600ea723f5f1aa3e8b90d9a59
cilk-the-wsq 5 86 79 152 141 8 3 3 86e146ca602d624c0e74d9c917208185e2d031db7b98f458efb677f6efdd28b4
nbw-w-wr 2 21 19 15 9 5 1 1 4c4c8f38b6f96cf615274df655626c760494fb65e1005b9d21e66f8c0178cc8a
nbw-w-wr-correct 2 22 20 15 15 0 0 0 9fff2c7d7a45c5b64014b0385d738316e4037b091e3935d72acb5cf7b6824abd
nbw-w-ar-ra 3 25 22 9 7 2 0 0 d8331707940d5e9becd57efabe35c88b2b93ae0331f721580694a24a05b00d79
nbw-w-lr-rl 4 45 45 30 26 4 0 0 e2a0df9e434eaeccd494e6bf03bc6eb9235e816b99d10896a6fcb6fbc49f9fa2
parker 2 9 8 2 0 1 1 1 91a253eaa61abd2a9c27607cb5b995b5d47a1cd880488d3dba7af223f72c76c7
parker-correct 2 10 9 2 2 0 0 0 03ef82302347d8244863df4469563b449a1f7b45a0111b76f29fb2cb53554eb6
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map((parts) => ({
    name: parts[0],
    paper: parts.slice(1, 9).map(Number),
    sha256: parts[9],
  }));

/**
 * Corrects the readers of an NBW program, which would get stuck: their read of the buffer now leads
 * to r4 instead of r3.
 */
export function mendReaders(text) {
  return text.replace(/^(transition\s+r2\s+)r3(\s+read\s)/gm, '$1r4$2');
}

/** Returns, for each file, the numbers of the columns, and whether the program is robust. */
function counted(files) {
  const binary = fileURLToPath(new URL('../packages/cli/bin/fencewright.js', import.meta.url));
  const args = [binary, 'bench', '--no-config', '--from', 'trencher', '--json', ...files];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return JSON.parse(stdout).results.map(({ verdict, stats, fenceCount }) => {
    const { threads, labels, instructions, attacks } = stats;
    const { byCfg, infeasible, feasible } = attacks;
    const queries = [byCfg + infeasible + feasible, byCfg, infeasible, feasible];
    return { verdict, numbers: [threads, labels, instructions, ...queries, fenceCount] };
  });
}

function print(names, results, remarkOf) {
  console.log(`${'program'.padEnd(34)}${columns.map((each) => each.padStart(4)).join('')}`);
  results.forEach(({ verdict, numbers }, index) => {
    const cells = numbers.map((each) => String(each ?? '?').padStart(4)).join('');
    console.log(`${names[index].padEnd(34)}${cells}  ${verdict}${remarkOf(index)}`);
  });
}

function main(folder) {
  const texts = rows.map(({ name, sha256 }) => {
    const text = readFileSync(path.join(folder, `${name}.txt`), 'utf8');
    if (createHash('sha256').update(text).digest('hex') !== sha256)
      throw new Error(`${name}.txt is not the file of e7f0b58`);
    return text;
  });
  const results = counted(rows.map(({ name }) => path.join(folder, `${name}.txt`)));
  const isEqual = (index) => rows[index].paper.join() === results[index].numbers.join();
  print(
    rows.map(({ name }) => name),
    results,
    (index) => (isEqual(index) ? '  as in the paper' : `  paper: ${rows[index].paper.join(' ')}`),
  );
  console.log(`\n${rows.filter((_, index) => isEqual(index)).length} rows are equal.\n`);

  const mended = rows.flatMap(({ name }, index) => {
    const text = mendReaders(texts[index]);
    return text === texts[index] ? [] : [{ name, text }];
  });
  const copies = mkdtempSync(path.join(tmpdir(), 'table2-'));
  const files = mended.map(({ name, text }) => {
    const file = path.join(copies, `${name}.txt`);
    writeFileSync(file, text);
    return file;
  });
  console.log('With readers that go on after the read of the buffer:\n');
  print(
    mended.map(({ name }) => name),
    counted(files),
    () => '',
  );
  rmSync(copies, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.length === 3) main(process.argv[2]);
  else {
    console.error('usage: node tools/reproduce-table2.mjs FOLDER');
    console.error('FOLDER: the examples of Trencher e7f0b58, see the head of this file');
    process.exitCode = 2;
  }
}

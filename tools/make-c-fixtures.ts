// Compiles the examples in C with the clangs named on the command line (`clang-16 clang-22`) and
// keeps the output, for tests without a clang: npx tsx tools/make-c-fixtures.ts CLANG... Only the
// first clang compiles the programs of the tests, and examples with a mark at each place for a
// fence.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { markPlaces } from '../packages/core/src/c.js';
import { compileC, findClang } from '../packages/core/src/node.js';

const shipped = 'packages/languages/c';
const isC = (name: string): boolean => /\.(c|cpp)$/.test(name);

/** Writes IR, without the location of the compiler's headers on this machine. */
function keep(file: string, text: string): void {
  writeFileSync(file, text.replaceAll(/"\/[^"]*\/lib\/clang\/[^"]*\/include\//g, '"clang/'));
}

const examples = readdirSync('examples/c').filter(isC);
const marked = ['chase-lev.c', 'parker.c', 'peterson.c'];
const signal = new AbortController().signal;
for (const [index, wish] of process.argv.slice(2).entries()) {
  const wasmRunner = path.join(shipped, 'run-wasm-clang.mjs');
  const clang = await findClang({ folder: '.', signal, wish, tool: '/nowhere', wasmRunner });
  if (clang.kind !== 'native') throw new Error(`${wish}: ${clang.kind}`);
  const folder = `packages/languages/test/fixtures/c/clang-${Number.parseInt(clang.version, 10)}`;
  mkdirSync(folder, { recursive: true });
  const units = examples.map((name) => ({ file: `examples/c/${name}` }));
  const compiled = await compileC(clang, units, { folder: '.', shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  for (const { file, text } of compiled.modules)
    keep(path.join(folder, `${path.basename(file)}.ll`), text);
  if (index > 0) continue;
  const places = marked.map((name) => {
    const file = `examples/c/${name}`;
    return { file, text: markPlaces(readFileSync(file, 'utf8'), () => true).text };
  });
  const withMarks = await compileC(clang, places, { folder: '.', shipped });
  if (withMarks.kind !== 'compiled') throw new Error(JSON.stringify(withMarks));
  const markedFolder = 'packages/languages/test/fixtures/c/marked';
  mkdirSync(markedFolder, { recursive: true });
  for (const { file, text } of withMarks.modules.slice(0, -1))
    keep(path.join(markedFolder, `${path.basename(file)}.ll`), text);
  const programs = 'packages/languages/test/fixtures/c/programs';
  const tests = readdirSync(programs).filter(isC);
  const small = await compileC(
    clang,
    tests.map((file) => ({ file })),
    { folder: programs, shipped: path.relative(programs, shipped) },
  );
  if (small.kind !== 'compiled') throw new Error(JSON.stringify(small));
  for (const { file, text } of small.modules)
    if (tests.includes(file)) keep(path.join(programs, `${file}.ll`), text);
  const more = ['races', 'counted'].map((name) => `packages/languages/test/fixtures/c/${name}`);
  const others = more.flatMap((each) =>
    readdirSync(each)
      .filter(isC)
      .map((name) => ({ file: `${each}/${name}` })),
  );
  const told = await compileC(clang, others, { folder: '.', shipped });
  if (told.kind !== 'compiled') throw new Error(JSON.stringify(told));
  for (const { file, text } of told.modules.slice(0, -1)) keep(`${file}.ll`, text);
}

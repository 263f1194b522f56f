import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const main = `int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, left, 0);
  pthread_create(&q, 0, right, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
}
`;

const accesses = `#define SET(v, n) atomic_store_explicit(&(v), (n), memory_order_relaxed)
#define GET(v) atomic_load_explicit(&(v), memory_order_relaxed)
`;

const swap = `#define SWAP(mine, other, out) \\
  do { \\
    SET(mine, 1); \\
    SET(out, GET(other)); \\
  } while (0)
`;

const fence = 'atomic_thread_fence(memory_order_seq_cst)';

const head = '#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, y, r, s;\n';

/**
 * Store buffering: one macro is the whole code of `left`; `right` has several statements, each of
 * which is a macro.
 */
const half = `static void *left(void *u) { SWAP(x, y, r); return u; }
static void *right(void *u) {
  SET(y, 1);
  SET(s, GET(x));
  return u;
}
${main}`;

/** Store buffering, both threads by a macro. */
const both = half.replace('  SET(y, 1);\n  SET(s, GET(x));\n', '  SWAP(y, x, s);\n');

/**
 * Runs `fence --write`, and expects that the changed texts are robust; returns the output of
 * `fence`.
 */
async function written(cwd: string, file: string): Promise<string> {
  expect((await fencewright(['check', file], { cwd })).code).toBe(10);
  const run = await fencewright(['fence', '--write', file], { cwd });
  expect(run).toMatchObject({ code: 0 });
  expect((await fencewright(['check', file], { cwd })).code).toBe(0);
  return run.stdout;
}

test('a fence goes into a macro of the file where no statement is enough', async () => {
  const text = head + accesses + swap + half;
  const cwd = await folderWith({ 'a.c': text });
  const said = await written(cwd, 'a.c');
  expect(said).toContain('2 fences of cost 2, provably cheapest');
  expect(readFileSync(path.join(cwd, 'a.c'), 'utf8')).toBe(
    text
      .replace('    SET(out', `    ${fence}; \\\n    SET(out`)
      .replace('  SET(s,', `  ${fence};\n  SET(s,`),
  );
});

test('a fence in a macro is one, and no other single place is enough', async () => {
  const text = head + accesses + swap + both;
  const lines = text.split('\n');
  const cwd = await folderWith({ 'a.c': text });
  const said = await written(cwd, 'a.c');
  expect(said).toContain('1 fence of cost 1');
  // A fence before each line at which a statement begins, outside of the macro.
  const others = lines.flatMap((line, index) => {
    if (!/^ {2}(?:SWAP|return)/.test(line)) return [];
    return [[`b${index}.c`, lines.toSpliced(index, 0, `  ${fence};`).join('\n')]];
  });
  expect(others).toHaveLength(2);
  const elsewhere = await folderWith(Object.fromEntries(others) as Record<string, string>);
  for (const [name = ''] of others)
    expect((await fencewright(['check', name], { cwd: elsewhere })).code).toBe(10);
});

test('a fence goes into a macro of a header of the project, spelled as there', async () => {
  const header = accesses + swap;
  const cwd = await folderWith({ 'swap.h': header, 'a.c': `${head}#include "swap.h"\n${both}` });
  const said = await written(cwd, 'a.c');
  expect(said).toContain(
    'the change is written into swap.h, which may be included by other programs',
  );
  expect(readFileSync(path.join(cwd, 'swap.h'), 'utf8')).toBe(
    header.replace('    SET(out', `    ${fence}; \\\n    SET(out`),
  );
});

test('a fence goes between the operands of a comma in a macro', async () => {
  const enter = '#define ENTER(mine, other) (SET(mine, 1), !GET(other))\n';
  const text =
    head + accesses + enter + both.replaceAll(/SWAP\((\w, \w), (\w)\)/g, '$2 = ENTER($1)');
  const cwd = await folderWith({ 'a.c': text });
  await written(cwd, 'a.c');
  expect(readFileSync(path.join(cwd, 'a.c'), 'utf8')).toBe(
    text.replace('!GET(other))', `(${fence}, !GET(other)))`),
  );
});

test('with a proof, the fences in macros are told, and nothing is written', async () => {
  const text = head + accesses + swap + both;
  const cwd = await folderWith({ 'a.c': text });
  const args = ['fence', '--write', '--certificate', 'a.json', 'a.c'];
  const run = await fencewright(args, { cwd });
  expect(run.code).toBe(65);
  expect(run.stderr).toContain("the fence belongs in macro 'SWAP', line 6");
  expect(readFileSync(path.join(cwd, 'a.c'), 'utf8')).toBe(text);
  // One fence in the macro is cheaper, and is no place of the program that the proof is about.
  expect(run.stdout.split('\n')[0]).toBe(
    'a.c becomes robust with 2 fences of cost 2, provably cheapest among the places of the program, where each inlined call counts: 2 executions rule out less',
  );
  expect(run.stderr).toContain(
    'a.json is not written: certificates are about places between statements of the file',
  );
});

test.each([[], ['--certificate', 'proof.json']])(
  'fences in a header of others are the cheapest of the program, each call counted: %j',
  async (...options) => {
    const texts = { 'node_modules/swap.h': accesses + swap };
    const cwd = await folderWith({ ...texts, 'a.c': `${head}#include "swap.h"\n${both}` });

    const run = await fencewright(['fence', ...options, 'a.c', '--', '-Inode_modules'], { cwd });
    expect(run.stdout.split('\n')[0]).toBe(
      'a.c becomes robust with 2 fences of cost 2, provably cheapest among the places of the program, where each inlined call counts: 2 executions rule out less',
    );
    expect(run.code).toBe(65);
  },
);

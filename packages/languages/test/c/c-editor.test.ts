import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fence } from '../../../core/src/api/fence.js';
import { editC } from '../../src/c/c-editor.js';
import { markPlaces, unmarkedPlaces } from '../../src/c/mark-places.js';
import { singleRepairs } from '@fencewright/model/program/repair.js';
import { cExamples, libraryOf, lowered } from '../llvm-ir/fixtures.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

function marked(name: string) {
  const file = `examples/c/${name}`;
  const source = readFileSync(path.join(root, file), 'utf8');
  const places = markPlaces(source, () => true);
  const ir = path.join(root, 'packages/languages/test/fixtures/c/marked', `${name}.ll`);
  const modules = [{ file, text: readFileSync(ir, 'utf8') }, libraryOf('clang-16')];
  const unmarked = unmarkedPlaces(source, places);
  const program = lowered(modules, { main: file, unmarked });
  return { source, program, editor: editC(source, places, program, false) };
}

/** Returns the lines that the text `after` has and `before` lacks. */
function added(before: string, after: string): readonly string[] {
  const lines = before.split('\n');
  return after.split('\n').filter((line) => !lines.includes(line));
}

describe.each(['chase-lev.c', 'parker.c', 'peterson.c'])('%s', (name) => {
  const { source, program, editor } = marked(name);
  const expected = cExamples.find(([file]) => file === name)![1];

  test(`needs ${expected.fences} fences as places in its text`, async () => {
    const { verdict } = await fence(program, { repairs: editor.repairs!('fence') });
    if (verdict.kind !== 'found') return expect.fail(verdict.kind);
    expect(verdict.cost).toBe(expected.fences);
    const repairs = verdict.repairs.flatMap((one) => (one.kind === 'fence' ? [one] : []));
    const { text = '' } = editor.repair(repairs, () => undefined);
    const fences = added(source, text);
    expect(fences).toEqual(
      Array<string>(expected.fences).fill('  atomic_thread_fence(memory_order_seq_cst);'),
    );
  });

  test('the places of the text are told as such', () => {
    const lines = source.split('\n');
    for (const { repair } of editor.repairs!('fence'))
      for (const part of singleRepairs(repair)) {
        if (part.kind !== 'fence') return expect.fail();
        const [first, ...others] = editor.placesOf(part.thread, part.location);
        expect(others).toEqual([]);
        expect(lines[first!.line]!.slice(first!.column)).toMatch(/^\S/);
      }
    const starts = program.threads.flatMap(({ transitions }) =>
      transitions.flatMap(({ instruction, origin: { span } }) =>
        instruction.kind === 'store' && span ? [span.start] : [],
      ),
    );
    // Stores have their positions in the file, without the marks.
    for (const { line, column } of starts)
      expect(lines[line]!.slice(column)).toMatch(/^(?:atomic_store|=)/);
  });

  test('stores of the text can be made stronger, each with all that it is', () => {
    const repairs = editor.repairs!('xchg');
    expect(repairs.length).toBeGreaterThan(0);
    for (const { repair } of repairs) {
      if (repair.kind === 'fence') return expect.fail();
      const { thread, transition } = repair;
      const { text = '' } = editor.repair([{ kind: 'xchg', thread, transition }], () => undefined);
      expect(added(source, text)).toEqual([
        expect.stringMatching(/atomic_store_explicit\(.*, memory_order_seq_cst\)/),
      ]);
    }
  });
});

test('a place of a function that is called at several places is one place', () => {
  const { editor } = marked('chase-lev.c');
  const sizes = editor.repairs!('fence').map(({ repair }) => singleRepairs(repair).length);
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(2);
});

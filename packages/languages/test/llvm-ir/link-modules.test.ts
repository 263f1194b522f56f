import { expect, it } from 'vitest';
import { linkModules } from '../../src/llvm-ir/link-modules.js';
import { listedFunctions } from '../../src/llvm-ir/listed-functions.js';
import { readModule } from '../../src/llvm-ir/read-module.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';

const entry = '{ i32, ptr, ptr }';

/**
 * Returns a module with constructors of these priorities; other modules use the same function
 * names.
 */
function moduleWith(...priorities: readonly number[]): string {
  const list = priorities.map((each, i) => `${entry} { i32 ${each}, ptr @f${i}, ptr null }`);
  return [
    `@llvm.global_ctors = appending global [${list.length} x ${entry}] [${list.join(', ')}]`,
    `@llvm.used = appending global [1 x ptr] [ptr @f0], section "llvm.metadata"`,
    ...priorities.map((_, i) => `define internal void @f${i}() {\n  ret void\n}`),
  ].join('\n');
}

it('appends what modules list, by priority and then in the order of the modules', () => {
  const errors = new ErrorList();
  const texts = [moduleWith(65535, 200), moduleWith(65535, 100)];
  const linked = linkModules(
    texts.map((text) => readModule(text, errors)),
    errors,
  );
  expect(errors.toDiagnostics()).toEqual([]);
  const names = listedFunctions(linked, 'llvm.global_ctors').map(({ name }) => name);
  expect(names).toEqual(['f1@1', 'f1@0', 'f0@0', 'f0@1']);
  const list = linked.globals.get('llvm.global_ctors');
  expect(list?.type).toMatchObject({ kind: 'array', length: 4 });
});

it('takes a variable of the program in place of a function of the library, the last module', () => {
  const texts = [
    '@signal = global i32 3',
    'define i32 @signal(i32 %0) {\n  ret i32 %0\n}',
  ] as const;
  const link = (modules: readonly string[]) => {
    const errors = new ErrorList();
    const linked = linkModules(
      modules.map((text) => readModule(text, errors)),
      errors,
    );
    return { linked, messages: errors.toDiagnostics().map(({ message }) => message) };
  };
  const { linked, messages } = link(texts);
  expect(messages).toEqual([]);
  expect(linked.globals.get('signal')?.initial).toEqual({ kind: 'integer', value: 3n });
  expect(linked.functions.has('signal')).toBe(false);
  // Two definitions of the program are an error.
  const twice = link([...texts, 'define void @other() {\n  ret void\n}']);
  expect(twice.messages).toEqual([expect.stringContaining("'signal' is defined in two")]);
});

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

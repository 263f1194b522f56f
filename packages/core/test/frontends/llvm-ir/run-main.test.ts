import { describe, expect, it } from 'vitest';
import { layOut } from '../../../src/frontends/llvm-ir/image.js';
import { positionInC } from '../../../src/frontends/llvm-ir/positions.js';
import { readModule } from '../../../src/frontends/llvm-ir/read-module.js';
import { runMain } from '../../../src/frontends/llvm-ir/run-main.js';
import { ErrorList } from '../../../src/source/error-list.js';

const head = `@x = global [2 x i32] [i32 5, i32 0]
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare ptr @calloc(i64, i64)
declare i32 @rand()
define internal ptr @worker(ptr %arg) {
  ret ptr null
}
`;

function run(...lines: string[]) {
  const errors = new ErrorList();
  const body = lines.map((line) => `  ${line}\n`).join('');
  const module = readModule(
    `${head}define i32 @main() {\nentry:\n  %t = alloca [99 x i64]\n${body}}\n`,
    errors,
  );
  expect(errors.toDiagnostics()).toEqual([]);
  const image = layOut(module);
  return { image, main: runMain(image) };
}

function create(argument: string): string {
  return `call i32 @pthread_create(ptr %t, ptr null, ptr @worker, ptr ${argument})`;
}

const join = ['%h = load i64, ptr %t', 'call i32 @pthread_join(i64 %h, ptr null)'];

describe('main until its threads', () => {
  it('leaves what it stored before as the initial memory, and tells what it does later', () => {
    const second = 'getelementptr inbounds ([2 x i32], ptr @x, i64 0, i64 1)';
    const { image, main } = run(
      'store i32 7, ptr @x',
      create('@x'),
      `store i32 8, ptr ${second}`,
      create('null'),
    );
    if (main.kind !== 'threads') throw new Error(main.message);
    const x = image.addressOf('x');
    expect(main.threads).toMatchObject([
      { function: { name: 'worker' }, argument: BigInt(x) },
      { function: { name: 'worker' }, argument: 0n },
    ]);
    expect([image.memory.load(x, 4), image.memory.load(x + 4, 4)]).toEqual([7n, 8n]);
    expect(main.late).toContainEqual({ kind: 'store', address: x + 4, size: 4, started: 1 });
    expect(main.late).not.toContainEqual(expect.objectContaining({ address: x }));
  });

  it('ends where the last thread is joined', () => {
    const { main } = run(create('null'), ...join, '%y = load i32, ptr null', 'ret i32 0');
    expect(main).toMatchObject({ kind: 'threads', threads: [{}] });
  });

  it('tells what functions of the library do to memory', () => {
    const { main } = run(create('null'), '%m = call ptr @calloc(i64 2, i64 4)', 'ret i32 0');
    expect(main.kind).toBe('threads');
  });

  it.each([
    [[create('null'), ...join, create('null')], undefined],
    [[create('null'), create('null'), ...join, create('null')], 'after another was joined'],
    [Array.from({ length: 65 }, () => create('null')), 'more than 64 threads'],
    [[create('undef')], 'has no value'],
    [['call i32 @rand()'], "'rand' has no body"],
    [['call i32 @pthread_join(i64 1, ptr null)'], 'no thread that runs'],
    [['br label %l', '', 'ret i32 0'], "no label 'l'"],
    [['call i32 @pthread_create(ptr %t, ptr null, ptr @x, ptr null)'], 'what is no function'],
    [['call i32 @pthread_create(ptr %t, ptr null, ptr @rand, ptr null)'], "'rand' has no body"],
  ])('refuses %#', (lines, message) => {
    const { main } = run(...lines);
    if (message === undefined) expect(main.kind).toBe('threads');
    else expect(main.kind === 'refused' && main.message).toContain(message);
  });

  it('does not run for ever', { timeout: 60_000 }, () => {
    const { main } = run('br label %entry');
    expect(main).toMatchObject({ kind: 'refused', at: { operation: { kind: 'alloca' } } });
  });

  it('refuses a program without main', () => {
    const image = layOut(readModule(head, new ErrorList()));
    expect(runMain(image)).toMatchObject({ kind: 'refused', message: "there is no 'main'" });
  });
});

describe('positions in C', () => {
  const metadata = new Map([
    ['!1', '!DIFile(filename: "lock.c", directory: "/tmp")'],
    ['!2', 'distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, unit: !9)'],
    ['!3', 'distinct !DILexicalBlock(scope: !2, line: 4, column: 8)'],
    ['!4', '!DILocation(line: 5, column: 9, scope: !3)'],
    ['!5', '!DILocation(line: 0, scope: !3)'],
    ['!6', 'distinct !DILexicalBlock(scope: !6)'],
    ['!7', '!DILocation(line: 5, column: 9, scope: !6)'],
  ]);

  it('are those of the innermost scope with a file', () => {
    expect(positionInC({ metadata }, { debug: '!4' }, (name) => `text of ${name}`)).toEqual({
      start: { line: 4, column: 8 },
      end: { line: 4, column: 9 },
      source: { name: 'lock.c', text: 'text of lock.c' },
    });
  });

  it.each(['!5', '!7', '!8', undefined])('are absent where the IR has none: %s', (debug) => {
    expect(positionInC({ metadata }, debug === undefined ? {} : { debug })).toBeUndefined();
  });
});

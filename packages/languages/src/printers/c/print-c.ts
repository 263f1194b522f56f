import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import { at } from '@fencewright/ground/base/at.js';
import { hasPart } from '@fencewright/model/program/expression.js';
import { transitionsFrom } from '@fencewright/model/program/leaving.js';
import { noteFenceCosts } from '@fencewright/model/program/note-fence-costs.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program, Property, StateLeaf } from '@fencewright/model/program/program.js';
import { PrintReport } from '@fencewright/ground/source/print-report.js';
import { commentText } from '@fencewright/ground/source/quote-name.js';
import { CExpressions } from './c-expression.js';
import { constantCell, layoutInC } from './c-memory.js';
import { namesInC } from './c-names.js';
import { numberInC, type Support, supportLines } from './c-support.js';
import { type CFile, needsBlock } from './c-statement.js';
import { printCThread } from './print-c-thread.js';

/**
 * Returns the program as C11 with pthreads, to be compiled with `cc -pthread` and run, or read by
 * verifiers of C: shared cells are `_Atomic int` with relaxed loads and stores, rmws and fences are
 * seq_cst, so that each is one instruction of x86. `main` starts the threads, waits for them,
 * prints the final state and asserts the `finally` conditions. Lock blocks, and rmws absent from C,
 * become `__VERIFIER_atomic_begin` to `_end`. Faults of the program are undefined in C, or failing
 * assertions. Properties of other states, invariants and costs of fences are left out with a note;
 * errors are addresses that lie too far apart, and rmws that need a lock block but are in one on
 * some paths only.
 */
export function printC(program: Program): PrintResult {
  const report = new PrintReport();
  noteFenceCosts(program, report);
  for (const { name, span } of program.invariants ?? [])
    report.note(
      span,
      `invariant '${name}' does not exist in this format`,
      'a program in C has assertions, about what one thread sees',
    );
  const layout = layoutInC(program);
  if (!layout)
    report.refuse(
      undefined,
      'the addresses of the program lie too far apart',
      'memory is an array of at most 65536 cells where addresses are computed',
    );
  if (!layout) return { diagnostics: report.diagnostics };
  const support = new Set<Support>();
  const names = namesInC(program, layout.kind === 'variables' ? layout.others : []);
  const file: CFile = {
    program,
    layout,
    names,
    report,
    uses: (one) => support.add(one),
    isChecked: whyFaultFree(program) === undefined,
    hasBlocks: hasBlocks(program),
  };
  if (layout.kind === 'array' && layout.isOpen)
    report.note(
      undefined,
      `an access to an address outside of ${layout.low}..${layout.high} ends the C program`,
      'in this language such an access is to a cell that holds 0',
    );
  const threads = program.threads.flatMap((thread, id) => [
    ...printCThread(file, thread, at(names.threads, id)),
    '',
  ]);
  const main = mainLines(file);
  const { diagnostics } = report;
  if (report.hasErrors) return { diagnostics };
  const addresses = layout.kind === 'array' ? layout : undefined;
  const lines = [
    `/* ${commentText(program.name)}. Compile with -pthread. */`,
    '#include <assert.h>',
    '#include <pthread.h>',
    '#include <stdatomic.h>',
    '#include <stdio.h>',
    '',
    ...supportLines(support, { domain: program.domain, addresses }),
    ...sharedLines(file),
    ...resultLines(file),
    ...threads,
    ...main,
    '',
  ];
  return { text: lines.join('\n'), diagnostics };
}

function hasBlocks(program: Program): boolean {
  return program.threads.some(({ transitions }) =>
    transitions.some(
      ({ instruction }) =>
        instruction.kind === 'lock' ||
        instruction.kind === 'unlock' ||
        (instruction.kind === 'rmw' && needsBlock(program, instruction.operation)),
    ),
  );
}

function sharedLines({ program, layout, names }: CFile): readonly string[] {
  const { symbols } = program;
  if (layout.kind === 'array') {
    const ids = symbols.map(({ base }, id) => `${at(names.symbols, id)} = ${numberInC(base)}`);
    const values = symbols.flatMap(({ base, initial }) =>
      initial.flatMap((value, cell) =>
        value === 0 ? [] : [`[${base + cell - layout.low}] = ${numberInC(value)}`],
      ),
    );
    const start = values.length > 0 ? ` = {${values.join(', ')}}` : '';
    return [
      ...(ids.length > 0 ? [`enum { ${ids.join(', ')} };`] : []),
      `static _Atomic int memory[${layout.high - layout.low + 1}]${start};`,
      '',
    ];
  }
  const lines = symbols.map(({ length, isArray, initial }, id) => {
    const name = at(names.symbols, id);
    const values = initial.map(numberInC);
    const isZero = initial.every((value) => value === 0);
    if (!isArray) return `static _Atomic int ${name}${isZero ? '' : ` = ${values[0]!}`};`;
    return `static _Atomic int ${name}[${length}]${isZero ? '' : ` = {${values.join(', ')}}`};`;
  });
  const others = names.cells.map((name) => `static _Atomic int ${name};`);
  return lines.length + others.length > 0 ? [...lines, ...others, ''] : [];
}

/** Returns the registers that users know and threads set, as `(thread, register)`. */
function shownRegisters({ program }: CFile): readonly (readonly [number, number])[] {
  return program.threads.flatMap(({ registers, transitions }, thread) =>
    registers.flatMap(({ hidden }, register): (readonly [number, number])[] => {
      const isSet = transitions.some(
        ({ instruction }) => 'into' in instruction && instruction.into === register,
      );
      return hidden || !isSet ? [] : [[thread, register]];
    }),
  );
}

const resultName = ({ names }: CFile, thread: number, register: number): string =>
  at(at(names.threads, thread).results, register);

function resultLines(file: CFile): readonly string[] {
  const shown = shownRegisters(file);
  if (shown.length === 0) return [];
  return [
    '/* What registers hold when their threads have ended. */',
    ...shown.map(([thread, register]) => `static int ${resultName(file, thread, register)};`),
    '',
  ];
}

function mainLines(file: CFile): readonly string[] {
  const { program, names } = file;
  const count = program.threads.length;
  return [
    'int main(void) {',
    ...(count > 0 ? [`  pthread_t threads[${count}];`] : []),
    ...names.threads.map(
      ({ name }, id) => `  pthread_create(&threads[${id}], NULL, ${name}, NULL);`,
    ),
    ...names.threads.map((_, id) => `  pthread_join(threads[${id}], NULL);`),
    ...finalState(file),
    ...program.properties.flatMap((property) => propertyLines(file, property)),
    '  return 0;',
    '}',
  ];
}

/**
 * Returns the lines for printing the final values of memory and registers, one line for each value.
 */
function finalState(file: CFile): readonly string[] {
  const { program, layout, names } = file;
  const named = program.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, cell) => base + cell),
  );
  const others =
    layout.kind === 'variables' ? layout.others.map(({ address }) => address) : layout.addresses;
  const addresses = new Set([...named, ...others]);
  const cells = [...addresses].map((address) =>
    constantCell(layout, program.symbols, names, address)!,
  );
  const registers = shownRegisters(file).map(([thread, register]) =>
    resultName(file, thread, register),
  );
  return [...cells, ...registers].map((name) => `  printf("${name} = %d\\n", ${name});`);
}

function propertyLines(file: CFile, property: Property): readonly string[] {
  const { name, kind, condition, span } = property;
  const leaf = (one: StateLeaf): string | undefined => leafText(file, one);
  const isFinal = kind === 'finally' || kind === 'exists';
  const isSayable =
    isFinal && !hasPart<StateLeaf>(condition, (part) => isLeaf(part) && leaf(part) === undefined);
  if (!isSayable) {
    file.report.note(
      span,
      `property '${name}' does not exist in this format`,
      isFinal
        ? 'the C program cannot tell at which of several places a thread has ended'
        : 'the C program looks at final states only',
    );
    return [];
  }
  const expressions = new CExpressions<StateLeaf>({
    leaf: (one) => leaf(one)!,
    uses: file.uses,
    isChecked: true,
  });
  const text = expressions.condition(condition);
  return kind === 'finally'
    ? [`  assert(${text});`]
    : [`  if (${text}) puts("exists: ${commentText(name).replace(/["\\?]/g, '_')}");`];
}

function isLeaf(part: { readonly kind: string }): part is StateLeaf {
  return part.kind === 'memory' || 'thread' in part;
}

/**
 * Returns the text of a claim about the final state in a condition; `undefined` if the printed
 * program cannot know the answer.
 */
function leafText(file: CFile, leaf: StateLeaf): string | undefined {
  const { program, layout, names } = file;
  switch (leaf.kind) {
    case 'ended':
    case 'drained':
      return '1';
    case 'memory':
      return constantCell(layout, program.symbols, names, leaf.address) ?? '0';
    case 'register': {
      const { thread, register } = leaf;
      const isShown = shownRegisters(file).some(([t, r]) => t === thread && r === register);
      return isShown ? resultName(file, thread, register) : '0';
    }
    case 'at': {
      const thread = at(program.threads, leaf.thread);
      const ends = thread.locations.flatMap((_, location) =>
        transitionsFrom(thread, location).length === 0 ? [location] : [],
      );
      if (!ends.includes(leaf.location)) return '0';
      return ends.length === 1 ? '1' : undefined;
    }
  }
}

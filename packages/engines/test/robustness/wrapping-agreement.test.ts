import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import {
  applyBinary,
  applyUnary,
  evaluateExpression,
  ExecutionFault,
} from '@fencewright/model/program/evaluate.js';
import { hasPart, isConversion, type Expression } from '@fencewright/model/program/expression.js';
import type { Program } from '@fencewright/model/program/program.js';
import { mapInstruction } from '@fencewright/model/program/rewrite.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { withWrapping } from '@fencewright/reference/testing/with-wrapping.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

const runs = randomRuns(500, 5000, 60);
const seed = randomSeed(20261123);

const variants = [
  { engine: 'instrument' },
  { engine: 'single-query' },
  { engine: 'search' },
  { engine: 'search', without: ['static-path'], forTests: { stagesAfter: 0 } },
  {
    engine: { name: 'search', kernel: 'wasm' },
    without: ['static-path', 'symmetry', 'owned-cells'],
  },
] as const;

const operators = [
  ...['+%', '-%', '*%', '/%', '%%', '<<%', '>>%', '<%', '<=%', '>%', '>=%'],
  ...['i8', 'u8', 'i16', 'u16'],
];

function names(attacks: readonly Attack[]): string[] {
  return attacks.map(({ thread, store, load }) => `${thread}:${store}:${load}`).sort();
}

const exact: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+%': (a, b) => a + b,
  '-%': (a, b) => a - b,
  '*%': (a, b) => a * b,
  '<<%': (a, b) => a << b,
};

/** Whether the operator's result differs from the result without wrapping. */
function wraps(part: Expression, register: number): boolean {
  const value = (operand: Expression): number => evaluateExpression(operand, () => register);
  try {
    if (part.kind === 'unary' && isConversion(part.operator)) {
      const operand = value(part.operand);
      return applyUnary(part.operator, operand) !== operand;
    }
    if (part.kind !== 'binary' || !operators.includes(part.operator)) return false;
    const [a, b] = [value(part.left), value(part.right)];
    const result = applyBinary(part.operator, a, b);
    const unbounded = exact[part.operator];
    return unbounded ? unbounded(BigInt(a), BigInt(b)) !== BigInt(result) : a < 0 || b < 0;
  } catch (error) {
    if (error instanceof ExecutionFault) return false;
    throw error;
  }
}

/** Returns the number of wrapped results in the program, if all registers are 0, or 1, or 2. */
function wrappedResults(program: Program): number {
  let count = 0;
  const look = (expression: Expression): Expression => {
    hasPart(expression, (part) => {
      if ([0, 1, 2].some((register) => wraps(part, register))) count++;
      return false;
    });
    return expression;
  };
  for (const { transitions } of program.threads)
    for (const { instruction } of transitions) mapInstruction(instruction, look);
  return count;
}

/**
 * Returns the engines' answers about the program that contradict the definition's answers about
 * `defined`.
 */
async function disagreements(
  program: Program,
  defined: Program,
  count: FeatureCount,
): Promise<string[]> {
  const definition = attacksByDefinition(defined, 20_000);
  const wrapped = wrappedResults(program);
  const features = [
    ...programFeatures(program),
    ...Array.from({ length: Math.min(wrapped, 5) }, (_, i) => `${i + 1} results wrap`),
  ];
  const feasible = names(definition.feasible);
  if (!definition.complete && feasible.length === 0) {
    count.add([...features, 'too large or faulty']);
    return [];
  }
  const found: string[] = [];
  for (const variant of variants) {
    const all = await check(program, { ...variant, allAttacks: true });
    const own = names(
      all.attacks.filter(({ verdict }) => verdict === 'feasible').map(({ attack }) => attack),
    );
    const isRight = definition.complete
      ? own.join() === feasible.join() &&
        all.verdict.kind === (own.length > 0 ? 'not-robust' : 'robust')
      : // An execution ends at a fault; every engine finds the attacks found before the fault.
        all.verdict.kind === 'not-robust' && feasible.every((attack) => own.includes(attack));
    if (!isRight)
      found.push(
        `${JSON.stringify(variant)}: ${all.verdict.kind} ${own.join(' ')}, by definition: ${feasible.join(' ')}`,
      );
  }
  count.add([...features, feasible.length > 0 ? 'not-robust' : 'robust']);
  return found;
}

function expectFeatures(count: FeatureCount, wanted: readonly string[], least: number): void {
  console.info(count.toString());
  for (const feature of wanted) expect(count.get(feature), feature).toBeGreaterThan(least);
}

test(`${runs} random programs say the same by operators that wrap`, async () => {
  const count = new FeatureCount();
  const pairs = withWrapping(
    fc.oneof(randomProgram(), randomAutomata({ maxThreads: 2, maxSpine: 5 })),
  );
  await fc.assert(
    fc.asyncProperty(pairs, async ({ plain, wrapping }) => {
      expect(await disagreements(wrapping, plain, count)).toEqual([]);
    }),
    { numRuns: runs, seed },
  );
  const wanted = ['robust', 'not-robust', '5 results wrap', 'computed address', 'rmw', 'lock'];
  // Few of these programs compare numbers; the programs below do.
  const often = operators.filter((operator) => !/^[<>]=?%$/.test(operator));
  expectFeatures(count, [...wanted, ...often], runs / 100);
});

test(`${runs} random programs that compute with operators that wrap`, async () => {
  const count = new FeatureCount();
  const programs = fc.oneof(
    randomAutomata({ wraps: true, maxSpine: 5, maxThreads: 2 }),
    randomAutomata({ wraps: true, faults: true, maxSpine: 4, maxThreads: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      expect(await disagreements(program, program, count)).toEqual([]);
    }),
    { numRuns: runs, seed },
  );
  const wanted = ['robust', 'not-robust', '2 results wrap'];
  expectFeatures(count, [...wanted, ...operators], runs / 100);
});

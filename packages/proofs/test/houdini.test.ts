import { expect, it } from 'vitest';
import { largestInductive } from '../src/invariants/houdini.js';
import { Prover } from '../src/obligations/obligation.js';
import { toProofProgram } from '../src/steps/proof-program.js';
import { openProgram, useSolver } from './proving.js';

const solver = useSolver();

async function survivors(text: string, given: readonly string[] = []) {
  const open = openProgram(text);
  const invariants = open.templates.invariants ?? [];
  const program = toProofProgram(open, invariants);
  if ('unsupported' in program) throw new Error(program.unsupported.kind);
  const known = invariants.filter(({ name }) => given.includes(name));
  const candidates = invariants.filter(({ name }) => !given.includes(name));
  const prover = new Prover(solver);
  const kept = await largestInductive(program, known, candidates, prover);
  expect(prover.proved).toEqual([]);
  return kept.map(({ name }) => name);
}

const turns = `program P
  var turn, x, y
  thread t[*] { local r; loop { r = x; go: x = r; y = 2; back: turn = self; } }
  thread u { loop { x = 0; at: y = 2; } }`;

it('keeps candidates that need each other', async () => {
  expect(
    await survivors(`${turns}
      invariant register(a: t): a.r == 0
      invariant zero: x == 0`),
  ).toEqual(['register', 'zero']);
  expect(
    await survivors(`${turns}
      invariant register(a: t): a.r == 0`),
  ).toEqual([]);
});

it('leaves out what fails at the start, after a step, or once another is gone', async () => {
  expect(
    await survivors(`${turns}
      invariant start: y == 2
      invariant step: y == 0
      invariant rest: y == 0 || turn == 0
      invariant true_(a: t): a @ back ==> y == 2
      invariant sign: y >= 0
      invariant pair(a: t, b: t): a.r == b.r
      invariant zero: x == 0
      invariant register(a: t): a.r == 0`),
  ).toEqual(['true_', 'sign', 'pair', 'zero', 'register']);
});

it('may rest on what is given', async () => {
  const text = `${turns}
    invariant zero: x == 0
    invariant register(a: t): a.r == 0`;
  expect(await survivors(text, ['zero'])).toEqual(['register']);
});

it('tries what is weaker in the place of what it leaves out, and says why it left it out', async () => {
  const open = openProgram(`${turns}
    invariant none: y == 0
    invariant few: y <= 1
    invariant more: y <= 2
    invariant start: y == 2`);
  const [none, few, more, start] = open.templates.invariants!;
  const program = toProofProgram(open, open.templates.invariants!);
  if ('unsupported' in program) throw new Error(program.unsupported.kind);
  const weaker = new Map([
    [none, [few!]],
    [few, [more!]],
  ]);
  const removed = new Map<string, boolean>();
  const kept = await largestInductive(program, [], [none!, start!], new Prover(solver), {
    weaken: (each) => weaker.get(each) ?? [],
    onRemoval: ({ name }, { step }) => removed.set(name, step !== undefined),
  });
  expect(kept).toEqual([more]);
  expect([...removed]).toEqual([
    ['start', false],
    ['none', true],
    ['few', true],
  ]);
});

it('finds nothing when it is stopped', async () => {
  const open = openProgram(`${turns}\n invariant sign: y >= 0`);
  const program = toProofProgram(open, open.templates.invariants!);
  if ('unsupported' in program) throw new Error(program.unsupported.kind);
  // No solver is called: stopping a solver takes longer than many questions.
  const asleep = { ...solver, solve: () => Promise.reject(new Error('asked')) };
  for (const options of [{ signal: AbortSignal.abort() }, { timeout: () => 1 }]) {
    const stopped = new Prover(asleep, options);
    expect(await largestInductive(program, [], open.templates.invariants!, stopped)).toEqual([]);
  }
});

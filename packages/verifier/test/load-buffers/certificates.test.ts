import {
  automataToJson,
  Budget as CoreBudget,
  finiteProgram,
  type Program,
  reach,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { certifyUnreached, programWithQuestions } from '@fencewright/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '../../src/budget.js';
import { certificateDigest } from '../../src/canonical-json.js';
import { Met } from '../../src/code.js';
import { BadStates } from '../../src/load-buffers/bad-states.js';
import { before } from '../../src/load-buffers/before.js';
import { type Cone, Cones, contains } from '../../src/load-buffers/cone.js';
import { threadGraphs } from '../../src/load-buffers/thread-graphs.js';
import { startOf, registersSeen } from '../../src/load-buffers/start.js';
import type { StateGoal } from '../../src/properties.js';
import { readAutomata } from '../../src/read-automata.js';
import { verifyCertificate } from '../../src/verify.js';

const runs = randomRuns(40, 1000);
const seed = randomSeed(20261123);

const shapes = [
  ['no loops', { maxThreads: 2, maxItems: 3 }],
  ['loops', { loops: true, endless: true, fewValues: true, maxThreads: 2, maxItems: 3 }],
  ['stores at the ends', { finalStores: true, maxThreads: 2, maxItems: 3 }],
  ['lock blocks', { many: 'lock blocks', waiter: true, maxThreads: 2, maxItems: 2 }],
  [
    'what waits in buffers',
    { finalStores: true, fewValues: true, maxThreads: 2, maxItems: 2, kinds: ['never'] },
  ],
] as const;

/** A certificate as read from a file. */
interface Written {
  readonly digest: string;
  readonly cones: readonly object[];
}

interface Claim {
  readonly goal: StateGoal;
  readonly name: string;
  /**
   * Whether the claim holds under TSO, by the machine with store buffers; `undefined` if unknown.
   */
  readonly holds: boolean | undefined;
}

/**
 * Returns the possible claims about a program, and whether each holds. A violation has been
 * replayed; the absence of violations is stated only if all states with store buffers were visited.
 */
async function claimsOf(program: Program): Promise<readonly Claim[] | undefined> {
  const { tso, diagnostics } = await reach(program, { limits: { maxStates: 5_000 } });
  if (diagnostics.length > 0) return undefined;
  const automata = readAutomata(automataToJson(program), 'automata');
  const isComplete = tso.incomplete === undefined;
  return [
    ...automata.properties.flatMap((property, i): Claim[] => {
      const own = tso.properties[i]!;
      if (property.kind === 'stuck') return [];
      const isReached = own.verdict === (property.kind === 'exists' ? 'holds' : 'violated');
      const holds = isReached ? false : isComplete && own.verdict !== 'unknown' ? true : undefined;
      return [{ goal: { kind: 'property', property }, name: property.name, holds }];
    }),
    {
      goal: { kind: 'assertions' },
      name: '',
      holds: tso.failedAssertions.length > 0 ? false : isComplete ? true : undefined,
    },
  ];
}

/**
 * Whether the verifier's steps, taken backwards from violations of the goal, lead to the start. A
 * certificate of the goal would have to leave out some of these steps. `undefined` if there are too
 * many cones.
 */
function leadsBack(program: Program, goal: StateGoal): boolean | undefined {
  const automata = readAutomata(automataToJson(program), 'automata');
  const budget = new Budget({ maxStates: 1_000_000 });
  const graphs = threadGraphs(automata, registersSeen(automata, [goal]), budget)!;
  let cones: Cone[] = [];
  const open: Cone[] = [];
  const add = (cone: Cone): void => {
    if (cones.some((known) => contains(known, cone))) return;
    cones = [...cones.filter((known) => !contains(cone, known)), cone];
    open.push(cone);
  };
  for (;;) {
    const bad = new BadStates(automata, graphs, new Cones(cones), budget).outside(goal);
    if (!bad) break;
    add(bad);
  }
  for (let next = open.shift(); next; next = open.shift()) {
    if (cones.length > 400) return undefined;
    if (cones.includes(next)) before(next, graphs).forEach(add);
  }
  return new Cones(cones).contain(startOf(automata, graphs, cones));
}

test("the verifier's steps know of own stores that are read while they wait", () => {
  // Each thread reads its own store while the store waits in the buffer, and misses the other
  // thread's store.
  const { model } = parseNative(`program Own
var x, y
thread a { local r, s; x = 1; r = x; assume(r == 1); s = y; assume(s == 0); seen: skip; }
thread b { local r, s; y = 1; r = y; assume(r == 1); s = x; assume(s == 0); seen: skip; }
property p: never (a @ seen && b @ seen)
`);
  const program = finiteProgram(model)!;
  const [property] = readAutomata(automataToJson(program), 'automata').properties;
  expect(leadsBack(program, { kind: 'property', property: property! })).toBe(true);
});

describe.each(shapes)('%s', (name, options) => {
  const programs = programWithQuestions({ ...options, maxProperties: 3 });
  const counts = { holds: 0, breaks: 0, open: 0, accepted: 0 };

  test("the verifier's steps lead back where there is a violation, and only there", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const claims = await claimsOf(program);
        for (const { goal, holds } of claims ?? []) {
          if (holds === undefined) continue;
          try {
            const isReached = leadsBack(program, goal);
            if (isReached === undefined) counts.open++;
            else {
              expect(isReached).toBe(!holds);
              counts[holds ? 'holds' : 'breaks']++;
            }
          } catch (error) {
            if (!(error instanceof Met)) throw error;
          }
        }
      }),
      { numRuns: runs, seed },
    );
    if (isCampaign) console.log(name, counts);
    expect(counts.holds).toBeGreaterThan(runs / 4);
    expect(counts.breaks).toBeGreaterThan(runs / 4);
  });

  test('certificates are accepted, and none of them is for what is violated', async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const claims = (await claimsOf(program)) ?? [];
        const broken = claims.filter(({ holds }) => holds === false);
        for (const { goal, holds, name } of claims) {
          if (holds !== true) continue;
          const properties = program.properties.filter((one) => one.name === name);
          const assertions = goal.kind === 'assertions';
          const unreached = { properties, assertions };
          const budget = new CoreBudget({ maxStates: 3_000 });
          const found = await certifyUnreached(program, unreached, budget);
          if (typeof found === 'string') continue;
          const certificate = JSON.parse(JSON.stringify(found)) as Written;
          const report = await verifyCertificate(certificate, automataToJson(program), {});
          expect(report).toMatchObject({ kind: 'accepted', about: 'the program' });
          counts.accepted++;
          for (const other of broken) {
            const { digest: _, ...rest } = certificate;
            const forged = {
              ...rest,
              properties: other.name === '' ? [] : [other.name],
              assertions: other.name === '',
            };
            const sealed = { ...forged, digest: certificateDigest(forged) };
            expect((await verifyCertificate(sealed, undefined, {})).kind).toBe('rejected');
          }
        }
      }),
      { numRuns: runs, seed: seed + 1 },
    );
    expect(counts.accepted).toBeGreaterThan(runs / 4);
  });
});

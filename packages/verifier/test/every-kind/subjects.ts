import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  automataToJson,
  Budget,
  decide,
  fence,
  fenceParameterized,
  finiteProgram,
  parseText,
  type Program,
  repairItems,
  templatesOf,
  threadModel,
  trf,
} from '@fencewright/core';
import { coverCertificateToJson, decideCover, netToJson, readMist } from '@fencewright/core/cover';
import { parseNative } from '@fencewright/core/native';
import {
  programWithQuestions,
  randomAutomata,
  randomEventProgram,
  randomMailboxes,
  randomProgram,
  SeededRandom,
} from '@fencewright/core/testing';
import fc from 'fast-check';
import { certificateDigest } from '../../src/canonical-json.js';
import { verifyCertificate } from '../../src/verify.js';
import { randomGoalText, randomProofText, unprovedClaims } from '../by-definition.js';
import { automataOf, parameterizedOf, proofOf, sealed } from '../copies/certify.js';
import { randomTemplates } from '../copies/random-templates.js';
import { certifyEvents, parseEvents } from '../event-certificates.js';
import type { EventDraft } from '../event-forgeries.js';
import { judgeOf, placesOf } from '../event-judge.js';
import { type Chance, pick } from '../forgeries.js';
import { type Json, jsonOf, type JsonObject } from './json.js';
import { type Truth, truthOf } from './truth.js';

/** A valid certificate, to be forged. */
export interface Subject {
  readonly honest: JsonObject;
  readonly isTrue: (draft: JsonObject) => Promise<Truth>;
  /**
   * A similar program that is not robust, according to the page of the example or because a part is
   * left out.
   */
  readonly brokenTwin?: JsonObject;
}

/** Makes a random certificate; `undefined` if the program drawn has no certificate. */
type Source = (seed: number, chance: Chance) => Promise<object | undefined>;

export const limits = { maxStates: 20_000, solvers: ['z3'], timeout: 60_000 };

const searched = { maxStates: 20_000 };
/**
 * The maximum length of a certificate, in characters. Longer certificates take long to check, and
 * test nothing more.
 */
const longest = 30_000;
const root = fileURLToPath(new URL('../../../../', import.meta.url));

function drawn<T>(arbitrary: fc.Arbitrary<T>, seed: number): T {
  return fc.sample(arbitrary, { seed, numRuns: 1 })[0]!;
}

function parsed(text: string): Program {
  const program = finiteProgram(parseNative(text).model);
  if (!program) throw new Error(text);
  return program;
}

/**
 * Programs whose robustness is shown by invariants, pairs of components or a search; for some
 * programs, a part of the text whose removal makes the program not robust.
 */
const robustTexts = [
  [
    `var turn = 0, data
  thread a { local r; turn = 1; r = turn; data = 1; fence; r = data; }
  thread b { local s; s = data; turn = s; }`,
  ],
  [
    `var x, y, z
  thread a { local r, p; p = z; assume (p == 7); x = 1; r = y; }
  thread b { local s; y = 1; fence; s = x; }`,
    'assume (p == 7);',
  ],
  [
    `var lock, x, y
  thread a { local l, r; l = xchg(lock, 1); assume (l == 0); x = 1; r = y; lock = 0; }
  thread b { local l, r; l = xchg(lock, 1); assume (l == 0); y = 1; r = x; lock = 0; }`,
    'assume (l == 0);',
  ],
  [
    `var flag, x, y
  thread a { local r; x = 1; r = y; flag = 1; }
  thread b { local f, s; f = flag; assume (f == 1); y = 1; s = x; }`,
    'assume (f == 1);',
  ],
  [
    `var lock, x[2]
  thread t[2] { local l, r; l = xchg(lock, 1); assume (l == 0); x[self] = 1; r = x[1 - self]; lock = 0; }`,
    'assume (l == 0);',
  ],
  [
    `var x, y, z
  thread a { local f, r; f = y; assume (f == 1); x = 1; fence; r = z; }
  thread b { local s; y = 1; z = 1; fence; s = x; }`,
    'x = 1; fence;',
    'x = 1;',
  ],
  [
    `var x, y
  thread a { local r; x = 1; fence; r = y; }
  thread b { local s; y = 1; fence; s = x; }`,
    'fence;',
  ],
] as const;

/** Returns one of the programs in `robustTexts`, and the program without the removable text. */
function written(chance: Chance): readonly [Program, Program?] {
  const [text, out, put = ''] = pick<readonly [string, string?, string?]>(robustTexts, chance)!;
  const program = parsed(`program P\n${text}`);
  return out ? [program, parsed(`program P\n${text.replaceAll(out, put)}`)] : [program];
}

/**
 * Examples of which the version `-fenced` is robust and the plain version is not, according to
 * their pages.
 */
const examples = ['peterson', 'store-buffering', 'dekker', 'lost-wakeup'];

function example(name: string): Program {
  return parsed(readFileSync(`${root}examples/${name}.fw`, 'utf8'));
}

/** Returns a C program as compiled, read under some assumption. */
async function programInC(name: string): Promise<Program> {
  const path = `${root}packages/languages/test/fixtures/c/programs/${name}.ll`;
  const { model } = await parseText('llvm-ir', readFileSync(path, 'utf8'));
  const program = finiteProgram(model);
  if (!program) throw new Error(`${name} is no program with a fixed number of threads`);
  return program;
}

/**
 * Returns a program and, if known from a page or the text, a similar program that is not robust.
 */
async function robustProgram(seed: number, chance: Chance): Promise<readonly [Program, Program?]> {
  switch (seed % 8) {
    case 0:
      return [drawn(randomMailboxes(2, 4, false), seed)];
    case 1:
      return [drawn(randomAutomata({ faults: true, maxThreads: 2, maxSpine: 4 }), seed)];
    case 2:
      return [drawn(randomProgram({ many: 'rmws', maxItems: 3 }), seed)];
    case 4:
      return [await programInC(pick(['spinlock.cpp', 'seqlock.cpp'], chance)!)];
    case 5: {
      const name = pick(examples, chance)!;
      return [example(`${name}-fenced`), example(name)];
    }
    default:
      return written(chance);
  }
}

async function certifyRobust(program: Program, chance: Chance): Promise<object | undefined> {
  const happensBefore = chance(3) === 0 ? 'value' : 'standard';
  const question = { kind: 'check', certify: true, happensBefore } as const;
  const answer = await decide({ kind: 'finite', program }, question, searched);
  return answer.kind === 'check' ? answer.certificate : undefined;
}

const robust = async (seed: number, chance: Chance): Promise<Subject | undefined> => {
  const [program, broken] = await robustProgram(seed, chance);
  const found = await certifyRobust(program, chance);
  return (
    found && {
      honest: jsonOf(found),
      isTrue: truthOf,
      ...(broken && { brokenTwin: jsonOf(automataToJson(broken)) }),
    }
  );
};

const states: Source = async (seed, chance) => {
  const shapes = [
    { loops: true, endless: true, fewValues: true, maxThreads: 2, maxItems: 3 },
    { finalStores: true, maxThreads: 2, maxItems: 3 },
    { many: 'lock blocks', waiter: true, maxThreads: 2, maxItems: 2 },
  ] as const;
  const program =
    chance(3) === 0
      ? parsed(drawn(randomGoalText, seed).text)
      : drawn(programWithQuestions(pick(shapes, chance)), seed);
  const question = { kind: 'reach', certify: true } as const;
  const answer = await decide({ kind: 'finite', program }, question, { maxStates: 3000 });
  return answer.kind === 'reach' ? answer.certificate : undefined;
};

const fences: Source = async (seed, chance) => {
  const random = randomProgram({ maxItems: 3, maxThreads: 2 + (seed % 2) });
  const program = chance(8) === 0 ? await programInC('members.cpp') : drawn(random, seed);
  const mode = pick(['fence', 'xchg', 'any', 'minimise', 'minimise-locked'] as const, chance)!;
  const { length } = repairItems(program, { mode }, []);
  if (length === 0 || length > 7) return undefined;
  const happensBefore = chance(3) === 0 ? 'value' : 'standard';
  return (await fence(program, { mode, happensBefore, limits: searched })).certificate;
};

const propertyFences: Source = async (seed, chance) => {
  const { text } = drawn(randomGoalText, seed);
  const program = parsed(`${text}property q: never (x == 2 && y == 2)\n`);
  const mode = pick(['fence', 'xchg', 'any'] as const, chance)!;
  const { length } = repairItems(program, { mode }, program.properties);
  if (length === 0 || length > 7) return undefined;
  const goal = chance(4) === 0 ? { assertions: true } : { properties: ['p'] };
  return (await fence(program, { mode, ...goal, limits: searched })).certificate;
};

const raceFences: Source = async (seed) => {
  const program = drawn(randomProgram({ maxThreads: 2, maxItems: 3 }), seed);
  const { length } = repairItems(program, { mode: 'fence' }, []);
  if (length === 0 || length > 7) return undefined;
  return (await trf(program, { repair: true, limits: searched })).certificate;
};

const allInstances: Source = async (seed, chance) => {
  const { text, fenced } = drawn(randomTemplates, seed);
  const program = parameterizedOf(chance(2) === 0 ? text : fenced);
  const body = await proofOf(program, chance(2) === 0 ? 'value' : 'standard');
  return typeof body === 'string'
    ? undefined
    : (sealed('all-instances', automataOf(program), body) as object);
};

const allInstancesFences: Source = async (seed, chance) => {
  const program = parameterizedOf(drawn(randomTemplates, seed).text);
  const happensBefore = chance(2) === 0 ? 'value' : 'standard';
  const options = { certify: true, happensBefore, limits: searched } as const;
  return (await fenceParameterized(program, options)).certificate;
};

const eventFences = async (seed: number, chance: Chance): Promise<Subject | undefined> => {
  const lazy = `var item, closed, late, seen
    event log() { async[any] append(); }
    procedure append() { item = 1; late = closed; }
    event close() { closed = 1; seen = item; }
    events log(), close()`;
  const drawnProgram = () =>
    randomEventProgram(new SeededRandom(seed), { maxTasks: 4, maxAccesses: 6 }).program;
  const program = chance(4) === 0 ? parseEvents(lazy) : drawnProgram();
  if (placesOf(program).length > 9) return undefined;
  const against = pick(['concurrency', 'tso', 'both'] as const, chance)!;
  const honest = await certifyEvents(program, against, chance(4) === 0 ? 'fenced' : 'plain');
  if (!honest) return undefined;
  const judge = judgeOf(program);
  return { honest: jsonOf(honest), isTrue: (draft) => judge(draft as unknown as EventDraft) };
};

const netTexts = [
  "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; b >= 2 -> a' = a + 1, b' = b - 2; init a = 2, b = 0 target b >= 3",
  "vars a b c rules a >= 1 -> b' = b + 1, a' = a - 1; b >= 1 -> c' = c + 1, b' = b - 1; c >= 1 -> a' = a + 1, c' = c - 1; init a = 2, b = 0, c = 0 target a >= 1, b >= 1, c >= 1",
  "vars a b c rules a >= 1, b >= 1 -> b' = b - 1, c' = c + 1; c >= 1 -> c' = c - 1, b' = b + 1; init a >= 1, b = 1, c = 0 target c >= 2",
];

const cover: Source = async (_, chance) => {
  const { net } = readMist(pick(netTexts, chance)!);
  if (!net) throw new Error('a net that cannot be read');
  const engine = chance(2) === 0 ? 'forward' : 'backward';
  const { verdict } = await decideCover(net, new Budget(searched), engine);
  if (verdict.kind !== 'not-coverable') return undefined;
  const { kind, elements, weights } = coverCertificateToJson(net, verdict.certificate);
  const proof = { kind, elements, ...(weights && { weights }) };
  const open = {
    format: 'fencewright-certificate',
    version: 3,
    kind: 'cover',
    net: netToJson(net),
    proof,
  };
  return { ...open, digest: '' };
};

const proof: Source = (seed) => {
  const random = new SeededRandom(seed);
  const model = threadModel(parseNative(randomProofText(random)).model);
  const open = model && templatesOf(model);
  const claims = open && unprovedClaims(open, []);
  return Promise.resolve(
    claims && (sealed('proof', jsonOf(automataToJson(open)), jsonOf(claims)) as object),
  );
};

const sources: Readonly<Record<string, Source>> = {
  states,
  fences,
  'property-fences': propertyFences,
  'race-fences': raceFences,
  'all-instances': allInstances,
  'all-instances-fences': allInstancesFences,
  cover,
  proof,
};

/** Returns the draft with a digest that matches its content. */
export function resealed(draft: JsonObject): JsonObject {
  return { ...draft, digest: certificateDigest(draft) };
}

/**
 * For each kind of certificate, a function that draws a certificate, together with the judge of its
 * claim.
 */
const draws: Readonly<Record<string, (s: number, chance: Chance) => Promise<Subject | undefined>>> =
  {
    robust,
    'event-fences': eventFences,
    ...Object.fromEntries(
      Object.entries(sources).map(([kind, source]) => [
        kind,
        async (seed: number, chance: Chance) => {
          const found = await source(seed, chance);
          return found && { honest: jsonOf(found), isTrue: truthOf };
        },
      ]),
    ),
  };

/** All kinds of certificates. */
export const kinds: readonly string[] = Object.keys(draws);

/** Whether a certificate has too little content to forge. */
function isBare({ kind, clauses, kept, invariant, cones }: JsonObject): boolean {
  const isEmpty = (list: Json | undefined): boolean => Array.isArray(list) && list.length === 0;
  return clauses === undefined
    ? (kind === 'robust' && kept === undefined) || isEmpty(invariant) || isEmpty(cones)
    : isEmpty(clauses);
}

/**
 * Returns a certificate of the given kind that the verifier accepts; `undefined` if none was drawn.
 */
export async function drawSubject(
  kind: string,
  seed: number,
  chance: Chance,
): Promise<Subject | undefined> {
  const found = await draws[kind]!(seed, chance);
  if (!found || (isBare(found.honest) && chance(8) > 0)) return undefined;
  if (JSON.stringify(found.honest).length > longest) return undefined;
  const honest = resealed(found.honest);
  const about = honest.automata ?? honest.net;
  const report = await verifyCertificate(honest, about, limits);
  return report.kind === 'accepted' ? { ...found, honest } : undefined;
}

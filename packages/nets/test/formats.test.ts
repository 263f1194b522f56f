import { inOptions } from '../../cli/src/advice-in-words.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { decideCover } from '../src/nets/decide-cover.js';
import { readMist } from '../src/nets/formats/read-mist.js';
import { readTts } from '../src/nets/formats/read-tts.js';
import { writeMist } from '../src/formats/write-mist.js';
import { writePnml } from '../src/formats/write-pnml.js';
import { writeTts } from '../src/formats/write-tts.js';
import { entriesOf, type Marking, markingOf, omega } from '@fencewright/ground/petri/marking.js';
import type { Net } from '@fencewright/ground/petri/net.js';
import { toPlainNet } from '@fencewright/ground/petri/one-hot.js';
import { randomNet } from './random-net.js';

const kindOf = async (net: Net): Promise<string> =>
  (await decideCover(net, new Budget({ maxStates: 2_000 }))).verdict.kind;

/** The number of tokens of a finite marking. */
const tokens = (marking: Marking): number =>
  entriesOf(marking).reduce((sum, [, count]) => sum + count, 0);

/** The example in the description of the net format. */
const spec = `# two a make a b
vars a b
rules a >= 2 -> a' = a-2, b' = b+1;
init a >= 0, b = 0
target b >= 3
`;

function errorsOf({ diagnostics }: ReturnType<typeof readMist>): readonly string[] {
  return diagnostics.map(({ code, span, message, hint }) => {
    const place = span ? `${span.start.line + 1}:${span.start.column + 1} ` : '';
    return `${code} ${place}${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
}

describe("mist's format", () => {
  it('is read', async () => {
    const { net, diagnostics } = readMist(spec);
    expect(diagnostics).toEqual([]);
    expect(net?.places).toEqual(['a', 'b']);
    expect(net?.initial.marking).toEqual(markingOf([[0, omega]]));
    expect(net?.rules).toEqual([
      { id: 0, from: 0, to: 0, pre: markingOf([[0, 2]]), post: markingOf([[1, 1]]) },
    ]);
    expect(await kindOf(net!)).toBe('coverable');
    const five = readMist(spec.replace('a >= 0', 'a = 5')).net!;
    expect(await kindOf(five)).toBe('not-coverable');
  });

  it('has guards that only look, intervals, variables without a start, several targets and invariants', () => {
    const good = readMist(
      "vars a b c d rules a >= 2, b >= 1 -> b' = b + 1; true -> a' = a;\n" +
        'init a in [1, 4], b >= 2, c = 0 target a >= 1, b >= 1 c >= 2 invariants a = 1, b = 2',
    ).net!;
    expect(good.rules[0]).toMatchObject({
      pre: markingOf([
        [0, 2],
        [1, 1],
      ]),
      post: markingOf([
        [0, 2],
        [1, 2],
      ]),
    });
    expect(good.initial.marking).toEqual(
      markingOf([
        [0, 4],
        [1, omega],
        [3, omega],
      ]),
    );
    expect(good.least).toEqual(markingOf([[1, 2]]));
    expect(good.targets).toHaveLength(2);
    expect(good.claims).toEqual([
      markingOf([
        [0, 1],
        [1, 2],
      ]),
    ]);
  });

  it('gets all its errors reported in one run', () => {
    expect(
      errorsOf(
        readMist(`vars a b a
rules a = 1 -> b' = b + 1;
  a >= 1 -> a' = a - 2;
  b >= 1 -> a' = b;
  c >= 1 -> b' = b - ;
init a = 0, b in 3
target b = 1`),
      ),
    ).toEqual([
      "FW1003 1:10 variable 'a' is declared twice (first declared in line 1; rename one of them)",
      'FW1012 2:7 the guard of a rule is a lower bound (write x >= n)',
      'FW1001 3:13 this step takes more tokens than its guard requires (guard the step with >= 2)',
      "FW1012 4:18 this is not a step of a Petri net (write x' = x + n or x' = x - n; resets and transfers are not supported)",
      "FW1002 5:3 no variable is named 'c' (declare the variable first)",
      "FW1001 5:22 expected a number but found ';'",
      "FW1001 6:18 expected '[' but found '3'",
    ]);
    expect(errorsOf(readMist(''))).toEqual([
      'FW1004 the input is empty (a net has vars, rules, init and target)',
    ]);
    expect(errorsOf(readMist('vars a rules'))).toEqual([
      "FW1001 1:8 expected 'init' but found the end of the file",
    ]);
  });

  it('is written, and gives the net back', () => {
    fc.assert(
      fc.property(randomNet, (net) => {
        const plain = toPlainNet(net);
        const { net: back, diagnostics } = readMist(writeMist(net));
        expect(diagnostics).toEqual([]);
        expect(back?.initial).toEqual(plain.initial);
        expect(back?.targets.map(({ marking }) => marking)).toEqual(
          plain.targets.map(({ marking }) => marking),
        );
        const effects = ({ rules }: Net) => rules.map(({ pre, post }) => [pre, post]);
        expect(effects(back!)).toEqual(effects(plain));
      }),
      { numRuns: randomRuns(300, 6000), seed: randomSeed(7) },
    );
  });
});

describe("BFC's format", () => {
  const tts = '2 2\n0 0 -> 1 1\n1 0 -> 1 1\n';

  it('is read', async () => {
    const covered = readTts(tts, { initial: '0|/0', target: '1|1,1' }).net!;
    expect(covered.initial).toEqual({ control: 0, marking: markingOf([[0, omega]]) });
    expect(covered.targets).toEqual([{ control: 1, marking: markingOf([[1, 2]]) }]);
    expect(await kindOf(covered)).toBe('coverable');
    expect(await kindOf(readTts(tts, { initial: '0|0', target: '1|1,1' }).net!)).toBe(
      'not-coverable',
    );
    expect(await kindOf(readTts(tts, { initial: '0|0,0', target: '1|1,1' }).net!)).toBe(
      'coverable',
    );
  });

  it('lets the thread that makes another stay', () => {
    const { net } = readTts('2 3\n0 1 +> 1 2\n# target 1|2\n');
    expect(net?.rules[0]).toMatchObject({
      pre: markingOf([[1, 1]]),
      post: markingOf([
        [1, 1],
        [2, 1],
      ]),
    });
  });

  it('gets all its errors reported in one run', () => {
    expect(
      errorsOf(readTts('2 2\n0 0 => 1 1\n0 0 ~> 1 1\n0 5 -> 1 1\n', { target: '9|1' })),
    ).toEqual([
      'FW1001 2:1 expected a step (as in 0 1 -> 2 3, or 0 1 +> 2 3 for a new thread)',
      'FW1012 3:1 this step moves other threads as well (only the thread that moves may change its local state)',
      'FW1001 4:1 a state of this step is too large (there are 2 shared and 2 local states, numbered from 0)',
      "FW1011 1:1 '9|1' is not a target of this system (write S|L,L with a shared state and local states; for a start, S|L/L with any number behind the slash)",
    ]);
    const unasked = readTts(tts);
    expect(errorsOf(unasked)).toEqual([
      'FW1011 1:1 the system names no target (write a line # target S|L,L)',
    ]);
    expect(errorsOf({ diagnostics: inOptions(unasked.diagnostics) })).toEqual([
      'FW1011 1:1 the system names no target (give --target S|L,L, or a line # target S|L,L)',
    ]);
    expect(errorsOf(readTts('two\n'))).toEqual([
      'FW1001 1:1 expected the numbers of shared and of local states (the first line has two numbers, as 17 24)',
    ]);
    expect(errorsOf(readTts('# nothing\n'))).toHaveLength(1);
  });

  it('is written, with one thread for steps of none and one place for those that leave', async () => {
    const rule = (id: number, pre: [number, number][], post: [number, number][]) => ({
      id,
      from: 0,
      to: 1,
      pre: markingOf(pre),
      post: markingOf(post),
    });
    const net: Net = {
      name: 'n',
      places: ['a', 'b'],
      controls: ['s', 't'],
      rules: [
        rule(0, [[0, 1]], [[1, 1]]),
        rule(1, [], []),
        rule(2, [[0, 1]], []),
        rule(
          3,
          [[0, 1]],
          [
            [0, 1],
            [1, 1],
          ],
        ),
      ],
      initial: {
        control: 0,
        marking: markingOf([
          [0, omega],
          [1, 2],
        ]),
      },
      targets: [{ control: 1, marking: markingOf([]) }],
      claims: [],
    };
    const text = writeTts(net)!;
    expect(text).toBe(
      '# initial 0|1,1,2/0\n# target 1|2\n2 4\n0 0 -> 1 1\n0 2 -> 1 2\n0 0 -> 1 3\n0 0 +> 1 1\n',
    );
    expect(await kindOf(readTts(text).net!)).toBe('coverable');
    // A step of two threads is two steps, with a shared state of its own in between.
    expect(writeTts({ ...net, rules: [rule(0, [[0, 2]], [])] })).toBe(
      '# initial 0|1,1,2/0\n# target 1|2\n3 4\n0 0 -> 2 3\n2 0 -> 1 3\n',
    );
    expect(writeTts({ ...net, rules: [rule(0, [[0, 1]], [[1, 3]])] })).toBeUndefined();
  });

  it('covers what the net covers, with rules that move several tokens', async () => {
    const seen = { several: 0, coverable: 0, 'not-coverable': 0 };
    const runs = randomRuns(400, 20_000, 200);
    const nets = fc.sample(randomNet, { numRuns: runs, seed: randomSeed(11) });
    for (const net of nets) {
      // Rules that give tokens without taking as many have no form; they are left out.
      const kept = net.rules.filter(({ pre, post }) => tokens(post) <= tokens(pre));
      const fewer = { ...net, rules: kept.map((rule, id) => ({ ...rule, id })) };
      const text = writeTts(fewer);
      if (text === undefined) continue;
      const kinds = [await kindOf(fewer), await kindOf(readTts(text).net!)];
      if (kinds.includes('unknown')) continue;
      expect({ text, kind: kinds[1] }).toEqual({ text, kind: kinds[0] });
      seen[kinds[0] as 'coverable' | 'not-coverable']++;
      if (kept.some(({ pre }) => tokens(pre) > 1)) seen.several++;
    }
    expect(seen.several).toBeGreaterThan(runs / 10);
    expect(seen.coverable).toBeGreaterThan(runs / 20);
    expect(seen['not-coverable']).toBeGreaterThan(runs / 20);
  });

  it('takes no token twice where a rule gives what another of its tokens takes', async () => {
    const rules = [
      {
        ...{ id: 0, from: 0, to: 1 },
        pre: markingOf([
          [0, 1],
          [1, 1],
        ]),
        post: markingOf([
          [1, 1],
          [2, 1],
        ]),
      },
    ];
    const netFrom = (marking: readonly [number, number][]): Net => ({
      name: 'n',
      places: ['a', 'b', 'c'],
      controls: ['s', 't'],
      rules,
      initial: { control: 0, marking: markingOf(marking) },
      targets: [{ control: 1, marking: markingOf([[2, 1]]) }],
      claims: [],
    });
    const written = (net: Net): Net => readTts(writeTts(net)!).net!;
    expect(await kindOf(written(netFrom([[0, 1]])))).toBe('not-coverable');
    expect(
      await kindOf(
        written(
          netFrom([
            [0, 1],
            [1, 1],
          ]),
        ),
      ),
    ).toBe('coverable');
  });
});

describe('PNML', () => {
  it('has a place for each place and control, and feeds those with any number', () => {
    const text = writePnml(readTts('2 2\n0 0 -> 1 1\n', { target: '1|1' }).net!);
    expect(text.match(/<place /g)).toHaveLength(4);
    expect(text.match(/<transition /g)).toHaveLength(2);
    // 0 0 -> 1 1 takes and gives two tokens, the feed gives one.
    expect(text.match(/<arc /g)).toHaveLength(5);
    expect(text.match(/<initialMarking>/g)).toHaveLength(1);
    expect(text).toContain('to be covered: p1 >= 1, p3 >= 1');
  });
});

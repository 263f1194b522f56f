import { describe, expect, test } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { Net } from '@fencewright/ground/petri/net.js';
import { FlatAttackNet } from '@fencewright/engines/parameterized/attack-net-flat.js';
import { attacksOfTemplates, toJobs } from '@fencewright/engines/parameterized/attack-jobs.js';
import { createTemplateAutomata } from '@fencewright/engines/parameterized/template-automata.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import { writeMist } from '@fencewright/nets/formats/write-mist.js';
import { withSingleMoves } from '@fencewright/nets/formats/single-moves.js';
import { writeTts } from '@fencewright/nets/formats/write-tts.js';
import { decideCover } from '@fencewright/nets/nets/decide-cover.js';
import { readMist } from '@fencewright/nets/nets/formats/read-mist.js';
import { readTts } from '@fencewright/nets/nets/formats/read-tts.js';
import { loadParameterized } from './load-parameterized.js';

function flatNet(program: UnboundedModel): Net | undefined {
  const options = { maskDeadRegisters: true, ownedCells: true, happensBefore: 'standard' } as const;
  const templates = createTemplateAutomata(program, options);
  const { open } = attacksOfTemplates(templates);
  return new FlatAttackNet(templates, toJobs(templates, open)).build('net');
}

function parsed(text: string): UnboundedModel {
  return unboundedModel(parseNative(text).model) ?? expect.fail(text);
}

async function coverable(net: Net, maxStates = 5_000): Promise<string> {
  const { verdict } = await decideCover(net, new Budget({ maxStates }), 'forward');
  return verdict.kind;
}

describe('the net with a place for each cell and value', () => {
  const files = loadParameterized();

  test.each(files)('$path: the target is covered iff it is not robust', async (file) => {
    const net = flatNet(file.program)!;
    const expected = file.expected.verdict === 'robust' ? 'not-coverable' : 'coverable';
    expect(await coverable(net)).toBe(expected);
  });

  test('is read back as it was written', async () => {
    let decided = 0;
    for (const { path, program, expected } of files) {
      const net = flatNet(program)!;
      if (net.rules.length > 80) continue;
      for (const read of [
        readMist(writeMist(net)),
        readTts(writeTts(net) ?? expect.fail('no tts'), {}),
      ]) {
        const kind = await coverable(read.net ?? expect.fail(JSON.stringify(read)), 1_000);
        if (kind === 'unknown') continue;
        decided += 1;
        expect([path, kind]).toEqual([
          path,
          expected.verdict === 'robust' ? 'not-coverable' : 'coverable',
        ]);
      }
    }
    expect(decided).toBeGreaterThan(20);
  });

  test('has as many more places and rules for each further cell', () => {
    const sizes = [4, 6, 8, 10, 12].map((n) => {
      const cells = Array.from({ length: n }, (_, i) => `x${i}`);
      const moves = cells.map((x, i) => `${x} = 1; r = ${cells[(i + 1) % n]!};`);
      const text = `program Cells\nvar ${cells.join(', ')}\nthread t[*] { local r; choose { ${moves.join(' } or { ')} } }\n`;
      const net = flatNet(parsed(text))!;
      return [net.places.length, net.rules.length] as const;
    });
    const grown = sizes
      .slice(1)
      .map(([places, rules], i) => [places - sizes[i]![0], rules - sizes[i]![1]]);
    for (const [places, rules] of grown) expect([places, rules]).toEqual(grown[0]);
    expect(sizes.at(-1)![1]).toBeLessThan(1_000);
  });

  test('is not made of data without bounds', () => {
    const text = 'program P\nvar x, y\nthread t[*] { local r; r = fetch_add(x, 1); y = r; r = x; }';
    const options = {
      maskDeadRegisters: true,
      ownedCells: true,
      happensBefore: 'standard',
    } as const;
    const templates = createTemplateAutomata(parsed(text), options);
    const { open } = attacksOfTemplates(templates);
    expect(new FlatAttackNet(templates, toJobs(templates, open), 500).build('net')).toBeUndefined();
  });
});

test('rules that move several tokens, one by one', async () => {
  const marking = (...pairs: readonly number[]) => Float64Array.from(pairs);
  const net = (copies: number): Net => ({
    name: 'two',
    places: ['a', 'b', 'c'],
    controls: ['start', 'goal'],
    rules: [{ id: 0, from: 0, to: 1, pre: marking(0, 1, 1, 1), post: marking(2, 1) }],
    initial: { control: 0, marking: copies === 0 ? marking(1, 1) : marking(0, copies, 1, 1) },
    targets: [{ control: 1, marking: marking(2, 1) }],
    claims: [],
  });
  for (const [copies, expected] of [
    [0, 'not-coverable'],
    [1, 'coverable'],
  ] as const) {
    const single = withSingleMoves(net(copies));
    expect(single.rules.every(({ pre, post }) => pre.length <= 2 && post.length <= 2)).toBe(true);
    expect(await coverable(net(copies))).toBe(expected);
    expect(await coverable(single)).toBe(expected);
  }
});

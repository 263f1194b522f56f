import { expect, test } from 'vitest';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import type { InputFormat } from '@fencewright/languages/read/front-ends.js';
import { decide } from '../../src/api/decide.js';
import type { FenceQuestion } from '../../src/api/question.js';

const frequent = `program Frequent
var x, y
thread fast { local r; @cost(1000000) x = 1; @cost(1000000) r = y; }
thread slow { local r; y = 1; r = x; }
property never: never (x == 2)
`;

async function answer(
  source: string,
  asked: Partial<FenceQuestion>,
  format: InputFormat = 'native',
) {
  const { model, diagnostics } = await parseText(format, source);
  if (!model) expect.fail(JSON.stringify(diagnostics));
  return decide(model, { kind: 'fence', text: { format, source }, ...asked });
}

const written = `program Frequent
var x, y
thread fast { local r; @cost(1000000) x = 1; light_fence; @cost(1000000) r = y; }
thread slow { local r; y = 1; heavy_fence; r = x; }
property never: never (x == 2)
`;

test.each(['asymmetric', 'any'] as const)(
  'mode %s: a heavy fence in rare code spares the fence in frequent code, for which a light one is written',
  async (mode) => {
    expect(await answer(frequent, { mode })).toMatchObject({
      about: { assumptions: [{ name: 'heavy_fence' }] },
      fences: { result: { verdict: { kind: 'found', cost: 500 } }, text: written },
    });
  },
);

test('the text with heavy and light fences needs nothing, and its heavy fence has to stay', async () => {
  for (const mode of ['fence', 'asymmetric', 'minimise'] as const)
    expect(await answer(written, { mode })).toMatchObject({
      fences: { result: { verdict: { kind: 'found', removable: [] } }, text: written },
    });
});

test('heavy fences are written into automata, one behind the other', async () => {
  const source = `program Ring
var x, y, z
thread slow regs r init a begin
  a: mem[z] <- 1; goto b;
  b: r <- mem[x]; goto c;
end
thread one { local r; @nofence x = 1; @nofence r = y; }
thread two { local r; @nofence y = 1; @nofence r = z; }
`;
  const found = await answer(source, { mode: 'asymmetric' });
  const heavy = `  b: heavy_fence; goto b_fenced;
  b_fenced: heavy_fence; goto b_fenced2;
  b_fenced2: r <- mem[x]; goto c;
`;
  const text = source.replace('  b: r <- mem[x]; goto c;\n', heavy);
  expect(found).toMatchObject({ fences: { text } });
});

test('costs by label may name heavy fences, which by default cost 500 fences', async () => {
  const even = frequent.replaceAll('@cost(1000000) ', '');
  const costs = (text: string) => ({ mode: 'asymmetric', costs: { kind: 'text', text } }) as const;
  const costOf = async (text: string) => {
    const found = await answer(even, costs(text));
    return found.kind === 'fence' && 'fences' in found && found.fences.result.verdict;
  };
  expect(await costOf('{"default": 3}')).toMatchObject({ cost: 6, repairs: [{}, {}] });
  expect(await costOf('{"heavy:default": 1.5}')).toMatchObject({
    cost: 1.5,
    repairs: [{ heavy: 1 }],
  });
  expect(await answer(even, costs('{"heavy:nowhere": 1}'))).toMatchObject({
    refusal: { kind: 'costs' },
  });
});

test('costs by label name a thread with copies by its text, in which a fence is one for all', async () => {
  const copies = `program P var x[2], y
    thread reader[2] { local r; a: x[self] = 1; b: r = y; }
    thread w { local r, s; c: y = 1; d: r = x[0]; e: s = x[1]; }`;
  // Both texts need a fence; that of the readers is between a and b.
  const costs = (text: string) => ({ costs: { kind: 'text', text } }) as const;
  expect(await answer(copies, costs('{"reader:b": 50}'))).toMatchObject({
    fences: { result: { verdict: { cost: 51 } } },
  });
  expect(await answer(copies, costs('{"reader[0]:b": 50}'))).toMatchObject({
    refusal: { kind: 'costs' },
  });
});

test('repairs with heavy fences are refused for what does not support them', async () => {
  const refused = (part: string) => ({ refusal: { kind: 'heavy-repairs', part } });
  expect(await answer(frequent, { mode: 'asymmetric', properties: ['never'] })).toMatchObject(
    refused('goal'),
  );
  expect(await answer(written, { properties: ['never'] })).toMatchObject(refused('goal'));
  const many = frequent.replace('thread fast', 'thread fast[*]').replace(/property.*\n/, '');
  expect(await answer(many, { mode: 'asymmetric' })).toMatchObject(refused('any-number'));
  const litmus =
    'X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n';
  expect(await answer(litmus, { mode: 'asymmetric' }, 'litmus')).toMatchObject(refused('format'));
  const any = await answer(litmus, { mode: 'any' }, 'litmus');
  expect(any).toMatchObject({ fences: { result: { verdict: { cost: 2 } } } });
});

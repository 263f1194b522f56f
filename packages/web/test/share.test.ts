import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fromFragment, type Shared, toFragment } from '../src/share.js';

const golden = JSON.parse(
  await readFile(new URL('./golden-links.json', import.meta.url), 'utf8'),
) as readonly { readonly link: string; readonly shared: Shared }[];

const shared = fc.record(
  {
    format: fc.constantFrom<Shared['format']>('native', 'litmus', 'trencher', 'memorax'),
    text: fc.string({ unit: 'binary', maxLength: 300 }),
    view: fc.string(),
    version: fc.string(),
  },
  { requiredKeys: ['format', 'text'] },
);

/** A fragment of the format, made with another library. */
const fragmentOf = (value: unknown): string =>
  `1/${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;

describe('links', () => {
  test('carry what was shared', async () => {
    await fc.assert(
      fc.asyncProperty(shared, async (one) => {
        const fragment = await toFragment(one);
        expect(fragment).toMatch(/^1\/[\w-]+$/);
        expect(await fromFragment(`#${fragment}`)).toEqual(one);
      }),
    );
  });

  test('are what the format says, whoever makes them', async () => {
    await fc.assert(
      fc.asyncProperty(shared, async (one) => {
        expect(await fromFragment(fragmentOf(one))).toEqual(one);
      }),
    );
  });

  test.each(golden)(
    'that were given away open for ever: $shared.text',
    async ({ link, shared }) => {
      expect(await fromFragment(new URL(link).hash)).toEqual(shared);
    },
  );

  test('there are some that were given away', () => {
    expect(golden.length).toBeGreaterThanOrEqual(3);
  });

  test.each([
    ['nothing', ''],
    ['a later format', `2/${fragmentOf({ format: 'native', text: '' }).slice(2)}`],
    ['no base64url', '1/a+b/'],
    ['what does not inflate', '1/AAAA'],
    ['half a link', fragmentOf({ format: 'native', text: 'x'.repeat(99) }).slice(0, 20)],
    ['no object', fragmentOf('native')],
    ['nothing at all', fragmentOf(null)],
    ['no text', fragmentOf({ format: 'native' })],
    ['a format that is not read here', fragmentOf({ format: 'c', text: '' })],
    ['a name of every object', fragmentOf({ format: 'toString', text: '' })],
    ['a text that is none', fragmentOf({ format: 'native', text: 1 })],
    ['a view that is no name', fragmentOf({ format: 'native', text: '', view: {} })],
    ['more than a page can hold', fragmentOf({ format: 'native', text: 'x'.repeat(3_000_000) })],
  ])('of %s is none', async (_, fragment) => {
    expect(await fromFragment(fragment)).toBeUndefined();
  });
});

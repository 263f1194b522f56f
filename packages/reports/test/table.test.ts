import { expect, test } from 'vitest';
import { plainPalette } from '../src/text/palette.js';
import { renderTable } from '../src/text/table.js';

const columns = [{ title: 'step', align: 'right' }, { title: 'cell' }, { title: 'what' }] as const;
const rows = [
  ['1', 'a', 'one two three four'],
  ['2', 'a long name of a cell', { text: 'five six', tone: 'strong' }],
] as const;

test('a table that fits is not changed', () => {
  const lines = renderTable({ columns, rows }, plainPalette, '  ', 60);
  expect(lines).toEqual(renderTable({ columns, rows }, plainPalette));
  expect(lines).toHaveLength(3);
});

test('a table that is too wide is broken between words, and never within one', () => {
  expect(renderTable({ columns, rows }, plainPalette, '  ', 30)).toEqual([
    '  step  cell        what',
    '     1  a           one two',
    '                    three four',
    '     2  a long      five six',
    '        name of a',
    '        cell',
  ]);
  const word = [['1', 'unbreakable_name_of_a_cell', 'x']] as const;
  expect(renderTable({ columns, rows: word }, plainPalette, '  ', 20)[1]).toContain(word[0][1]);
});

import {
  classHighlighter,
  type Highlighter,
  highlightTree,
  tagHighlighter,
  tags,
} from '@lezer/highlight';
import { expect, test, vi } from 'vitest';
import { highlighting } from '../src/highlight.js';
import type { WebFormat } from '../src/messages.js';

/** Returns the pieces of a text that the highlighting gives the colour `tok-NAME`. */
function coloured(
  format: WebFormat,
  text: string,
  name: string,
  highlighter: Highlighter = classHighlighter,
): string[] {
  const pieces: string[] = [];
  highlightTree(highlighting(format).parser.parse(text), highlighter, (from, to, classes) => {
    if (classes.split(' ').includes(`tok-${name}`)) pieces.push(text.slice(from, to));
  });
  return pieces;
}

test('words of Trencher are coloured, and its comments', () => {
  const text = `# a thread that writes
memory_size 4
thread write
initial l0
transition l0 l1 write 1 2
transition l1 l2 mfence
transition l2 l3 local goto 1
transition l3 l4 check == goto 1
end
`;
  expect(coloured('trencher', text, 'comment')).toEqual(['# a thread that writes']);
  expect(new Set(coloured('trencher', text, 'keyword'))).toEqual(
    new Set([
      'memory_size',
      'thread',
      'initial',
      'transition',
      'write',
      'mfence',
      'local',
      'check',
      'end',
    ]),
  );
});

test('words of Memorax are coloured, and its labels are not', () => {
  const text = `forbidden CS CS
predicates
data x = 0 : [0:1]
process registers $r = * : [0:1]
text /* two
lines */
  L0: syncwr: x := 1; syncrd: $r := x; ssfence; slocked nop;
  while not ($r = 1) do goto L0;
  CS: nop
`;
  expect(coloured('memorax', text, 'comment')).toEqual(['/* two', 'lines */']);
  const words =
    'forbidden predicates data process registers text syncwr syncrd ssfence slocked nop while not do goto nop';
  expect(coloured('memorax', text, 'keyword')).toEqual(words.split(' '));
});

test('builtin words have a tag that the editor knows', () => {
  const warn = vi.spyOn(console, 'warn');
  const builtin = tagHighlighter([{ tag: tags.standard(tags.name), class: 'tok-builtin' }]);
  const text = 'thread t { r = cas(x, 0, fetch_add(y, 1)); }';
  expect(coloured('native', text, 'builtin', builtin)).toEqual(['cas', 'fetch_add']);
  expect(warn.mock.calls).toEqual([]);
});

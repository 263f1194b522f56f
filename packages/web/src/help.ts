import { element } from './shown.js';

const keys: readonly (readonly [string, string])[] = [
  ['Ctrl-Enter', 'check now'],
  ['F8', 'next problem in the text'],
  ['F9', 'explain the word at the cursor; pointing at a word does the same'],
  ['Ctrl-Space', 'complete the word at the cursor: arrow keys and Enter'],
  ['Alt-1 to Alt-5', 'verdict, execution, final states, fences, text'],
  ['Esc', 'leave the editor'],
  ['arrow keys', 'in the execution: step by step'],
  ['?', 'this list'],
];

/** Returns the page's help texts about the page and the keys. */
export function helpParts(version: string): readonly HTMLElement[] {
  const list = keys.flatMap(([key, what]) => [
    element('dt', {}, element('kbd', {}, key)),
    element('dd', {}, what),
  ]);
  return [
    element(
      'p',
      {},
      'Fencewright decides whether a program does on x86, with its store buffers, what it does under sequential consistency. All of it runs in this page; nothing is sent anywhere.',
    ),
    element(
      'p',
      {},
      'New to this? The ',
      element('a', { href: 'tutorial.html' }, 'tutorial'),
      ' has sixteen lessons.',
    ),
    element('dl', { className: 'keys' }, ...list),
    element('p', { className: 'faint' }, `Version ${version}. Texts in C: see the command line.`),
  ];
}

import {
  countAt,
  emptyMarking,
  entriesOf,
  type Marking,
  omega,
} from '@fencewright/ground/petri/marking.js';
import type { Net } from '@fencewright/ground/petri/net.js';

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/**
 * Returns the lines of a statement that chooses one of the blocks and executes the block; `skip`
 * without blocks.
 */
function choose(blocks: readonly (readonly string[])[]): string[] {
  if (blocks.length === 0) return ['skip;'];
  return blocks.flatMap((block, index) => [
    index === 0 ? 'choose {' : '} or {',
    ...indented(block),
    ...(index === blocks.length - 1 ? ['}'] : []),
  ]);
}

/**
 * Returns the lines with which the controller asks for one move of a token, and waits until a token
 * has moved; `request` is the cell for asking.
 */
function ask(request: string): string[] {
  return [`r = cas(${request}, 0, 1);`, `r = ${request};`, 'assume(r == 0);'];
}

function askForAll(request: 'take' | 'put', marking: Marking): string[] {
  return entriesOf(marking).flatMap(([place, count]) =>
    count === omega ? [] : Array.from({ length: count }, () => ask(`${request}${place}`)).flat(),
  );
}

/**
 * Returns the lines that put the initial tokens: the exact numbers, and at least the least numbers
 * of places with any number of tokens.
 */
function initialTokens({ initial: { marking }, least = emptyMarking }: Net): string[] {
  const unlimited = entriesOf(marking).flatMap(([place, count]) =>
    count === omega ? [place] : [],
  );
  const more = unlimited.flatMap((place) => [
    ...Array.from({ length: countAt(least, place) }, () => ask(`put${place}`)).flat(),
    'while (*) {',
    ...indented(ask(`put${place}`)),
    '}',
  ]);
  return [...askForAll('put', marking), ...more];
}

/**
 * Writes a program with any number of threads, in the native language, that is robust if and only
 * if no target of the net can be covered ([BDM13x] App. D, Theorem 11). Copies of `token` are the
 * tokens, in use or not; all cells hold 0 or 1. `controller` serialises the moves of tokens, which
 * it asks for in a cell for each place and direction, fires rules, checks a target, and then runs
 * a store-buffering test with `partner`. Only its store in this test may be delayed: before the
 * test, the controller stores by `cas` alone, as tokens do.
 */
export function writeProgramOfNet(net: Net): string {
  const { places, controls, rules, initial, targets } = net;
  const tokenMoves = places.map((_, place) => [
    `r = cas(put${place}, 1, 0);`,
    'assume(r == 1);',
    `r = cas(take${place}, 1, 0);`,
    'assume(r == 1);',
  ]);
  const firings = rules.map(({ from, to, pre, post }) => [
    `assume(c == ${from});`,
    ...askForAll('take', pre),
    ...askForAll('put', post),
    `c = ${to};`,
  ]);
  const queries = targets.map(({ control, marking }) => [
    `assume(c == ${control});`,
    ...askForAll('take', marking),
    'goto covered;',
  ]);
  const requests = places.flatMap((_, place) => [`put${place}`, `take${place}`]);
  const controller = [
    'local r, c;',
    `c = ${initial.control};`,
    ...initialTokens(net),
    'loop {',
    ...indented(choose([...firings, ...queries])),
    '}',
    'covered: x = 1;',
    'r = y;',
  ];
  const names = [
    ...places.map((name, place) => `// place ${place}: ${name}`),
    ...controls.map((name, control) => `// control ${control}: ${name}`),
  ];
  return `${[
    'program Net',
    '',
    ...names,
    `var x, y${requests.map((each) => `, ${each}`).join('')}`,
    ...thread('token[*]', ['local r;', 'loop {', ...indented(choose(tokenMoves)), '}']),
    ...thread('controller', controller),
    ...thread('partner', ['local r;', 'y = 1;', 'r = x;']),
  ].join('\n')}\n`;
}

function thread(name: string, body: readonly string[]): string[] {
  return ['', `thread ${name} {`, ...indented(body), '}'];
}

import type { Dice, TextCell } from './random-text.js';

/** Types of cells with their relative frequencies. */
const types: readonly (readonly [number, string])[] = [
  [6, 'int'],
  [1, 'unsigned'],
  [1, 'long'],
  [1, 'short'],
  [1, 'unsigned char'],
  [1, 'unsigned long'],
  [1, 'signed char'],
];

interface Declared {
  readonly lines: readonly string[];
  readonly cells: readonly TextCell[];
}

type Qualifier = 'plain' | 'volatile' | 'atomic';

function qualified(qualifier: Qualifier, type: string): string {
  if (qualifier === 'plain') return type;
  return qualifier === 'volatile' ? `volatile ${type}` : `_Atomic(${type})`;
}

const cell = (place: string, qualifier: Qualifier, type: string, name = place): TextCell => ({
  name,
  place,
  isAtomic: qualifier === 'atomic',
  isVolatile: qualifier === 'volatile',
  type,
  hasAddress: true,
});

const qualifierOf = (dice: Dice): Qualifier =>
  dice.weighed([
    [3, 'plain'],
    [2, 'volatile'],
    [4, 'atomic'],
  ]);

function scalar(dice: Dice, index: number): Declared {
  const [qualifier, type] = [qualifierOf(dice), dice.weighed(types)];
  dice.note(`cell: ${qualifier}`);
  dice.note(`type: ${type}`);
  const name = `x${index}`;
  return {
    lines: [`${dice.chance(0.2) ? 'static ' : ''}${qualified(qualifier, type)} ${name};`],
    cells: [cell(name, qualifier, type)],
  };
}

function structure(dice: Dice, index: number): Declared {
  dice.note('cell: field');
  const [qualifier, type] = [qualifierOf(dice), dice.weighed(types)];
  const isArray = dice.chance(0.5);
  if (isArray) dice.note('cell: field in an array');
  const name = `st${index}`;
  return {
    lines: [
      `struct t${index} { char tag; ${qualified(qualifier, type)} one; int *to; ${qualified(qualifier, 'int')} two; };`,
      `struct t${index} ${name}${isArray ? '[2]' : ''};`,
    ],
    cells: isArray
      ? [cell(`${name}[0].one`, qualifier, type), cell(`${name}[1].two`, qualifier, 'int')]
      : [cell(`${name}.one`, qualifier, type), cell(`${name}.two`, qualifier, 'int')],
  };
}

function array(dice: Dice, index: number): Declared {
  dice.note('cell: element');
  const [qualifier, type] = [qualifierOf(dice), dice.weighed(types)];
  const name = `a${index}`;
  if (dice.chance(0.25)) {
    dice.note('cell: element of a table');
    return {
      lines: [`${qualified(qualifier, type)} ${name}[2][2];`],
      cells: [cell(`${name}[0][1]`, qualifier, type), cell(`${name}[1][0]`, qualifier, type)],
    };
  }
  return {
    lines: [`${qualified(qualifier, type)} ${name}[3];`],
    cells: [cell(`${name}[0]`, qualifier, type), cell(`${name}[2]`, qualifier, type)],
  };
}

/** Returns a cell that the program accesses by a pointer, or by a table of pointers. */
function pointed(dice: Dice, index: number): Declared {
  const [qualifier, type] = [qualifierOf(dice), dice.weighed(types)];
  const name = `y${index}`;
  const declared = `${qualified(qualifier, type)} ${name};`;
  if (dice.chance(0.5)) {
    dice.note('cell: by a pointer');
    return {
      lines: [declared, `${qualified(qualifier, type)} *p${index} = &${name};`],
      cells: [cell(`(*p${index})`, qualifier, type, name)],
    };
  }
  dice.note('cell: by a table of pointers');
  return {
    lines: [
      declared,
      `${qualified(qualifier, type)} z${index};`,
      `${qualified(qualifier, type)} *table${index}[2] = {&${name}, &z${index}};`,
    ],
    cells: [0, 1].map((i) =>
      cell(`(*table${index}[${i}])`, qualifier, type, `${i === 0 ? 'y' : 'z'}${index}`),
    ),
  };
}

function union(dice: Dice, index: number): Declared {
  dice.note('cell: in a union');
  const qualifier = dice.pick(['plain', 'volatile'] as const);
  return {
    lines: [
      `union { ${qualified(qualifier, 'int')} word; ${qualified(qualifier, 'unsigned')} bits; } u${index};`,
    ],
    cells: [cell(`u${index}.${dice.pick(['word', 'bits'])}`, qualifier, 'int')],
  };
}

function bits(dice: Dice, index: number): Declared {
  dice.note('cell: field of bits');
  return {
    lines: [`struct { unsigned low : 3; unsigned high : 5; } b${index};`],
    cells: [`b${index}.low`, `b${index}.high`].map((place) => ({
      ...cell(place, 'plain', 'unsigned'),
      hasAddress: false,
    })),
  };
}

/** Returns declarations of shared cells: at least two. */
export function randomCells(dice: Dice): Declared {
  const lines: string[] = [];
  const cells: TextCell[] = [];
  const wanted = dice.chance(0.8) ? 2 : 3;
  for (let index = 0; cells.length < wanted; index++) {
    const make = dice.weighed([
      [6, scalar],
      [2, structure],
      [2, array],
      [2, pointed],
      [0.7, union],
      [0.7, bits],
    ]);
    const declared = make(dice, index);
    lines.push(...declared.lines);
    cells.push(...declared.cells);
  }
  return { lines, cells: cells.slice(0, wanted) };
}

import fc from 'fast-check';

/** A feature of a text, for the statistics. */
export type Feature =
  | 'copies'
  | 'branch'
  | 'loop'
  | 'assertion'
  | 'rmw'
  | 'exchange'
  | 'lock block'
  | 'array'
  | '@cost'
  | '@nofence'
  | 'ends with a store'
  | 'label at an end'
  | 'label behind a store'
  | 'ended'
  | 'not ended'
  | '@ label'
  | 'not @ label'
  | 'finally';

export interface GoalText {
  readonly text: string;
  readonly features: ReadonlySet<Feature>;
}

interface Piece {
  readonly text: string;
  readonly features: readonly Feature[];
}

const plain = (text: string, ...features: Feature[]): Piece => ({ text, features });

const cell = fc.constantFrom('x', 'x', 'x', 'y', 'y', 'y', 'a[0]', 'a[r & 1]');
const register = fc.constantFrom('r', 's');
const value = fc.constantFrom('1', '1', '1', '2', 'r', '0');
const test = fc
  .tuple(
    fc.constantFrom('r', 's', 'x', 'y'),
    fc.constantFrom('==', '!='),
    fc.constantFrom('0', '1'),
  )
  .map((parts) => parts.join(' '));
const arrayIn = (text: string): Feature[] => (text.includes('a[') ? ['array'] : []);

const store = fc.tuple(cell, value).map(([c, v]) => plain(`${c} = ${v};`, ...arrayIn(c)));
const load = fc.tuple(register, cell).map(([r, c]) => plain(`${r} = ${c};`, ...arrayIn(c)));
const access = fc.oneof(store, load);

const annotated = fc
  .tuple(fc.constantFrom('@cost(2)', '@cost(3)', '@cost(5)', '@nofence'), access)
  .map(([mark, { text, features }]) =>
    plain(`${mark} ${text}`, ...features, mark === '@nofence' ? mark : '@cost'),
  );

const rare = fc.oneof(
  fc.tuple(register, cell).map(([r, c]) => plain(`${r} = fetch_add(${c}, 1);`, 'rmw')),
  fc.tuple(register, cell).map(([r, c]) => plain(`${r} = cas(${c}, 0, 1);`, 'rmw')),
  cell.map((c) => plain(`xchg(${c}, 1);`, 'exchange')),
  fc.constant(plain('fence;')),
  fc.constantFrom('x', 'y').map((c) => plain(`while (r == 0) { r = ${c}; }`, 'loop')),
  fc
    .tuple(access, store)
    .map(([a, b]) =>
      plain(`atomic { ${a.text} ${b.text} }`, 'lock block', ...a.features, ...b.features),
    ),
);

const assertion = test.map((e) => plain(`assert(${e});`, 'assertion'));

const branch = fc
  .tuple(test, access, fc.option(access, { nil: undefined }))
  .map(([e, yes, no]) =>
    plain(
      `if (${e}) { ${yes.text} }${no ? ` else { ${no.text} }` : ''}`,
      'branch',
      ...yes.features,
      ...(no?.features ?? []),
    ),
  );

const piece = fc.oneof(
  { weight: 8, arbitrary: store },
  { weight: 6, arbitrary: load },
  { weight: 3, arbitrary: annotated },
  { weight: 3, arbitrary: rare },
  { weight: 2, arbitrary: assertion },
  { weight: 2, arbitrary: branch },
);

interface Body extends Piece {
  /** The labels of the thread that a property may name. */
  readonly labels: readonly string[];
  /** The variable to which the last statement of the thread stores a value other than 0. */
  readonly published?: string;
  /** The store of the thread that the label `l` follows. */
  readonly announced?: string;
  /** Whether the thread stores to one variable, and then loads the other into r. */
  readonly isSwapping?: boolean;
}

/**
 * Returns a body of the statements, with a label before one of them and optionally one at the end.
 */
function bodyOf(
  pieces: readonly Piece[],
  label: number | undefined,
  isEndLabelled: boolean,
  known: Pick<Body, 'published' | 'isSwapping'> = {},
): Body {
  const lines = pieces.map(({ text }, i) => (i === label ? `l: ${text}` : text));
  const isLabelled = label !== undefined && label < pieces.length;
  return {
    text: [...lines, ...(isEndLabelled ? ['done: ;'] : [])].join(' '),
    features: [
      ...pieces.flatMap(({ features }) => features),
      ...(isEndLabelled ? (['label at an end'] as const) : []),
    ],
    labels: [...(isLabelled ? ['l'] : []), ...(isEndLabelled ? ['done'] : [])],
    ...known,
  };
}

const label = fc.option(fc.nat(2), { nil: undefined, freq: 2 });
const isEndLabelled = fc.nat(2).map((n) => n === 0);
const scalar = fc.constantFrom('x', 'y');

const anything = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 4 }), label, isEndLabelled)
  .map((parts) => bodyOf(...parts));

/** Random bodies that end with a store, which is still buffered after the thread's end. */
const publishing = fc
  .tuple(
    fc.array(piece, { maxLength: 3 }),
    scalar,
    fc.constantFrom('', '', '@cost(2) ', '@nofence '),
    label,
    isEndLabelled,
  )
  .map(([pieces, published, mark, at, ended]) => {
    const last = plain(`${mark}${published} = 1;`, 'ends with a store');
    return bodyOf([...pieces, last], at, ended, { published });
  });

/**
 * Random bodies with a label after a store: in the middle, in a loop, after a jump, or after a
 * branch.
 */
const announcing = fc
  .tuple(
    fc.option(piece, { nil: undefined, freq: 2 }),
    scalar,
    fc.constantFrom('', '', '', '@cost(2) ', '@nofence '),
    piece,
    fc.constantFrom('plain', 'plain', 'round', 'branch', 'jump', 'head'),
    isEndLabelled,
  )
  .map(([before, announced, mark, at, way, ended]) => {
    const store = `${mark}${announced} = 1;`;
    const label = `l: ${at.text}`;
    const text = {
      plain: `${store} ${label}`,
      round: `while (s == 0) { ${store} ${label} s = 1; }`,
      branch: `if (r == 0) { ${store} } ${label}`,
      jump: `${store} if (r == 0) goto l; ${announced} = 2; ${label}`,
      head: `${store} l: while (s == 0) { ${at.text} s = 1; ${announced} = 1; }`,
    }[way];
    const whole = plain(text, 'label behind a store', ...at.features);
    const { labels, ...body } = bodyOf([...(before ? [before] : []), whole], undefined, ended);
    return { ...body, labels: ['l', ...labels], announced };
  });

/**
 * A critical section: entered only if the other thread was not seen; asserts that no other thread
 * is inside.
 */
const claim = plain('if (r == 0) { s = fetch_add(a[1], 1); assert(s == 0); }', 'assertion', 'rmw');

/** Random bodies with one side of store buffering. */
const swapping = (own: string, other: string): fc.Arbitrary<Body> =>
  fc
    .tuple(
      fc.option(piece, { nil: undefined, freq: 1 }),
      fc.constantFrom('', '@cost(3) ', '@nofence '),
      fc.constantFrom('x', 'self', 'self'),
      fc.boolean(),
      label,
      isEndLabelled,
    )
    .map(([between, mark, cells, isClaiming, at, ended]) => {
      const isSelf = own === 'self' && cells === 'self';
      const [first, second] = isSelf ? ['a[self]', 'a[1 - self]'] : [own, other];
      const pieces = [
        plain(`${first === 'self' ? 'x' : first} = 1;`),
        ...(between ? [between] : []),
        plain(`${mark}r = ${second};`, ...(mark === '' ? [] : [markFeature(mark)])),
        ...(isClaiming ? [claim] : []),
      ];
      return bodyOf(pieces, at, ended, { isSwapping: true });
    });

function markFeature(mark: string): Feature {
  return mark.startsWith('@nofence') ? '@nofence' : '@cost';
}

interface ThreadText extends Body {
  readonly names: readonly string[];
}

function named(own: Body, name: string, names: readonly string[]): ThreadText {
  return { ...own, text: `thread ${name} { local r, s; ${own.text} }`, names };
}

const one = fc.oneof(anything, publishing, announcing);

const threads: fc.Arbitrary<readonly ThreadText[]> = fc.oneof(
  fc.tuple(one, one).map(([t, u]) => [named(t, 't', ['t']), named(u, 'u', ['u'])]),
  fc
    .tuple(swapping('x', 'y'), swapping('y', 'x'))
    .map(([t, u]) => [named(t, 't', ['t']), named(u, 'u', ['u'])]),
  fc
    .oneof(publishing, announcing, swapping('self', 'y'))
    .map((t) => [
      { ...named(t, 't[2]', ['t[0]', 't[1]']), features: ['copies' as const, ...t.features] },
    ]),
);

/**
 * A part of a condition; the numbers choose among the program's threads, labels, cells and
 * registers.
 */
interface Atom {
  readonly kind: 'ended' | 'at' | 'memory' | 'register';
  readonly thread: number;
  readonly which: number;
  readonly isNegated: boolean;
  readonly value: number;
}

const atom: fc.Arbitrary<Atom> = fc.record({
  kind: fc.constantFrom('ended', 'ended', 'ended', 'at', 'memory', 'memory', 'register'),
  thread: fc.nat(1),
  which: fc.nat(1),
  isNegated: fc.nat(3).map((n) => n === 0),
  value: fc.nat(1),
});

function atomText(
  own: readonly ThreadText[],
  { kind, thread, which, isNegated, value: v }: Atom,
): Piece {
  const owners = own.flatMap(({ names, labels }) => names.map((name) => ({ name, labels })));
  const { name, labels } = owners[thread % owners.length]!;
  const sign = isNegated ? '!' : '';
  const label = labels[which % Math.max(1, labels.length)];
  switch (kind === 'at' && label === undefined ? 'ended' : kind) {
    case 'memory':
      return plain(`${which === 0 ? 'x' : 'y'} ${isNegated ? '!=' : '=='} ${v}`);
    case 'register':
      return plain(`${name}.${which === 0 ? 'r' : 's'} ${isNegated ? '!=' : '=='} ${v}`);
    case 'at':
      return plain(`${sign}(${name} @ ${label})`, isNegated ? 'not @ label' : '@ label');
    case 'ended':
      return plain(`${sign}ended(${name})`, isNegated ? 'not ended' : 'ended');
  }
}

/**
 * Returns conditions that hold only under TSO unless other threads interfere; further atoms make
 * them rarer.
 */
function likelyAtoms(own: readonly ThreadText[], isStrict: boolean): readonly Piece[] {
  const owners = own.flatMap(({ names, ...body }) => names.map((name) => ({ name, ...body })));
  if (owners.every(({ isSwapping }) => isSwapping))
    return owners.map(({ name }) => plain(`ended(${name}) && ${name}.r == 0`, 'ended'));
  const announcer = owners.find(({ announced }) => announced !== undefined);
  if (announcer) {
    const { name, announced } = announcer;
    const late = `${name} @ l && ${announced} == 0`;
    return [
      isStrict
        ? plain(`${late} || !(${name} @ l) && ${announced} == 2`, '@ label', 'not @ label')
        : plain(late, '@ label'),
    ];
  }
  const publisher = owners.find(({ published }) => published !== undefined);
  if (!publisher) return [];
  const { name, published } = publisher;
  const late = `ended(${name}) && ${published} == 0`;
  // With a fence at the end of the thread, the second part of the condition can become true.
  return isStrict
    ? [plain(`${late} || !ended(${name}) && ${published} == 1`, 'ended', 'not ended')]
    : [plain(late, 'ended')];
}

const property = fc.record({
  isFinally: fc.nat(5).map((n) => n === 0),
  likely: fc.nat(4).map((n) => n > 0),
  isStrict: fc.nat(2).map((n) => n === 0),
  atoms: fc.array(atom, { maxLength: 2 }),
  isDisjunction: fc.nat(5).map((n) => n === 0),
});

/**
 * Random native texts with a property `p`, biased to difficult cases of fences for properties:
 * stores that are buffered when a thread ends, and ends and labels in properties, also negated.
 */
export const randomGoalText: fc.Arbitrary<GoalText> = fc
  .tuple(threads, property)
  .map(([own, { isFinally, likely, isStrict, atoms, isDisjunction }]) => {
    const given = atoms.map((part) => atomText(own, part));
    const parts = [...(likely ? likelyAtoms(own, isStrict) : []), ...given];
    if (parts.length === 0) parts.push(plain('x == y'));
    const condition = parts.map(({ text }) => `(${text})`).join(isDisjunction ? ' || ' : ' && ');
    const goal = isFinally ? `finally (!(${condition}))` : `never (${condition})`;
    const features = [...own, ...parts].flatMap((part) => part.features);
    return {
      text: [
        'program Goals',
        'var x, y, a[2]',
        ...own.map(({ text }) => text),
        `property p: ${goal}`,
        '',
      ].join('\n'),
      features: new Set([...features, ...(isFinally ? (['finally'] as const) : [])]),
    };
  });

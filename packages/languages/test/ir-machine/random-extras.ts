import type { Dice, Group, TextCell } from './random-text.js';

/** A random part of a program beside plain statements. */
export interface Extra {
  readonly kind: string;
  readonly declared: readonly string[];
  /** Statements of `main` before the start of threads. */
  readonly starts: readonly string[];
  /** Statements for threads, in groups; a thread takes one group at a time. */
  readonly statements: readonly (readonly string[])[];
  readonly observed: readonly string[];
}

type Maker = (dice: Dice, cells: readonly TextCell[]) => Extra;

const extra = (kind: string, parts: Partial<Extra>): Extra => ({
  kind,
  declared: [],
  starts: [],
  statements: [],
  observed: [],
  ...parts,
});

const helper: Maker = (dice, cells) => {
  const [one, other] = [dice.pick(cells), dice.pick(cells)];
  return extra('function', {
    declared: [`static int both(int value) { ${one.place} = value; return (int)${other.place}; }`],
    statements: [['r = both(2);'], ['s = both(r + 1);']],
  });
};

const pointers: Maker = (dice, cells) => {
  const [one, other] = [dice.pick(cells), dice.pick(cells)];
  return extra('function by a pointer', {
    declared: [
      `static int look(int value) { return (int)${one.place} + value; }`,
      `static int leave(int value) { ${other.place} = 3; return value; }`,
      `static int (*${dice.pick(['const ', ''])}actions[2])(int) = {look, leave};`,
    ],
    statements: [['r = actions[1](1);'], ['s = actions[0](0);'], ['r = actions[s & 1](s);']],
  });
};

const once: Maker = (dice, cells) =>
  extra('once', {
    declared: [
      'pthread_once_t begun = PTHREAD_ONCE_INIT;',
      `static void begin(void) { ${dice.pick(cells).place} = 2; }`,
    ],
    statements: [['pthread_once(&begun, begin);']],
  });

const attempt: Maker = (dice, cells) =>
  extra('attempt at a lock', {
    declared: ['pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;'],
    statements: [
      [
        'if (pthread_mutex_trylock(&door) == 0) {',
        `${dice.pick(cells).place} = 1;`,
        `r = (int)${dice.pick(cells).place};`,
        'pthread_mutex_unlock(&door);',
        '} else s = 3;',
      ],
    ],
  });

const condition: Maker = (dice, cells) =>
  extra('condition', {
    declared: [
      'pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;',
      'pthread_cond_t opened = PTHREAD_COND_INITIALIZER;',
      'int ready;',
    ],
    statements: [
      [
        'pthread_mutex_lock(&gate);',
        'ready = 1;',
        'pthread_cond_signal(&opened);',
        'pthread_mutex_unlock(&gate);',
        `r = (int)${dice.pick(cells).place};`,
      ],
      [
        'pthread_mutex_lock(&gate);',
        dice.pick([
          'if (!ready) s = 1;',
          'if (!ready) pthread_cond_wait(&opened, &gate);',
          'while (!ready) pthread_cond_wait(&opened, &gate);',
        ]),
        'pthread_mutex_unlock(&gate);',
        `r = (int)${dice.pick(cells).place};`,
      ],
      [
        `${dice.pick(cells).place} = 2;`,
        `pthread_cond_${dice.pick(['signal', 'broadcast'])}(&opened);`,
        `r = (int)${dice.pick(cells).place};`,
      ],
    ],
    observed: ['ready'],
  });

const threadLocal: Maker = (dice, cells) =>
  extra('thread-local', {
    declared: ['static _Thread_local int own = 1;'],
    statements: [
      ['own += 1;', `${dice.pick(cells).place} = own;`],
      [`own = (int)${dice.pick(cells).place};`, 'r = own;'],
    ],
  });

const published: Maker = (dice) =>
  extra('blocks: published', {
    declared: ['struct node { int value; struct node *next; };', '_Atomic(struct node *) head;'],
    statements: [
      [
        '{ struct node *made = malloc(sizeof *made); made->value = 1; made->next = 0;',
        `atomic_store_explicit(&head, made, memory_order_${dice.pick(['relaxed', 'release', 'seq_cst'])}); }`,
      ],
      ['{ struct node *seen = atomic_load(&head); if (seen) r = seen->value; }'],
      ['{ struct node *seen = atomic_load(&head); if (seen) seen->value = 2; }'],
    ],
  });

const freed: Maker = () =>
  extra('blocks: given back', {
    declared: ['struct cup { int value; };', '_Atomic(struct cup *) held;'],
    starts: ['held = malloc(sizeof(struct cup));', 'held->value = 1;'],
    statements: [
      [
        '{ struct cup *taken = atomic_exchange(&held, (struct cup *)0);',
        'if (taken) { r = taken->value; free(taken); } }',
      ],
      [
        '{ struct cup *made = malloc(sizeof *made); made->value = 2;',
        'struct cup *before = atomic_exchange(&held, made); if (before) free(before); }',
      ],
    ],
  });

const boxed: Maker = (dice) =>
  extra('local of main that others have', {
    declared: [`${dice.pick(['int', 'volatile int'])} *box;`],
    starts: ['int inside[2] = {0, 1};', 'box = inside;'],
    statements: [['box[0] = 2;'], ['r = box[0];'], ['s = box[1];'], ['box[1] = r;']],
  });

const nothingThere: Maker = () =>
  extra('null: a field', {
    declared: [
      'struct large { char before[72]; int value; };',
      'static struct large whole;',
      '_Atomic(struct large *) where;',
    ],
    statements: [
      ['atomic_store_explicit(&where, &whole, memory_order_release);'],
      ['{ struct large *at = atomic_load(&where); r = at->value; }'],
    ],
  });

const asserted: Maker = () =>
  extra('assertion in a thread', {
    statements: [['assert(!(r == 1 && s == 0));'], ['assert(r != 2 || s != 1);']],
  });

const chance: Maker = () =>
  extra('environment: rand', {
    statements: [['r = rand() % 2;'], ['s = rand() % 3;'], ['if (rand() & 1) r = 1;']],
  });

const argumentCount: Maker = (dice, cells) =>
  extra('environment: argc', {
    declared: ['int arguments;'],
    statements: [
      [`if (arguments) ${dice.pick(cells).place} = 1;`],
      ['r = arguments;'],
      [`if (arguments > 1) s = (int)${dice.pick(cells).place};`],
    ],
  });

const who: Maker = () =>
  extra('environment: pthread_self', {
    declared: ['_Atomic unsigned long owner;'],
    statements: [
      ['if (owner == 0) owner = (unsigned long)pthread_self();'],
      ['r = owner == (unsigned long)pthread_self();'],
      ['s = owner != 0;'],
    ],
  });

const makers: readonly (readonly [number, Maker, Group?])[] = [
  [2, helper],
  [2, pointers],
  [1, once],
  [1, attempt],
  [1, condition],
  [1, threadLocal],
  [1.5, published],
  [1, freed, 'blocks'],
  [1.5, boxed],
  [1, nothingThere, 'null'],
  [1.5, asserted],
  [0.8, chance, 'environment'],
  [0.8, argumentCount, 'environment'],
  [0.8, who, 'environment'],
];

/** Returns random parts for a program: often none, at most two. */
export function extrasFor(
  dice: Dice,
  cells: readonly TextCell[],
  without: ReadonlySet<Group>,
): readonly Extra[] {
  const offered = makers.flatMap(([weight, maker, group]) =>
    group && without.has(group) ? [] : [[weight, maker] as const],
  );
  const wanted = dice.weighed([
    [3, 0],
    [4, 1],
    [2, 2],
  ]);
  const taken = new Set<Maker>();
  while (taken.size < wanted) taken.add(dice.weighed(offered));
  return [...taken].map((maker) => {
    const made = maker(dice, cells);
    if (made.kind.startsWith('environment')) dice.note(made.kind);
    return made;
  });
}

import type { CShape } from './c-shape.js';
import { cShapes } from './c-shapes.js';
import { randomCells } from './random-cells.js';
import { type Extra, extrasFor } from './random-extras.js';
import { type Scope, StatementWriter } from './random-statements.js';
import { Dice, type Group, lookLine, type RandomText, type TextCell } from './random-text.js';
import { placesFor } from './shape-table.js';

const locals = ['r', 's'] as const;

/** The place where a thread leaves its results. */
type Result = 'globals' | 'returned' | 'field' | 'array';

interface Locking {
  readonly kind: string;
  readonly declared: string;
  readonly use: readonly [string, string];
  readonly start?: string;
}

const locks: readonly Locking[] = [
  {
    kind: 'lock: mutex',
    declared: 'pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;',
    use: ['pthread_mutex_lock(&lock);', 'pthread_mutex_unlock(&lock);'],
  },
  {
    kind: 'lock: semaphore',
    declared: 'sem_t lock;',
    use: ['sem_wait(&lock);', 'sem_post(&lock);'],
    start: 'sem_init(&lock, 0, 1);',
  },
  {
    kind: 'lock: readers and writers',
    declared: 'pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;',
    use: ['pthread_rwlock_wrlock(&lock);', 'pthread_rwlock_unlock(&lock);'],
  },
  {
    kind: 'lock: exchange',
    declared: '_Atomic int lock;',
    use: [
      'while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) ;',
      'atomic_store_explicit(&lock, 0, memory_order_release);',
    ],
  },
  {
    kind: 'lock: C11',
    declared: 'mtx_t lock;',
    use: ['mtx_lock(&lock);', 'mtx_unlock(&lock);'],
    start: 'mtx_init(&lock, mtx_plain);',
  },
  {
    kind: 'lock: recursive',
    declared: 'pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;',
    use: ['pthread_mutex_lock(&lock);', 'pthread_mutex_unlock(&lock);'],
  },
];

/** Returns a random C program for a seed, without the parts of the given groups. */
export function randomC(seed: number, without: ReadonlySet<Group> = new Set()): RandomText {
  return new CWriter(new Dice(seed), without).program();
}

/** The number of parts from `cShapes` in a program. */
const shapesPerProgram = 2;

/**
 * Returns a random C program for a seed, with parts from `cShapes`. Programs of successive seeds
 * use all parts equally often.
 */
export function randomShapedC(seed: number): RandomText {
  const places = placesFor(seed, shapesPerProgram, cShapes.length).filter(
    // Some shapes are in the table twice.
    (place, i, all) => all.findIndex((other) => cShapes[other] === cShapes[place]) === i,
  );
  return new CWriter(new Dice(seed ^ 0x5a4e), new Set(), places).program();
}

class CWriter {
  readonly #threads: number;
  readonly #result: Result;
  readonly #isC11: boolean;
  readonly #lock: Locking | undefined;
  readonly #hasBarrier: boolean;
  readonly #observed: string[] = [];
  /**
   * Whether `main` loads variables while its threads run, and stores the values in a global of its
   * own.
   */
  #keeps = false;
  #cells: readonly TextCell[] = [];
  #shapes: readonly CShape[] = [];

  constructor(
    readonly dice: Dice,
    readonly without: ReadonlySet<Group>,
    /** The indices of the program's parts in the table `cShapes`. */
    readonly places: readonly number[] = [],
  ) {
    this.#threads = dice.weighed([
      [5, 2],
      // Shapes have states of their own.
      [places.length > 0 ? 0.2 : 1, 3],
    ]);
    this.#isC11 = dice.chance(0.15);
    this.#result = dice.pick(['globals', 'returned', 'field', 'array']);
    this.#lock = dice.chance(0.3) ? dice.pick(locks) : undefined;
    this.#hasBarrier = !this.#isC11 && dice.chance(0.06);
  }

  program(): RandomText {
    const { dice } = this;
    const { lines: declared, cells } = randomCells(dice);
    this.#cells = cells;
    if (this.#lock) dice.note(this.#lock.kind);
    if (this.#isC11) dice.note('threads.h');
    dice.note(`result: ${this.#result}`);
    this.#shapes = this.places.map((place) => cShapes[place]!(dice, cells));
    for (const { kind } of this.#shapes) dice.note(kind);
    const extras = this.places.length > 0 ? [] : extrasFor(dice, cells, this.without);
    const threads = Array.from({ length: this.#threads }, (_, t) => this.#thread(t, extras));
    for (const { name, place } of cells) this.#observed.push(name.includes('(') ? place : name);
    for (const { observed } of [...extras, ...this.#shapes]) this.#observed.push(...observed);
    const main = this.#main(extras);
    const text = [
      ...['assert', 'pthread', 'semaphore', 'stdatomic', 'stdio', 'stdlib', 'threads'].map(
        (header) => `#include <${header}.h>`,
      ),
      ...declared,
      ...(this.#lock ? [this.#lock.declared] : []),
      ...(this.#hasBarrier ? ['pthread_barrier_t meeting;'] : []),
      ...this.#resultDeclarations(),
      ...(this.#keeps ? ['int kept;'] : []),
      ...new Set([...extras, ...this.#shapes].flatMap(({ declared: lines }) => lines)),
      ...threads.flat(),
      ...main,
    ].join('\n');
    const argumentCounts = this.#hasArguments ? [1, 2, 3, 4] : [1];
    const common = { text, kinds: dice.kinds, observed: this.#observed, argumentCounts };
    return { ...common, language: 'c', ...this.#said() };
  }

  get #hasArguments(): boolean {
    return (
      this.dice.kinds.has('environment: argc') ||
      this.#shapes.some(({ argumentCounts }) => argumentCounts)
    );
  }

  /**
   * Returns the facts about the program that the parts state, for the comparison with the tool's
   * answer.
   */
  #said(): Pick<RandomText, 'given' | 'assumed' | 'named' | 'isAsked' | 'shown'> {
    const shapes = this.#shapes;
    const given = Object.assign({}, ...shapes.map((each) => each.given)) as RandomText['given'];
    const named = Object.assign({}, ...shapes.map((each) => each.named)) as RandomText['named'];
    const prints = shapes.filter(({ kind }) => /print|putchar/.test(kind)).length > 1;
    const returned = this.#result === 'returned' && !this.#isC11;
    const hasOutcomes = this.#keeps || shapes.some(({ kind }) => kind.startsWith('h'));
    const isOpen = !hasOutcomes || this.dice.chance(0.4);
    const isAsked = isOpen && !shapes.some(({ runsLast }) => runsLast);
    return {
      ...(given && { given }),
      assumed: shapes.flatMap((each) => each.assumed ?? []),
      named: {
        ...(!prints && named),
        ...(returned && { 'return of thread0': 'got0', 'return of thread1': 'got1' }),
      },
      isAsked,
      shown: [...(this.#keeps ? ['kept'] : []), ...shapes.flatMap((each) => each.shown ?? [])],
    };
  }

  #resultDeclarations(): readonly string[] {
    const all = Array.from({ length: this.#threads }, (_, t) => t);
    switch (this.#result) {
      case 'globals':
        return all.map((t) => `int r${t}, s${t};`);
      case 'array':
        return [`int found[${this.#threads}][2];`];
      case 'field':
        return [`struct job { int id; int r; int s; } jobs[${this.#threads}];`];
      case 'returned':
        return all.map((t) => `int got${t};`);
    }
  }

  #results(t: number): readonly string[] {
    switch (this.#result) {
      case 'globals':
        this.#observed.push(`r${t}`, `s${t}`);
        return [`r${t} = r;`, `s${t} = s;`, this.#return('0')];
      case 'array':
        this.#observed.push(`found[${t}][0]`, `found[${t}][1]`);
        return [`found[${t}][0] = r;`, `found[${t}][1] = s;`, this.#return('0')];
      case 'field':
        this.#observed.push(`jobs[${t}].r`, `jobs[${t}].s`);
        return ['job->r = r;', 'job->s = s;', this.#return('0')];
      case 'returned':
        this.#observed.push(`got${t}`);
        return [this.#return('(r & 15) * 16 + (s & 15)')];
    }
  }

  #return(value: string): string {
    return this.#isC11 ? `return ${value};` : `return (void *)(long)(${value});`;
  }

  #scope(extras: readonly Extra[]): Scope {
    return {
      cells: this.#cells,
      locals,
      ...(this.#lock && { lock: this.#lock.use }),
      extras: extras.flatMap((extra) =>
        extra.statements.map((lines) => ({ kind: extra.kind, lines })),
      ),
    };
  }

  #thread(t: number, extras: readonly Extra[]): readonly string[] {
    const { dice } = this;
    const writer = new StatementWriter(dice, this.#scope(extras));
    const most = this.#threads > 2 ? 2 + dice.below(2) : 3 + dice.below(3);
    const first = [...writer.body(this.places.length > 0 ? 2 : most)];
    this.#addShapes(t, first);
    const meeting = this.#hasBarrier
      ? ['pthread_barrier_wait(&meeting);', ...new StatementWriter(dice, this.#scope([])).body(1)]
      : [];
    if (this.#hasBarrier) dice.note('barrier');
    const kind = this.#isC11 ? 'int' : 'void *';
    return [
      `${kind}thread${t}(void *argument) {`.replace('int', 'int '),
      'int r = 0, s = 0;',
      ...(this.#result === 'field' ? ['struct job *job = argument;'] : []),
      ...first,
      ...meeting,
      ...this.#shapes.flatMap(({ last }) => last?.(t) ?? []),
      ...this.#results(t),
      '}',
    ];
  }

  /**
   * Inserts statements of the parts before or after statements of a thread, which may be blocks of
   * several lines.
   */
  #addShapes(t: number, lines: string[]): void {
    const { dice } = this;
    for (const { statements } of this.#shapes) {
      if (t > 0 && !dice.chance(0.7)) continue;
      const chosen = dice.pick(statements);
      if (dice.chance(0.5)) lines.unshift(...chosen);
      else lines.push(...chosen);
    }
  }

  #main(extras: readonly Extra[]): readonly string[] {
    const { dice } = this;
    const joins = this.#joins();
    const isBusy = dice.chance(0.2);
    if (isBusy) dice.note('main works beside its threads');
    this.#keeps = isBusy && dice.chance(0.8);
    if (this.#keeps) {
      dice.note('main keeps what it has read');
      this.#observed.push('kept');
    }
    const starts = [
      ...(this.#lock?.start ? [this.#lock.start] : []),
      ...(this.#hasBarrier ? [`pthread_barrier_init(&meeting, 0, ${this.#threads});`] : []),
      ...[...extras, ...this.#shapes].flatMap((extra) => extra.starts),
      ...(dice.chance(0.3) ? [`${this.#cells[0]!.place} = ${1 + dice.below(2)};`] : []),
    ];
    const prints = dice.chance(0.3);
    if (prints) dice.note('main prints');
    const status = dice.chance(0.4) ? `(int)(${dice.pick(this.#observed)}) & 7` : '0';
    if (status !== '0') dice.note('exit status');
    return [
      this.#hasArguments ? 'int main(int argc, char **argv) {' : 'int main(void) {',
      ...(dice.kinds.has('environment: argc') ? ['arguments = argc > 2 ? 2 : argc > 1;'] : []),
      ...starts,
      ...this.#creations(),
      ...(isBusy
        ? [
            '{',
            'int r = 0, s = 0;',
            ...new StatementWriter(dice, this.#scope([])).body(1 + dice.below(2)),
            ...(this.#keeps ? ['kept = (r & 15) * 16 + (s & 15);'] : []),
            '}',
          ]
        : []),
      ...joins,
      '#ifdef ASK',
      'assert(!(ASK));',
      '#endif',
      '#ifdef LOOK',
      lookLine(this.#observed),
      '#endif',
      ...(prints ? [`printf("%d\\n", (int)(${dice.pick(this.#observed)}));`] : []),
      `return ${status};`,
      '}',
    ];
  }

  #creations(): readonly string[] {
    const { dice } = this;
    const [handle, create] = this.#isC11
      ? ['thrd_t', 'thrd_create']
      : ['pthread_t', 'pthread_create'];
    const given = (t: string): string => (this.#result === 'field' ? `&jobs[${t}]` : '0');
    const call = (t: string, fn: string): string =>
      this.#isC11
        ? `${create}(&handle[${t}], ${fn}, ${given(t)});`
        : `${create}(&handle[${t}], 0, ${fn}, ${given(t)});`;
    const all = Array.from({ length: this.#threads }, (_, t) => t);
    if (!dice.chance(0.3))
      return [
        `${handle} handle[${this.#threads}];`,
        ...all.map((t) => call(String(t), `thread${t}`)),
      ];
    dice.note('threads by a table of functions');
    const type = this.#isC11 ? 'int (*todo[])(void *)' : 'void *(*todo[])(void *)';
    return [
      `${handle} handle[${this.#threads}];`,
      `${type} = {${all.map((t) => `thread${t}`).join(', ')}};`,
      `for (int t = 0; t < ${this.#threads}; t++) ${call('t', 'todo[t]')}`,
    ];
  }

  #joins(): readonly string[] {
    const all = Array.from({ length: this.#threads }, (_, t) => t);
    return all.flatMap((t) => {
      if (this.#result !== 'returned')
        return [this.#isC11 ? `thrd_join(handle[${t}], 0);` : `pthread_join(handle[${t}], 0);`];
      if (this.#isC11) return [`thrd_join(handle[${t}], &got${t});`];
      return [`{ void *given; pthread_join(handle[${t}], &given); got${t} = (int)(long)given; }`];
    });
  }
}

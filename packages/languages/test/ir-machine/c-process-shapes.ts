import { type CShapeMaker, shape } from './c-shape.js';

/**
 * Makes exit functions that run beside a thread which nobody joins. The functions are registered
 * before or while threads run, and a lock is taken before each of them. Only variables that are not
 * part of the compared final states change: `main` prints these states before it returns.
 */
const exitFunctions: CShapeMaker = (dice) => {
  const isSplit = dice.chance(0.5);
  const writes = 'flag1 = 1;';
  const looks = ['left1 = flag0;', 'assert(!(left1 == 0 && left0 == 1));'];
  const fence = dice.chance(0.5) ? 'atomic_thread_fence(memory_order_seq_cst);' : '';
  const within = !isSplit && dice.chance(0.3) ? 'atomic_thread_fence(memory_order_seq_cst);' : '';
  const destructor = (priority: number): string =>
    `__attribute__((destructor(${priority}))) static`;
  const kind = dice.weighed([
    [3, 'before'],
    [3, 'in threads'],
    [2, 'both'],
    [2, 'destructor'],
  ] as const);
  const [first, second] = isSplit
    ? [`{ ${writes} }`, `{ ${looks.join(' ')} }`]
    : ['{ }', `{ ${writes} ${within} ${looks.join(' ')} }`];
  const isListed = kind === 'destructor';
  const ofFirst = isListed && dice.chance(0.5) ? destructor(300) : 'static';
  const ofSecond = isListed ? destructor(200) : 'static';
  const early = ['atexit(second_last);', ...(isListed ? [] : ['atexit(last);'])];
  const starts = {
    before: ['atexit(last);', 'atexit(second_last);'],
    both: ['atexit(last);'],
    'in threads': [],
    destructor: ofFirst === 'static' && dice.chance(0.5) ? ['atexit(second_last);'] : [],
  }[kind];
  const inThreads = {
    before: [['r = r + 1;']],
    both: [['atexit(second_last);'], ['s = atexit(second_last);']],
    'in threads': early.map((call) => [call]),
    destructor:
      ofFirst === 'static' && starts.length === 0 ? [['atexit(second_last);']] : [['s = 1;']],
  }[kind];
  return shape('l: exit functions', {
    declared: [
      'static volatile int flag0, flag1, left0, left1;',
      `${ofFirst} void second_last(void) ${first}`,
      `${ofSecond} void last(void) ${second}`,
      `static void *beside(void *u) { flag0 = 1; ${fence} left0 = flag1 + 1; return 0; }`,
    ],
    starts: [...starts, 'pthread_t aside; pthread_create(&aside, 0, beside, 0);'],
    statements: inThreads,
    runsLast: true,
  });
};

/** Makes a ring in a block: threads move its pointer, which stays among its slots. */
const cursor: CShapeMaker = (dice, cells) => {
  const { place } = dice.pick(cells);
  const slots = 2 + dice.below(2);
  const qualifier = dice.pick(['', 'volatile ', '_Atomic ']);
  const isLast = dice.pick(['at + 1 == ring->end', 'at == ring->end - 1', 'at + 1 >= ring->end']);
  return shape('c: pointer in a block that moves', {
    declared: [
      `struct slot { int value; ${dice.pick(['', 'long more; ', 'char more; '])}};`,
      `struct ring { struct slot *first, *end; struct slot *${qualifier}at; int turns; };`,
      'struct ring *ring;',
    ],
    starts: [
      'ring = malloc(sizeof *ring);',
      `ring->first = calloc(${slots}, sizeof(struct slot));`,
      `ring->end = ring->first + ${slots}; ring->at = ring->first; ring->turns = 0;`,
    ],
    statements: [
      [
        `{ struct slot *at = ring->at; at->value = (int)${place} + 1;`,
        `ring->at = ${isLast} ? ring->first : at + 1; }`,
      ],
      ['r = ring->at->value;'],
      ['s = (int)(ring->at - ring->first);'],
      ['{ struct slot *at = ring->at; if (at != ring->first) at--; r = at->value; }'],
    ],
  });
};

/** Makes numbers that `main` computes, of the size of addresses. */
const numbersLikeAddresses: CShapeMaker = (dice, cells) => {
  const { place } = dice.pick(cells);
  const from = 4096 + 8 * dice.below(600);
  const step = 8 * (1 + dice.below(8));
  return shape('f: numbers like addresses', {
    declared: ['unsigned long numbers[3];'],
    starts: [
      `for (int i = 0; i < 3; i++) numbers[i] = ${from}ul + (unsigned long)i * ${step};`,
      ...(dice.chance(0.5)
        ? [`for (int i = 0; i < 3; i++) numbers[i] ^= numbers[i] >> ${2 + dice.below(4)};`]
        : ['numbers[2] += numbers[0] & 24;']),
    ],
    statements: [
      ['r = (int)(numbers[0] & 7);'],
      ['s = numbers[0] < numbers[1];'],
      [`if (numbers[2] % 3 == 0) ${place} = 1;`],
      ['numbers[1] = numbers[0] + 8;'],
    ],
    observed: ['numbers[1]'],
  });
};

/** Makers of random program parts about the end of the process and about addresses that move. */
export const processShapes: readonly CShapeMaker[] = [exitFunctions, cursor, numbersLikeAddresses];

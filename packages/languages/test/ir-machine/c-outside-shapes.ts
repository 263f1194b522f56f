import { type CShapeMaker, shape } from './c-shape.js';

const anyCount = [1, 2, 3, 4];

const argumentCount: CShapeMaker = (dice, cells) =>
  shape('a: argc', {
    declared: ['int arguments;'],
    starts: [
      dice.weighed([
        [3, 'arguments = argc > 1 ? 2 : 0;'],
        [3, 'arguments = argc > 2;'],
        [1, 'arguments = argc > 2 ? 2 : argc > 1;'],
      ]),
    ],
    statements: [
      [`if (arguments) ${dice.pick(cells).place} = 1;`],
      ['r = arguments;'],
      [`if (arguments > 1) s = (int)${dice.pick(cells).place};`],
    ],
    argumentCounts: anyCount,
  });

const argumentWords: CShapeMaker = (dice, cells) =>
  shape('a: argv', {
    declared: ['int has_word;'],
    starts: [
      dice.weighed([
        [4, 'has_word = argv[0] != 0;'],
        [3, 'has_word = argc > 0 ? argv[0] != 0 : 5;'],
        [1, "has_word = argc > 1 && argv[1][0] == 'a';"],
      ]),
    ],
    statements: [['r = has_word;'], [`if (has_word) ${dice.pick(cells).place} = 2;`]],
    argumentCounts: anyCount,
  });

const variable: CShapeMaker = (dice, cells) =>
  shape('a: getenv', {
    declared: ['char *getenv(const char *);', 'int has_mode;'],
    starts: ['has_mode = getenv("MODE") != 0;'],
    statements: [['r = has_mode;'], [`if (has_mode) ${dice.pick(cells).place} = 2;`]],
    assumed: ['no environment variable that getenv asks for is set'],
  });

const printed: CShapeMaker = (dice, cells) =>
  shape('a: result of printf', {
    statements: [
      ['r = printf("ab") < 0;'],
      [`if (printf("%d", r) > 0) ${dice.pick(cells).place} = 2;`],
      ['if (puts("a") < 0) s = 3;'],
    ],
  });

const memory: CShapeMaker = (dice, cells) =>
  shape('a: malloc that fails', {
    declared: ['void *spare;'],
    statements: [
      [
        '{ int *made = malloc(sizeof *made);',
        `if (!made) ${dice.pick(cells).place} = 3; else { *made = 2; r = *made; free(made); } }`,
      ],
      [
        '{ int *made = calloc(1, sizeof *made); if (!made) s = 4; else { s = *made; free(made); } }',
      ],
    ],
    assumed: ['malloc never fails'],
  });

const errors: CShapeMaker = (dice, cells) =>
  shape('a: errno', {
    declared: ['#include <errno.h>', '#include <unistd.h>', 'sem_t attempts;'],
    starts: ['sem_init(&attempts, 0, 1);'],
    statements: [
      ['if (usleep(1) != 0) r = errno == EAGAIN;'],
      ['errno = 0;', 'r = errno;'],
      ['if (sem_trywait(&attempts) != 0) s = errno == EAGAIN; else s = 2;'],
      [`if (usleep(1) != 0 && errno != 0) ${dice.pick(cells).place} = 1;`],
      ['usleep(1);', 's = errno > 20;'],
    ],
  });

const pause: CShapeMaker = (dice, cells) =>
  shape('a: usleep', {
    declared: ['#include <unistd.h>'],
    statements: [
      ['usleep(10);'],
      [`if (usleep(1) != 0) ${dice.pick(cells).place} = 1;`],
      ['r = usleep(1) == 0;'],
      ['s = sleep(1) != 0;'],
    ],
  });

const saidCount: CShapeMaker = (dice, cells) => {
  const argc = 1 + dice.below(3);
  return shape('a: --args', {
    declared: ['int words;'],
    starts: ['words = argc;'],
    statements: [
      ['r = words;'],
      [`for (int i = 1; i < words; i++) ${dice.pick(cells).place} = 1;`],
      [`if (words == 2) s = (int)${dice.pick(cells).place};`],
    ],
    given: { argc },
    argumentCounts: [argc],
  });
};

const saidResult: CShapeMaker = (dice, cells) =>
  dice.chance(0.5)
    ? shape('a: --assume', {
        declared: ['#include <unistd.h>'],
        statements: [
          ['r = usleep(1) != 0;'],
          [`if (usleep(1) != 0) ${dice.pick(cells).place} = 1; else s = 2;`],
        ],
        given: { usleep: dice.pick([0, -1]) },
      })
    : shape('a: --assume', {
        statements: [
          ['r = rand() % 3;'],
          [`if (rand() == 1) ${dice.pick(cells).place} = 1; else s = 2;`],
        ],
        given: { rand: dice.below(3) },
      });

const chance: CShapeMaker = (dice, cells) =>
  shape('a: rand', {
    statements: [
      ['r = rand() % 2;'],
      ['s = rand() % 3;'],
      [`if (rand() & 1) ${dice.pick(cells).place} = 1;`],
    ],
  });

/** Makers of random program parts whose values come from outside of the program. */
export const outsideShapes: readonly CShapeMaker[] = [
  ...[argumentCount, argumentWords, variable, printed, memory],
  ...[errors, pause, saidCount, saidResult, chance],
];

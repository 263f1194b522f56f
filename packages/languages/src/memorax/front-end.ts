import type { FrontEnd } from '@fencewright/model/program/front-end.js';

/** The language of Memorax. */
export const memorax = {
  id: 'memorax',
  extensions: ['.rmm'],
  title: "Memorax's",
  isNameless: true,
  parse: async (text) => (await import('./parse-memorax.js')).parseMemorax(text),
  print: async (program) => (await import('./print-memorax.js')).printMemorax(program),
  edit: async (text, program) => {
    const { memoraxFencePlaces, repairMemoraxText } = await import('./repair-memorax.js');
    return {
      placesOf: memoraxFencePlaces(text, program),
      repair: (repairs, choose) => repairMemoraxText(text, program, repairs, choose),
    };
  },
} as const satisfies FrontEnd;

import type { FrontEnd } from '@fencewright/model/program/front-end.js';

/** The front end for litmus tests of the herd tools. */
export const litmus = {
  id: 'litmus',
  extensions: ['.litmus'],
  title: 'litmus tests for x86 and in C',
  keepsOrders: true,
  parse: async (text) => (await import('./parse-litmus.js')).parseLitmus(text),
  print: async (program) => (await import('./print-litmus.js')).printLitmus(program),
  edit: async (text, program) => {
    const { litmusFencePlace, repairLitmusText } = await import('./repair-litmus.js');
    const placeOf = litmusFencePlace(text, program);
    return {
      placesOf: (thread, location) => {
        const place = placeOf(thread, location);
        return place ? [place] : [];
      },
      repair: (repairs) => repairLitmusText(text, program, repairs),
    };
  },
} as const satisfies FrontEnd;

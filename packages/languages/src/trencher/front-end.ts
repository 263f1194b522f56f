import type { FrontEnd } from '@fencewright/model/program/front-end.js';

/** The format of Trencher. */
export const trencher = {
  id: 'trencher',
  extensions: ['.txt', '.trencher'],
  title: "Trencher's",
  isNameless: true,
  parse: async (text) => (await import('./parse-trencher.js')).parseTrencher(text),
  print: async (program) => (await import('./print-trencher.js')).printTrencher(program),
  edit: async (text, program) => {
    const { instructionPlaces } = await import('@fencewright/model/program/instruction-places.js');
    const { repairTrencherText } = await import('./repair-trencher.js');
    return {
      placesOf: instructionPlaces(program),
      repair: (repairs) => repairTrencherText(text, repairs),
    };
  },
} as const satisfies FrontEnd;

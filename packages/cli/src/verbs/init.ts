import { quoteArgument, quoteName } from '@fencewright/core/words';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { exitCodes } from '../exit-codes.js';
import { formatOf } from '../formats.js';
import { programNamed, programTemplate } from '../program-template.js';
import { verb } from '../verb.js';
import { writeWhole } from '../write-whole.js';

const options = {};

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** The verb `init`: writes a new file with a commented example program. */
export const initVerb = verb(
  {
    name: 'init',
    options,
    complaint: (_, [file]) =>
      formatOf(file!) === 'native' && file !== '-'
        ? undefined
        : `${quoteName(file!)} is not a name for a program of the native language; call the file ${quoteName(`${path.parse(file!).name}.fw`)}`,
  },
  async (_, [given]) => {
    const file = given!;
    if (await exists(file)) {
      process.stderr.write(`fencewright: ${quoteName(file)} exists already, and was not changed\n`);
      return exitCodes.usage;
    }
    const text = programTemplate(programNamed(path.parse(file).name), file);
    const failure = await writeWhole(file, text);
    if (failure !== undefined) {
      process.stderr.write(failure);
      return exitCodes.usage;
    }
    process.stdout.write(
      `${quoteName(file)} has two threads, an assertion and a property; now try\n` +
        `  fencewright ${quoteArgument(file)}\n`,
    );
    return exitCodes.robust;
  },
);

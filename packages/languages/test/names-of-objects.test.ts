import { expect, test } from 'vitest';
import { scanC } from '../src/c/c-token.js';
import { fenceSpelling } from '../src/c/fence-spelling.js';
import { frontEnds } from '../src/read/front-ends.js';
import { parseText } from '../src/read/parse-text.js';

/**
 * Names of properties that every JavaScript object inherits: a table that is an object would find
 * them.
 */
const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];

test.each(names)('%s is a word of C like any other', (name) => {
  expect(scanC(`int ${name};`).map(({ text }) => text)).toEqual(['int', name, ';']);
  expect(fenceSpelling(`void ${name}(void) {}`, false)).toBe(
    '__atomic_thread_fence(__ATOMIC_SEQ_CST)',
  );
});

const texts = (name: string): Readonly<Record<string, string>> => ({
  native: `program P\nvar ${name}\nthread t { local r; ${name} = 1; r = ${name}; r = ${name}(r); }\n`,
  litmus: `X86 ${name}\n{ ${name}=0; }\n P0 ;\n j${name} L0 ;\n ${name} ${name},[x] ;\n mov [x],$1 ;\nexists (0:${name}=0 /\\ ${name}=1)\n`,
  c: `C ${name}\n{}\nP0(atomic_int *${name}) { int r0 = ${name}; r0 ${name} 2; }\nexists (0:${name}=0)\n`,
  memorax: `forbidden ${name} L1\ndata ${name} = 0 : [0:1]\nprocess\nregisters $${name} = * : [0:1]\ntext\nL0: read: ${name} := $${name} ${name} 1;\nL1: goto ${name}\n`,
  trencher: `thread ${name} initial ${name} begin ${name}: mem[${name}] <- ${name}; goto ${name}; end\n`,
});

test.each(names)('%s is read or refused in every format', async (name) => {
  for (const text of Object.values(texts(name)))
    for (const { id } of frontEnds) {
      if (id === 'c') continue;
      const { model, diagnostics } = await parseText(id, text);
      const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
      expect([id, hasErrors]).toEqual([id, model === undefined]);
    }
});

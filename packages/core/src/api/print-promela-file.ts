import { commentText } from '@fencewright/ground/source/quote-name.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import { toPromela, type PromelaModel } from '@fencewright/reference/promela/print-promela.js';
import { observedAttack, type Instrumented } from '@fencewright/reference/instrument/instrument.js';
import { leftOut, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';

/**
 * Macros at the start of a Promela file for running SPIN by hand: simulations print faults, and
 * every choice is allowed.
 */
const definitions = `#define FAULT(n) printf("fault %d\\n", n)
#define ALLOWED(n) true
`;

function fileOf(head: string, { text, faults }: PromelaModel): string {
  const list = faults.map(({ thread, transition, fault }, number) => {
    return ` * fault ${number}: ${fault}, in step ${transition} of thread ${thread}\n`;
  });
  return `/* ${head}\n${list.join('')} */\n${definitions}${text}`;
}

/** Prints the program under SC in Promela, with assertions; properties are left out with a note. */
export function printPromela(program: Program): PrintResult {
  const diagnostics = program.properties.map(({ name, span }): Diagnostic =>
    leftOut(
      span,
      `property '${name}' is left out`,
      'put it into an ltl formula or an assertion; reach decides it as well',
    ),
  );
  const model = toPromela(program, { original: program, keepsAssertions: true });
  const head = `${commentText(program.name)}, under SC\n * pan -E: a thread at its end waits for ever`;
  return { text: fileOf(head, model), diagnostics };
}

/**
 * Prints the instrumented program in Promela: an assertion can fail iff one of the attacks is
 * feasible. `original` is the program before instrumentation.
 */
export function printPromelaOfAttack(instrumented: Instrumented, original: Program): PrintResult {
  const model = toPromela(instrumented.program, {
    original,
    goals: instrumented.goals,
    observe: observedAttackOf(instrumented),
    maskDeadRegisters: true,
  });
  const head = `${commentText(original.name)}, instrumented: an assertion can fail iff the attack is feasible\n * pan -E: threads that wait for ever are no errors`;
  return { text: fileOf(head, model), diagnostics: [] };
}

/**
 * Returns the memory cells whose values name the attack, if the attack is chosen during the
 * execution.
 */
function observedAttackOf({ program }: Instrumented): readonly number[] {
  const isUsed = (cell: number): boolean =>
    program.threads.some(({ transitions }) =>
      transitions.some(
        ({ instruction }) =>
          instruction.kind === 'block' &&
          instruction.steps.some(
            (step) =>
              step.kind === 'auxiliary-store' &&
              step.space === 'control' &&
              step.address.kind === 'constant' &&
              step.address.value === cell,
          ),
      ),
    );
  return observedAttack.every(isUsed) ? observedAttack : [];
}

import type { PrintResult } from '@fencewright/model/program/print-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import { encodeReachability } from '@fencewright/proofs/chc/control-states.js';
import { formatHornSystem, pruneHornSystem } from '@fencewright/ground/smt/horn-system.js';
import type { Instrumented } from '@fencewright/reference/instrument/instrument.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';

const header = (name: string, isExact: boolean): string => `; ${name}: can the attack succeed?
; sat: no, under SC no goal of the instrumented program can be reached, nor a mistake of the program;
; unsat: yes${isExact ? ', if data are ideal integers' : ', or it cannot be told: some results are any integer here'}.
(set-logic HORN)
`;

/**
 * Prints as constrained Horn clauses in SMT-LIB 2 whether the attack of an instrumented program is
 * feasible, over integers without bounds; see docs/horn-clauses.md.
 */
export function hornText(instrumented: Instrumented, { name }: Pick<Program, 'name'>): PrintResult {
  const encoding = encodeReachability(instrumented);
  if (encoding.kind === 'unsupported') {
    const { why } = encoding;
    const message =
      why.kind === 'addresses'
        ? 'an address of the program cannot be told'
        : `more than ${why.most} predicates`;
    const hint = 'Horn clauses need to know which cells an instruction may access';
    return { diagnostics: [notSupported(undefined, message, hint)] };
  }
  const clauses = formatHornSystem(pruneHornSystem(encoding.system));
  const title = name.replaceAll(/\s+/g, ' ');
  return { text: `${header(title, encoding.isExact)}${clauses}(check-sat)\n`, diagnostics: [] };
}

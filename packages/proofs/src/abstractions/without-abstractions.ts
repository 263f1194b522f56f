import type { Templates } from '@fencewright/model/program/templates.js';
import { registerValue } from '@fencewright/model/program/expression.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { strengthenRmws } from '@fencewright/model/program/weak-rmw.js';
import { findReadAbstractions } from '@fencewright/model/analysis/guesses.js';

/**
 * Returns the program with plain loads in place of its read abstractions, and ordinary rmws in
 * place of weak rmws.
 */
export function withoutAbstractions(open: Templates): Templates {
  const threads = open.templates.threads.map((thread): Thread => {
    const abstractions = findReadAbstractions(thread);
    const transitions = thread.transitions.map((transition, id) => {
      const abstraction = abstractions.find(({ havoc }) => havoc === id);
      const load = abstraction && thread.transitions[abstraction.load]?.instruction;
      const { instruction } = transition;
      if (load?.kind !== 'load' || instruction.kind !== 'havoc') return transition;
      const value = registerValue(load.into);
      return {
        ...transition,
        instruction: { kind: 'assign' as const, into: instruction.into, value },
      };
    });
    return strengthenRmws({ ...thread, transitions });
  });
  return { ...open, templates: { ...open.templates, threads } };
}

import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { exploreMachine } from '@fencewright/model/semantics/explore-machine.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { toSampledState, type SampledState } from '../invariants/sampled-state.js';
import { spellOutAbstractions } from '../abstractions/spell-out-abstractions.js';

/** The maximum number of copies of an unbounded thread in a sampled instance. */
const mostCopies = 3;

/**
 * Samples states at resting places that instances with one, two and three copies reach under SC,
 * breadth first, among at most `maxStates` explored states. The samples are incomplete if data grow
 * without end, or there are too many states.
 */
export async function sampleStates(
  program: ProofProgram,
  limits: Limits & { readonly maxStates: number },
): Promise<readonly SampledState[]> {
  const samples: SampledState[] = [];
  const { maxStates, timeout, signal } = limits;
  const budget = new Budget({
    maxStates,
    ...(timeout !== undefined && { timeout }),
    ...(signal && { signal }),
  });
  const most = program.unbounded.length === 0 ? 1 : mostCopies;
  for (let copies = 1; copies <= most; copies++) {
    const isExhausted = await sampleInstance(program, copies, budget, samples);
    if (isExhausted) break;
  }
  return samples;
}

async function sampleInstance(
  program: ProofProgram,
  copies: number,
  budget: Budget,
  samples: SampledState[],
): Promise<boolean> {
  const { templates, unbounded } = program;
  const original: Templates = { templates, unbounded };
  const { open } = spellOutAbstractions(original, { low: -1, high: copies });
  const counts = templates.threads.map(() => copies);
  const choices = { low: 0, high: copies };
  const instance = instantiate(open, counts, choices);
  const { incomplete } = await exploreMachine(
    'SC',
    instance.program,
    budget,
    {
      onState: ({ state }) => {
        const sample = toSampledState(program, instance, state);
        if (sample) samples.push(sample);
      },
      onFailedAssertion: () => undefined,
    },
    { forgetsDeadRegisters: true },
  );
  return incomplete !== undefined;
}

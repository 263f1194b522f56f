import { Budget, type Limits } from '../base/budget.js';
import { instantiateOpen, type OpenProgram } from '../program/open-program.js';
import { exploreMachine } from '../reach/explore-machine.js';
import type { ProofProgram } from '../reduction/proof-program.js';
import type { SampledState } from '../reduction/sampled-state.js';
import { spellOutAbstractions } from '../reduction/spell-out-abstractions.js';

/** Most copies of a thread of which there are any number. */
const mostCopies = 3;

/**
 * States at resting places that instances with one, two and three copies reach under SC, breadth first: at most `maxStates` states are looked
 * at, and `maxMilliseconds` spent. Where data grow without end, or there are too many states, these are some of them.
 */
export async function sampleStates(
  program: ProofProgram,
  limits: Limits & { readonly maxStates: number; readonly maxMilliseconds: number },
): Promise<readonly SampledState[]> {
  const samples: SampledState[] = [];
  const { maxMilliseconds, maxStates, timeout = maxMilliseconds, signal } = limits;
  const budget = new Budget({
    maxStates,
    timeout: Math.min(timeout, maxMilliseconds),
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
  const { templates, unbounded, threads: steps } = program;
  const original: OpenProgram = { templates, unbounded };
  const { open } = spellOutAbstractions(original, { low: -1, high: copies });
  const counts = templates.threads.map(() => copies);
  const choices = { low: 0, high: copies };
  const { program: instance, templateOf } = instantiateOpen(open, { counts, choices });
  const places = steps.map((each) => new Set(each.places));
  const { incomplete } = await exploreMachine(
    'SC',
    instance,
    budget,
    {
      onState: ({ state: { locations, registers, memory, lockHolder } }) => {
        if (lockHolder !== undefined) return;
        const threads = locations.map((location, id) => ({
          thread: templateOf[id] ?? -1,
          self: instance.threads[id]?.copy?.index ?? 0,
          location,
          registers: registers[id] ?? [],
        }));
        if (threads.every(({ thread, location }) => places[thread]?.has(location)))
          samples.push({ memory, threads });
      },
      onFailedAssertion: () => undefined,
    },
    { forgetsDeadRegisters: true },
  );
  return incomplete !== undefined;
}

import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { TableFull } from '@fencewright/ground/product/state-storage.js';
import type { SequentialLook } from '../robustness/decision.js';
import type { SearchSession } from './search-session.js';

/**
 * The maximum number of states that the exploration may store beyond the states that the search for
 * attacks has stored.
 */
const maxMoreStates = 50_000;
/**
 * The maximum number of steps of the exploration. Each further state counts as a step for each
 * thread, since each thread is tried in each state.
 */
const maxMoreSteps = 1_000_000;
/** The maximum number of bytes of tables that the exploration makes. */
const maxMoreBytes = 64 * 2 ** 20;

const statesPerCheckpoint = 4096;

/**
 * Explores SC to the end. The exploration continues the first phase of the search for attacks,
 * which often is complete already. It may use the rest of the budget, but stores at most a fixed
 * number of states, unless the verdict needs a complete exploration (`needsEnd`).
 */
export async function lookAtSequential(
  session: SearchSession,
  budget: Budget,
  needsEnd = false,
): Promise<SequentialLook> {
  const { program, automata, sequential } = session;
  const exhausted = await explore(session, budget, needsEnd);
  return {
    isComplete: !exhausted && sequential.cursor >= sequential.table.count && !automata.isEndless(),
    ...(exhausted && { exhausted }),
    faults: automata.faults(),
    runs: (thread, transition) =>
      program.threads[thread]?.transitions[transition] !== undefined &&
      automata.threads[thread]?.sequential.code.ran.has(transition) === true,
  };
}

async function explore(
  session: SearchSession,
  budget: Budget,
  needsEnd: boolean,
): Promise<Exhaustion | undefined> {
  const { program, sequential } = session;
  const share = Math.min(maxMoreStates, Math.ceil(maxMoreSteps / program.threads.length));
  const known = sequential.table.count;
  try {
    session.start();
    return await (needsEnd
      ? runToEnd(session, budget, Number.POSITIVE_INFINITY)
      : runToEnd(session, budget.part(share), maxMoreBytes));
  } catch (error) {
    if (error instanceof TableFull) return 'memory';
    throw error;
  } finally {
    budget.finishSearch(sequential.table.count - known, session.bytes);
  }
}

async function runToEnd(
  session: SearchSession,
  part: Budget,
  maxBytes: number,
): Promise<Exhaustion | undefined> {
  const { sequential } = session;
  const { table } = sequential;
  const known = table.count;
  const { bytes } = session;
  for (;;) {
    const room = Math.min(statesPerCheckpoint, part.room(table.count - known));
    const growth = table.growthFor(room);
    if (session.bytes + growth - bytes > maxBytes && sequential.cursor < table.count)
      return 'memory';
    const result = sequential.run(table.count + room);
    if (result === 'done') return undefined;
    if (result === 'full') return 'memory';
    const exhausted = await part.checkpoint(table.count - known, session.bytes, growth);
    if (exhausted) return exhausted;
  }
}

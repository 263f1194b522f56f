import type { Budget } from '../base/budget.js';
import { TableFull } from '../product/state-storage.js';
import type { SequentialLook } from '../robustness/decision.js';
import type { SearchSession } from './search-session.js';

/** States that are looked at besides those of the search for attacks, at most. */
const maxMoreStates = 50_000;
/** The same, times threads: each of them is tried in each state. */
const maxMoreSteps = 1_000_000;
/** Bytes of tables that are made for it, at most. */
const maxMoreBytes = 64 * 2 ** 20;

const statesPerCheckpoint = 4096;

/**
 * Explores SC to its end, from where the first phase of the search for attacks has come to: often
 * that is the end. What is left of the budget is used, and a fixed number of states at most.
 */
export async function lookAtSequential(
  session: SearchSession,
  budget: Budget,
): Promise<SequentialLook> {
  const { program, automata, sequential } = session;
  const isExplored = await explore(session, budget);
  return {
    isComplete: isExplored && sequential.cursor >= sequential.table.count && !automata.isEndless(),
    faults: automata.faults(),
    runs: (thread, transition) =>
      program.threads[thread]?.transitions[transition] !== undefined &&
      automata.threads[thread]?.sequential.code.ran.has(transition) === true,
  };
}

/** Whether nothing is left to explore. */
async function explore(session: SearchSession, budget: Budget): Promise<boolean> {
  const { program, sequential } = session;
  const most = Math.min(maxMoreStates, Math.ceil(maxMoreSteps / program.threads.length));
  const part = budget.part(most);
  const known = sequential.table.count;
  try {
    session.start();
    return await runToEnd(session, part);
  } catch (error) {
    if (error instanceof TableFull) return false;
    throw error;
  } finally {
    budget.finishSearch(sequential.table.count - known, session.bytes);
  }
}

async function runToEnd(session: SearchSession, part: Budget): Promise<boolean> {
  const { sequential } = session;
  const { table } = sequential;
  const known = table.count;
  const { bytes } = session;
  for (;;) {
    const room = Math.min(statesPerCheckpoint, part.room(table.count - known));
    if (
      session.bytes + table.growthFor(room) - bytes > maxMoreBytes &&
      sequential.cursor < table.count
    )
      return false;
    const result = sequential.run(table.count + room);
    if (result === 'done') return true;
    if (result === 'full') return false;
    if (await part.checkpoint(table.count - known, session.bytes)) return false;
  }
}

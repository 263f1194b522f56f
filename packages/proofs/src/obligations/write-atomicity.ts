import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import {
  bufferFreeLoads,
  isStore,
  type LoadEdge,
  type StoreEdge,
} from '../steps/buffer-free-loads.js';
import { possibleEdges, type ImpossibleSteps } from './impossible-steps.js';
import { weaker, type Agreement, type Conflict, type MoverChecks } from './movers.js';
import type { Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';

/**
 * The reason why a store counts as atomic (reaching memory at once), and the degree in which steps
 * may change places by this reason.
 */
type AtomicityArgument =
  | { readonly kind: 'no-loads'; readonly agreement: 'apart' }
  | { readonly kind: 'left-mover' | 'right-movers'; readonly agreement: Agreement }
  | { readonly kind: 'none'; readonly conflicts: readonly Conflict[] };

export interface StoreAtomicity {
  readonly thread: ThreadId;
  readonly store: StoreEdge;
  readonly loads: readonly LoadEdge[];
  readonly argument: AtomicityArgument;
  /**
   * The steps of the thread excluded by the invariants; present if `loads` leaves out the loads
   * after excluded steps.
   */
  readonly impossible?: readonly Step[];
}

/**
 * Decides for every store whether the store is a left mover, or every load that can come during its
 * delay is a right mover ([BEMT18] Def. 1). If every store has such an argument, the program is
 * robust (Theorem 1). Stores inside lock blocks are left out: they reach memory before the block
 * ends, and no other thread accesses memory before.
 */
export async function decideWriteAtomicity(
  program: ProofProgram,
  movers: MoverChecks,
  impossible: ImpossibleSteps,
): Promise<readonly StoreAtomicity[]> {
  const stores = program.threads.flatMap(({ thread, edges, isLocked }) =>
    edges
      .filter(isStore)
      .filter(({ from }) => !isLocked[from])
      .map((store) => ({ thread, store, loads: bufferFreeLoads(store, edges, program.memory) })),
  );
  const decided: StoreAtomicity[] = [];
  for (const found of stores) {
    const argument = await argueFor(found, movers);
    const better =
      argument.kind === 'none'
        ? await withFewerLoads(program, found, movers, impossible)
        : undefined;
    decided.push(better ?? { ...found, argument });
  }
  return decided;
}

/**
 * Returns an argument for a store that is about the loads left possible by the invariants only;
 * `undefined` if the invariants leave all loads possible, or if there is no argument.
 */
async function withFewerLoads(
  { threads, memory }: ProofProgram,
  { thread, store, loads }: Omit<StoreAtomicity, 'argument'>,
  movers: MoverChecks,
  impossible: ImpossibleSteps,
): Promise<StoreAtomicity | undefined> {
  const excluded = await impossible.of(thread);
  const { edges, steps } = at(threads, thread);
  const left = bufferFreeLoads(store, possibleEdges(steps, edges, excluded), memory);
  if (left.length === loads.length) return undefined;
  const found = { thread, store, loads: left };
  const argument = await argueFor(found, movers);
  return argument.kind === 'none' ? undefined : { ...found, argument, impossible: excluded };
}

async function argueFor(
  { thread, store, loads }: Omit<StoreAtomicity, 'argument'>,
  movers: MoverChecks,
): Promise<AtomicityArgument> {
  if (loads.length === 0) return { kind: 'no-loads', agreement: 'apart' };
  const conflicts: Conflict[] = [];
  let agreement: Agreement = 'apart';
  for (const load of loads) {
    const answer = await movers.rightMover(thread, load);
    if (answer.kind === 'stuck') conflicts.push(answer.conflict);
    else agreement = weaker(agreement, answer.agreement);
  }
  if (conflicts.length === 0 && agreement === 'apart') return { kind: 'right-movers', agreement };
  const left = await movers.leftMover(thread, store);
  if (left.kind === 'stuck') conflicts.unshift(left.conflict);
  const rightWins = conflicts.every(({ mover }) => mover === 'store');
  if (rightWins && (left.kind === 'stuck' || weaker(left.agreement, agreement) === left.agreement))
    return { kind: 'right-movers', agreement };
  if (left.kind === 'moves') return { kind: 'left-mover', agreement: left.agreement };
  return { kind: 'none', conflicts };
}

/**
 * Returns the weakest agreement among the arguments of the stores; `undefined` if some store has no
 * argument.
 */
export function overallAgreement(stores: readonly StoreAtomicity[]): Agreement | undefined {
  let overall: Agreement = 'apart';
  for (const { argument } of stores) {
    if (argument.kind === 'none') return undefined;
    overall = weaker(overall, argument.agreement);
  }
  return overall;
}

import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { CycleEdge, Witness } from '@fencewright/model/verdict/verdict.js';
import { libraryNoun } from './library-steps.js';
import { actionNoun, atLine, threadName } from './action-words.js';
import { accessedValue, cellValueText } from './pointer-values.js';

/** Returns one edge of a happens-before cycle as a sentence without the full stop. */
function edgeInWords(program: Program, from: Action, to: Action, edge: CycleEdge): string {
  const owner = threadName(program, from.thread);
  const other = threadName(program, to.thread);
  const source = `${owner}'s ${actionNoun(program, from)}`;
  const target = `${other}'s ${actionNoun(program, to)}`;
  switch (edge.relation) {
    case 'po': {
      const verb = from.kind === 'issue' || from.kind === 'store' ? 'issues' : 'does';
      return (
        `${owner} ${verb} its ${actionNoun(program, from)}${atLine(program, from)}` +
        ` before its ${actionNoun(program, to)}${atLine(program, to)} in program order`
      );
    }
    case 'st':
      return (
        `${source}${written(program, from)}${atLine(program, from)} reaches memory` +
        ` before ${target}${written(program, to)}${atLine(program, to)}`
      );
    case 'src': {
      const writer = from.thread === to.thread ? 'its own' : `${owner}'s`;
      return (
        `${target}${atLine(program, to)} reads the value ${read(program, to)}` +
        ` that ${writer} ${actionNoun(program, from)}${atLine(program, from)} wrote`
      );
    }
    case 'cf':
      return (
        `${source}${atLine(program, from)} read ${read(program, from)}` +
        ` before ${target}${written(program, to)}${atLine(program, to)} took effect`
      );
    case 'lock':
      return (
        `${owner} does its ${actionNoun(program, from)}${atLine(program, from)}` +
        ` and its ${actionNoun(program, to)}${atLine(program, to)} as one, under the bus lock`
      );
    default:
      return unreachable(edge.relation);
  }
}

function written(program: Program, action: Action): string {
  if (libraryNoun(program, action) !== undefined) return '';
  if (action.kind === 'issue' || action.kind === 'store')
    return ` = ${accessedValue(program, action)}`;
  if (action.kind === 'rmw' && action.written !== undefined)
    return ` (writing ${cellValueText(program, action.address, action.written)})`;
  return '';
}

function read(program: Program, action: Action): string {
  return action.kind === 'load' || action.kind === 'rmw' ? accessedValue(program, action) : '';
}

/**
 * Returns the edges of a cycle in words, one sentence each, in the order of the cycle; every
 * sentence ends with the start of the next.
 */
export function cycleInWords(
  program: Program,
  computation: Computation,
  cycle: readonly CycleEdge[],
): { readonly sentence: string; readonly edge: CycleEdge }[] {
  return cycle.flatMap((edge) => {
    const from = computation[edge.from];
    const to = computation[edge.to];
    if (from === undefined || to === undefined) return [];
    return [{ sentence: edgeInWords(program, from, to, edge), edge }];
  });
}

/**
 * Returns the reason why the delayed store in the cycle is not the attack's store: it waits behind
 * the attack's store. `undefined` if the cycle contains the attack's store.
 */
export function storeBehindAttack(
  program: Program,
  { attack, computation, cycle }: Witness,
): string | undefined {
  const ends = cycle.flatMap(({ from, to }) => [computation[from], computation[to]]);
  const own = ends.filter((action) => action?.thread === attack.thread);
  if (own.some((action) => action?.transition === attack.store)) return undefined;
  const other = own.find((action) => action?.kind === 'issue');
  const first = computation.find(
    ({ kind, thread, transition }) =>
      kind === 'issue' && thread === attack.thread && transition === attack.store,
  );
  if (other?.kind !== 'issue' || first?.kind !== 'issue') return undefined;
  const [waiting, ahead] = [other, first].map(({ address }) => formatAddress(program, address));
  return `${threadName(program, attack.thread)}'s store of ${waiting}${atLine(program, other)} waits, too: the store of ${ahead} is ahead of it in the buffer.`;
}

import type { Templates } from '@fencewright/model/program/templates.js';
import type { MoverProof } from '@fencewright/model/verdict/prove-result.js';
import { moverType, type MoverType } from '../words/mover-type.js';
import { lines, tables } from '../words/blocks.js';
import type { Block, Tone, TonedText } from '../words/document.js';
import { instructionText, stateLines } from './proof-lines.js';

/**
 * Returns a table of accesses with their mover types (`R`, `L`, `B`, `N`), and below
 * it why some accesses do not commute.
 */
export function moverBlocks(open: Templates, movers: readonly MoverProof[]): readonly Block[] {
  const tones: Record<MoverType, Tone> = {
    ...{ R: 'good', L: 'good', B: 'good', N: 'bad', '?': 'doubtful' },
  };
  const rows = movers.map((each) => {
    const type = moverType(each);
    const shown: TonedText = { text: type, tone: tones[type] };
    return [instructionText(open, each.access), shown, reason(each)];
  });
  const columns = [{ title: 'access' }, { title: 'type' }, { title: 'why' }];
  return [
    ...tables({ columns, rows }),
    ...lines(movers.flatMap((each) => obstacleLines(open, each))),
  ];
}

/**
 * Returns the reasons why the access commutes to the right or left with steps of other threads,
 * with the invariants used; empty if it commutes in neither direction.
 */
function reason({ moves }: MoverProof): string {
  if (!moves) return 'a locked access counts as no mover';
  const { right, left } = moves;
  const all = [right, left].flatMap((move) => (move.kind === 'moves' ? [move] : []));
  const words = new Set(all.map((move) => reasons[move.reason]));
  const invariants = new Set(all.flatMap((move) => move.invariants));
  const by = invariants.size > 0 ? ` by ${[...invariants].join(', ')}` : '';
  return words.size === 0 ? '' : `${[...words].join('; ')}${by}`;
}

const reasons = {
  text: 'no other thread accesses the variable, or all only read it',
  apart: 'never at one cell with another thread at once',
  effects: 'both orders have the same effects',
} as const;

/**
 * Returns the lines about the first step of another thread with which the access does not commute.
 */
function obstacleLines(open: Templates, { access, moves }: MoverProof): readonly string[] {
  if (!moves) return [];
  const way = moves.right.kind === 'moves' ? 'left' : 'right';
  const move = moves[way];
  if (move.kind === 'moves') return [];
  const { other, otherSucceeds, state } = move;
  const outcome =
    otherSucceeds === undefined ? '' : otherSucceeds ? ', which succeeds' : ', which fails';
  const text = instructionText(open, access);
  const neighbour = `${instructionText(open, other)}${outcome}`;
  if (move.kind === 'unknown') return [`${text}: the solver gave up on ${neighbour}`];
  const order = way === 'right' ? 'in front of' : 'behind';
  return [`${text} is no ${way} mover ${order} ${neighbour}:`, ...stateLines(state)];
}

import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { ArrowRelation } from '@fencewright/model/c11/graph-arrows.js';
import type { Program } from '@fencewright/model/program/program.js';
import { addedCells } from '@fencewright/model/program/thread-cells.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import {
  buildTrace,
  type HappensBefore,
  type RelationName,
  relationBetween,
  type Trace,
} from '@fencewright/model/trace/trace.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { placeInWords } from '../words/action-words.js';
import { stepNumbers } from '../words/step-numbers.js';
import { threadCellNoun } from '../words/thread-cell-words.js';
import { commitSteps } from '../words/commit-steps.js';
import { accessedValue, cellValueText } from '../words/pointer-values.js';

/** A memory access of a witness; a store's issue and commit form one node. */
export interface GraphNode {
  /** The index of the access among the told steps; for a store, the index of its issue. */
  readonly step: number;
  /**
   * The index of the commit (the action `store`) that completes the issue; absent for other
   * accesses, and if the store is still buffered at the end.
   */
  readonly commit?: number;
  readonly thread: ThreadId;
  /** The access in few words: `store x = 1`, `load y = 0`. */
  readonly text: string;
  /** The place of the access in the program text, in words; absent without a text. */
  readonly place?: string;
  /** The second line of the access in a drawing; if absent, its place and steps. */
  readonly foot?: string;
  readonly onCycle: boolean;
}

export interface GraphEdge {
  /** The index in `nodes` of the edge's first access; `to` is the index of the second access. */
  readonly from: number;
  readonly to: number;
  readonly relation: RelationName | ArrowRelation;
  readonly onCycle: boolean;
}

/**
 * The happens-before relation of a witness, for drawing: only direct edges and the edges of the
 * cycle.
 */
export interface HappensBeforeGraph {
  /** The accesses to draw, in the order of the computation. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /**
   * The number of accesses left out of `nodes`: accesses off the cycle, if the computation has too
   * many accesses to draw.
   */
  readonly leftOut: number;
}

/** Returns the part of the graph on its cycle. */
export function cycleOf({ nodes, edges }: HappensBeforeGraph): HappensBeforeGraph {
  const kept = nodes.flatMap(({ onCycle }, node) => (onCycle ? [node] : []));
  return {
    nodes: kept.map((node) => nodes[node]!),
    edges: edges.flatMap((edge) =>
      edge.onCycle ? [{ ...edge, from: kept.indexOf(edge.from), to: kept.indexOf(edge.to) }] : [],
    ),
    leftOut: nodes.length - kept.length,
  };
}

/** The maximum number of accesses with which a picture is readable. */
export const mostNodes = 28;

/** Returns an access in few words, for nodes and marks. */
function accessText(program: Program, action: Action): string {
  const address = 'address' in action ? action.address : undefined;
  const own = threadCellNoun(program, address, action.kind !== 'load');
  if (own !== undefined) return own;
  switch (action.kind) {
    case 'issue':
    case 'store':
      return `store ${formatAddress(program, action.address)} = ${accessedValue(program, action)}`;
    case 'load':
      return `load ${formatAddress(program, action.address)} = ${accessedValue(program, action)}`;
    case 'rmw': {
      const cell = formatAddress(program, action.address);
      return action.written === undefined
        ? `cas ${cell} = ${accessedValue(program, action)} fails`
        : `rmw ${cell}: ${accessedValue(program, action)} to ${cellValueText(program, action.address, action.written)}`;
    }
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'local':
      return action.kind;
    default:
      return unreachable(action);
  }
}

/**
 * A function that returns the relation from one node to another; `undefined` for unrelated nodes.
 */
type RelationOf = (from: number, to: number) => RelationName | undefined;

/**
 * Whether the edge from `from` to `to` is needed: no path of other edges of the relation leads from
 * `from` to `to`.
 */
function isDirect(
  relationOf: RelationOf,
  kept: readonly number[],
  from: number,
  to: number,
): boolean {
  const relation = relationOf(from, to);
  switch (relation) {
    case 'po':
    case 'st':
      return !kept.some(
        (mid) => relationOf(from, mid) === relation && relationOf(mid, to) === relation,
      );
    case 'cf':
      // A direct edge leads to the first store after the store that was read; store order covers
      // later stores.
      return !kept.some((mid) => relationOf(from, mid) === 'cf' && relationOf(mid, to) === 'st');
    case 'src':
    case 'lock':
      return true;
    case undefined:
      return false;
  }
}

/**
 * Returns the happens-before relation of a witness as a graph, by the notion `happensBefore`.
 * Source: [BDM13] Sect. 3.
 */
export function happensBeforeGraph(
  program: Program,
  { computation, cycle, admitted }: Witness,
  happensBefore: HappensBefore,
): HappensBeforeGraph {
  const trace: Trace = buildTrace(computation, new Map(admitted));
  const relationOf: RelationOf = (from, to) => relationBetween(trace, from, to, happensBefore);
  const commits = commitSteps(computation);
  const numbers = stepNumbers(program, computation);
  const steps = new Set(cycle.flatMap(({ from, to }) => [from, to]));
  const isOnCycle = (index: number): boolean => steps.has(at(trace.nodes, index).issuedAt);
  const own = addedCells(program);
  // Accesses by which a front end starts and joins threads are drawn only if the cycle has them.
  const isOwn = (action: Action): boolean => 'address' in action && own.has(action.address);
  const all = trace.nodes.flatMap(({ issuedAt }, index) =>
    isOwn(at(computation, issuedAt)) && !isOnCycle(index) ? [] : [index],
  );
  const kept = all.length > mostNodes ? all.filter(isOnCycle) : all;
  const nodes = kept.flatMap((index): GraphNode[] => {
    const { issuedAt, thread } = trace.nodes[index]!;
    const action = computation[issuedAt]!;
    const committed = commits.get(issuedAt);
    const step = at(numbers, issuedAt) - 1;
    const commit = committed === undefined ? undefined : at(numbers, committed) - 1;
    const place = placeInWords(program, thread, action.transition);
    return [
      {
        step,
        ...(commit !== undefined && { commit }),
        thread,
        text: accessText(program, action),
        ...(place !== undefined && { place }),
        onCycle: isOnCycle(index),
      },
    ];
  });
  const cycleEdges = new Map(cycle.map(({ from, to, relation }) => [`${from} ${to}`, relation]));
  const edges = kept.flatMap((a, from) =>
    kept.flatMap((b, to): GraphEdge[] => {
      const key = `${trace.nodes[a]!.issuedAt} ${trace.nodes[b]!.issuedAt}`;
      const ofCycle = cycleEdges.get(key);
      if (ofCycle) return [{ from, to, relation: ofCycle, onCycle: true }];
      const relation = relationOf(a, b);
      return relation && isDirect(relationOf, kept, a, b)
        ? [{ from, to, relation, onCycle: false }]
        : [];
    }),
  );
  return { nodes, edges, leftOut: all.length - kept.length };
}

import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { GraphEdge, GraphNode, HappensBeforeGraph } from './happens-before-graph.js';

/** A point of a drawing, in user units of SVG; `y` grows downwards. */
interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode {
  readonly node: GraphNode;
  /** The coordinates of the upper left corner of the node. */
  readonly x: number;
  readonly y: number;
}

/**
 * An edge as a cubic curve from `start` to `end`, with its control points and the position of its
 * label.
 */
export interface PlacedEdge {
  readonly edge: GraphEdge;
  readonly start: Point;
  readonly control: readonly [Point, Point];
  readonly end: Point;
  readonly label: Point;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  /** The heads of the columns, one for each thread, centred at `x`. */
  readonly columns: readonly { readonly thread: ThreadId; readonly x: number }[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

const characterWidth = 7.3;
const footCharacterWidth = 6.1;
const nodeHeight = 42;
const rowHeight = 84;
const headHeight = 34;
const margin = 26;
const gap = 92;

/**
 * Returns the second line of a drawn access: its place in the program, and its steps of the
 * computation, from 1.
 */
export function footOf({ step, commit, place, foot }: GraphNode): string {
  if (foot !== undefined) return foot;
  const at = commit === undefined ? `step ${step + 1}` : `steps ${step + 1}, ${commit + 1}`;
  return place === undefined ? at : `${place} · ${at}`;
}

/**
 * Returns the number of rows from the node `from` down to the node `to`; both are in the column of
 * one thread.
 */
function rowsApart(nodes: readonly GraphNode[], from: number, to: number): number {
  const { thread } = nodes[from]!;
  return nodes.slice(from, to).filter((node) => node.thread === thread).length;
}

type NodeSide = 'left' | 'right' | 'top' | 'bottom';

/**
 * Returns the side of the node `from` at which an edge leaves, and the side of the node `to` at
 * which it enters. Threads are columns side by side; program order is downwards.
 */
function sidesOf(from: PlacedNode, to: PlacedNode): readonly [NodeSide, NodeSide] {
  if (from.x < to.x) return ['right', 'left'];
  if (from.x > to.x) return ['left', 'right'];
  return to.y - from.y === rowHeight ? ['bottom', 'top'] : ['left', 'left'];
}

function middle(
  { start, control, end }: Pick<PlacedEdge, 'start' | 'control' | 'end'>,
  t: number,
): Point {
  const u = 1 - t;
  const at = (a: number, b: number, c: number, d: number): number =>
    u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
  const [c1, c2] = control;
  return { x: at(start.x, c1.x, c2.x, end.x), y: at(start.y, c1.y, c2.y, end.y) };
}

/** Half the width and height of a label. */
const labelHalf = { width: 12, height: 9 };

/**
 * Positions tried for a label along its curve, from 0 to 1. Positions off the middle come first,
 * because labels of crossing edges would collide in the middle.
 */
const labelPlaces = [0.3, 0.5, 0.2, 0.7, 0.12, 0.8, 0.4, 0.6, 0.88];

/**
 * Returns the position of an edge's label on its curve: the first tried position, beginning with
 * `preferred`, at which the label overlaps no node and none of the earlier `labels`.
 */
function labelPoint(
  curve: Pick<PlacedEdge, 'start' | 'control' | 'end'>,
  preferred: number,
  nodes: readonly PlacedNode[],
  nodeWidth: number,
  labels: readonly Point[],
): Point {
  const { width, height } = labelHalf;
  const isFree = (at: Point): boolean =>
    !nodes.some(
      ({ x, y }) =>
        at.x > x - width &&
        at.x < x + nodeWidth + width &&
        at.y > y - height &&
        at.y < y + nodeHeight + height,
    ) &&
    !labels.some(({ x, y }) => Math.abs(at.x - x) < 2 * width && Math.abs(at.y - y) < 2 * height);
  const places = [preferred, ...labelPlaces].map((t) => middle(curve, t));
  return places.find(isFree) ?? middle(curve, preferred);
}

/** The point at which an edge leaves or enters a side of a node. */
interface Port {
  readonly edge: number;
  readonly end: 'start' | 'end';
  readonly node: number;
  readonly side: NodeSide;
  /**
   * The vertical position of the edge's opposite end. The ends at one side of a node are sorted by
   * this position, so that edges do not cross close to the side.
   */
  readonly other: number;
}

/**
 * Returns a function that gives the position of an edge's end; the ends of edges are spread over
 * the sides of their nodes.
 */
function spreadPorts(
  nodes: readonly PlacedNode[],
  sides: readonly (readonly [NodeSide, NodeSide])[],
  edges: readonly GraphEdge[],
  nodeWidth: number,
): (edge: number, end: Port['end']) => Point {
  const ports = edges.flatMap(({ from, to }, edge): Port[] => {
    const [leave, enter] = sides[edge]!;
    return [
      { edge, end: 'start', node: from, side: leave, other: nodes[to]!.y },
      { edge, end: 'end', node: to, side: enter, other: nodes[from]!.y },
    ];
  });
  const places = new Map<string, Point>();
  const groups = new Map<string, Port[]>();
  for (const port of ports) {
    const key = `${port.node} ${port.side}`;
    groups.set(key, [...(groups.get(key) ?? []), port]);
  }
  for (const group of groups.values()) {
    const sorted = group.toSorted((a, b) => a.other - b.other || a.edge - b.edge);
    sorted.forEach(({ edge, end, node, side }, i) => {
      const { x, y } = nodes[node]!;
      const step = Math.min(11, (nodeHeight - 12) / Math.max(1, sorted.length - 1));
      const offset = (i - (sorted.length - 1) / 2) * step;
      const isVertical = side === 'top' || side === 'bottom';
      places.set(`${edge} ${end}`, {
        x: isVertical ? x + nodeWidth / 2 + offset : side === 'left' ? x : x + nodeWidth,
        y: isVertical ? (side === 'top' ? y : y + nodeHeight) : y + nodeHeight / 2 + offset,
      });
    });
  }
  return (edge, end) => places.get(`${edge} ${end}`)!;
}

/** Returns the inner control points of a curve that leaves and enters its nodes at right angles. */
function controlsOf(
  [leave, enter]: readonly [NodeSide, NodeSide],
  start: Point,
  end: Point,
  rows: number,
): readonly [Point, Point] {
  if (leave === 'bottom') {
    const reach = (end.y - start.y) / 3;
    return [
      { x: start.x, y: start.y + reach },
      { x: end.x, y: end.y - reach },
    ];
  }
  const out = (side: NodeSide): number => (side === 'left' ? -1 : 1);
  const isLoop = leave === enter;
  const reach = isLoop
    ? 22 + 8 * Math.min(rows, 6)
    : Math.max(36, Math.abs(end.x - start.x) * 0.36);
  return [
    { x: start.x + out(leave) * reach, y: start.y },
    { x: end.x + out(enter) * reach, y: end.y },
  ];
}

/**
 * Returns the layout of a graph: a column for each thread, its accesses in program order from top
 * to bottom.
 */
export function layoutGraph({ nodes, edges }: HappensBeforeGraph): GraphLayout {
  const widest = nodes.map((node) =>
    Math.max(node.text.length * characterWidth, footOf(node).length * footCharacterWidth),
  );
  const nodeWidth = Math.ceil(Math.max(80, ...widest)) + 20;
  const threads = [...new Set(nodes.map(({ thread }) => thread))].sort((a, b) => a - b);
  const rows = new Map<ThreadId, number>();
  // Arcs along a column bulge to its left.
  const hasArcs = edges.some(
    ({ from, to }) => nodes[from]!.thread === nodes[to]!.thread && rowsApart(nodes, from, to) > 1,
  );
  const left = margin + (hasArcs ? 50 : 0);
  const placed = nodes.map((node): PlacedNode => {
    const row = rows.get(node.thread) ?? 0;
    rows.set(node.thread, row + 1);
    return {
      node,
      x: left + threads.indexOf(node.thread) * (nodeWidth + gap),
      y: margin + headHeight + row * rowHeight,
    };
  });
  const sides = edges.map(({ from, to }) => sidesOf(placed[from]!, placed[to]!));
  const portOf = spreadPorts(placed, sides, edges, nodeWidth);
  const labels: Point[] = [];
  const placedEdges = edges.map((edge, i): PlacedEdge => {
    const start = portOf(i, 'start');
    const end = portOf(i, 'end');
    const span = Math.abs(placed[edge.from]!.y - placed[edge.to]!.y) / rowHeight;
    const control = controlsOf(sides[i]!, start, end, span);
    const isInColumn = sides[i]![0] === sides[i]![1] || sides[i]![0] === 'bottom';
    const curve = { start, control, end };
    const label = labelPoint(curve, isInColumn ? 0.5 : 0.3, placed, nodeWidth, labels);
    labels.push(label);
    return { edge, start, control, end, label };
  });
  return {
    width: left + threads.length * nodeWidth + (threads.length - 1) * gap + margin,
    height: 2 * margin + headHeight + (Math.max(0, ...rows.values()) - 1) * rowHeight + nodeHeight,
    nodeWidth,
    nodeHeight,
    columns: threads.map((thread, i) => ({
      thread,
      x: left + i * (nodeWidth + gap) + nodeWidth / 2,
    })),
    nodes: placed,
    edges: placedEdges,
  };
}

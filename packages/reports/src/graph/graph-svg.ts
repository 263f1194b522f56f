import type { Program } from '@fencewright/model/program/program.js';
import { threadName } from '../words/action-words.js';
import {
  footOf,
  type GraphLayout,
  layoutGraph,
  type PlacedEdge,
  type PlacedNode,
} from './graph-layout.js';
import type { HappensBeforeGraph } from './happens-before-graph.js';
import { xmlAttribute, xmlText } from '../words/xml-text.js';

const round = (value: number): string => String(Math.round(value * 10) / 10);

/**
 * Returns a triangle whose tip is the end of the curve, pointing in the curve's direction there.
 */
function arrowHead({ control, end }: PlacedEdge): string {
  const [, last] = control;
  const length = Math.hypot(end.x - last.x, end.y - last.y) || 1;
  const dx = (end.x - last.x) / length;
  const dy = (end.y - last.y) / length;
  const corner = (side: number): string =>
    `${round(end.x - 9 * dx - side * 4.5 * dy)},${round(end.y - 9 * dy + side * 4.5 * dx)}`;
  return `<polygon points="${round(end.x)},${round(end.y)} ${corner(1)} ${corner(-1)}"/>`;
}

function edgeSvg(placed: PlacedEdge, { nodes }: GraphLayout): string[] {
  const { edge, start, control, end, label } = placed;
  const [c1, c2] = control;
  const path = `M${round(start.x)} ${round(start.y)}C${round(c1.x)} ${round(c1.y)} ${round(c2.x)} ${round(c2.y)} ${round(end.x)} ${round(end.y)}`;
  const ends = `data-from="${nodes[edge.from]!.node.step}" data-to="${nodes[edge.to]!.node.step}"`;
  return [
    `<g class="edge ${edge.relation}${edge.onCycle ? ' cycle' : ''}" ${ends}>`,
    `<path d="${path}"/>${arrowHead(placed)}`,
    `<text x="${round(label.x)}" y="${round(label.y + 4)}">${edge.relation}</text></g>`,
  ];
}

function nodeSvg(
  { node, x, y }: PlacedNode,
  { nodeWidth, nodeHeight }: GraphLayout,
  program: Program,
): string[] {
  const steps = [node.step, ...(node.commit === undefined ? [] : [node.commit])].join(' ');
  const where = node.place === undefined ? '' : `, ${node.place}`;
  const at =
    node.commit === undefined
      ? `step ${node.step + 1}`
      : // The words of the node's second line: speech control needs the visible words.
        `steps ${node.step + 1}, ${node.commit + 1}`;
  const mark = node.foot === undefined ? ', on the cycle' : ', marked';
  const title = `${threadName(program, node.thread)}: ${node.text}${where}, ${node.foot ?? at}${node.onCycle ? mark : ''}`;
  const centre = round(x + nodeWidth / 2);
  return [
    `<g class="node${node.onCycle ? ' cycle' : ''}" data-steps="${steps}" aria-label="${xmlAttribute(title)}"><title>${xmlText(title)}</title>`,
    `<rect x="${round(x)}" y="${round(y)}" width="${nodeWidth}" height="${nodeHeight}" rx="7"/>`,
    `<text class="access" x="${centre}" y="${round(y + 18)}">${xmlText(node.text)}</text>`,
    `<text class="foot" x="${centre}" y="${round(y + 33)}">${xmlText(footOf(node))}</text></g>`,
  ];
}

/**
 * The colours of a picture that stands alone; a page that contains the picture defines the colours
 * itself.
 */
const ownStyle = `
svg.happens-before { --ink: #1c2128; --faint: #57606a; --paper: #ffffff; --line: #8c959f; --hot: #b3261e; --hot-paper: #ffe9e6 }
@media (prefers-color-scheme: dark) {
  svg.happens-before { --ink: #e6eaf0; --faint: #a3adb8; --paper: #14181e; --line: #77818d; --hot: #ff8a80; --hot-paper: #3c1a18 }
}
svg.happens-before { background: var(--paper); font-family: ui-monospace, Menlo, Consolas, monospace }
text { fill: var(--ink); font-size: 12px; text-anchor: middle }
text.head { font-size: 14px; font-weight: 700 }
text.foot { fill: var(--faint); font-size: 10px }
text.caption { text-anchor: start; font-family: system-ui, sans-serif; font-size: 13px }
text.title { font-size: 17px; font-weight: 700 }
text.legend { fill: var(--faint); font-size: 12px }
.node rect { fill: var(--paper); stroke: var(--line); stroke-width: 1.2 }
.edge path { fill: none; stroke: var(--line); stroke-width: 1.3 }
.edge polygon { fill: var(--line) }
.edge text { fill: var(--faint); font-size: 11px; stroke: var(--paper); stroke-width: 4; paint-order: stroke }
.node.cycle rect { fill: var(--hot-paper); stroke: var(--hot); stroke-width: 2 }
.edge.cycle path { stroke: var(--hot); stroke-width: 2.4 }
.edge.cycle polygon { fill: var(--hot) }
.edge.cycle text { fill: var(--hot); font-weight: 700 }
`;

/** The texts around the graph in a picture outside of a page. */
export interface Caption {
  readonly title: string;
  /** A sentence on the execution in the picture. */
  readonly sentence: string;
}

const legend = [
  'po: program order; st: the earlier store to the cell;',
  'src: the store that was read; cf: read before the store took effect.',
  'Going round the red cycle, each access would come before itself.',
];

/** The maximum width of a character in a caption, in user units of SVG. */
const captionCharacter = 7.3;
/** The maximum width of a character in a title, in user units of SVG. */
const titleCharacter = 10.5;
const captionLine = 18;
const titleLine = 22;
const captionMargin = 20;
const narrowest = captionCharacter * 68 + 2 * captionMargin;

/**
 * Returns the lines of a text broken after at most `length` characters; only a longer word exceeds
 * the limit.
 */
function wrapped(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= length)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Returns the lines of a caption as SVG, the first with its base line at `y`. */
function captionLines(
  lines: readonly string[],
  className: string,
  y: number,
  apart: number,
): string[] {
  return lines.map(
    (line, i) =>
      `<text class="caption ${className}" x="${captionMargin}" y="${y + i * apart}">${xmlText(line)}</text>`,
  );
}

const headsOf = ({ columns }: GraphLayout, program: Program): string[] =>
  columns.map(
    ({ thread, x }) =>
      `<text class="head" x="${round(x)}" y="28">${xmlText(threadName(program, thread))}</text>`,
  );

/** Returns the columns, edges and nodes of a drawing as SVG. */
function contentsOf(layout: GraphLayout, program: Program): string[] {
  // Drawing order: the cycle on top; within each group, edges inside a thread above edges between
  // threads, because of their labels.
  const depth = ({ edge }: PlacedEdge): number =>
    (edge.onCycle ? 2 : 0) + (edge.relation === 'po' ? 1 : 0);
  return [
    ...headsOf(layout, program),
    ...layout.edges
      .toSorted((a, b) => depth(a) - depth(b))
      .flatMap((placed) => edgeSvg(placed, layout)),
    ...layout.nodes.flatMap((placed) => nodeSvg(placed, layout, program)),
  ];
}

const sizeOf = (width: number, height: number): string =>
  `viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" height="${Math.ceil(height)}"`;

/**
 * Returns a happens-before graph as part of a page, styled by the page: a column for each thread,
 * the cycle marked. Groups have the classes `node`, `edge` (with the relation's name) and `cycle`,
 * and name their steps (from 0) in `data-steps`, `data-from` and `data-to`.
 */
export function graphInPage(
  program: Program,
  graph: HappensBeforeGraph,
  label = 'happens-before graph',
): string {
  const layout = layoutGraph(graph);
  const { width, height } = layout;
  return [
    `<svg class="happens-before" role="group" aria-label="${label}" ${sizeOf(width, height)} style="min-width:${Math.ceil(width * 0.75)}px">`,
    ...contentsOf(layout, program),
    '</svg>',
    '',
  ].join('\n');
}

/**
 * Returns a happens-before graph as a stand-alone SVG: with its title, a sentence on the execution,
 * the meaning of the arrows, and colours for light and dark.
 */
export function graphSvg(
  program: Program,
  graph: HappensBeforeGraph,
  { title, sentence }: Caption,
): string {
  const layout = layoutGraph(graph);
  const width = Math.max(layout.width, narrowest);
  const room = width - 2 * captionMargin;
  const titles = wrapped(title, Math.floor(room / titleCharacter));
  const sentences = wrapped(sentence, Math.floor(room / captionCharacter));
  const begin = 30 + titleLine * titles.length;
  const top = begin + captionLine * sentences.length;
  const bottom = top + layout.height + captionLine;
  const height = bottom + captionLine * legend.length;
  const aside = (width - layout.width) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="happens-before" role="img" aria-labelledby="title about" ${sizeOf(width, height)}>`,
    `<title id="title">${xmlText(title)}</title>`,
    `<desc id="about">${xmlText(sentence)}</desc>`,
    `<style>${ownStyle}</style>`,
    ...captionLines(titles, 'title', 30, titleLine),
    ...captionLines(sentences, 'sentence', begin, captionLine),
    `<g transform="translate(${round(aside)} ${round(top)})">`,
    ...contentsOf(layout, program),
    '</g>',
    ...captionLines(legend, 'legend', bottom, captionLine),
    '</svg>',
    '',
  ].join('\n');
}

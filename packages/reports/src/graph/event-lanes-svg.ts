import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import {
  actionsInViolation,
  type EventViolation,
} from '@fencewright/model/trace/event-violation.js';
import { xmlAttribute, xmlText } from '../words/xml-text.js';
import {
  type EventLanes,
  eventLanes,
  type LaneStore,
  type LaneTask,
  type Stretch,
} from './event-lanes.js';

const rowHeight = 22;
const top = 40;
const track = 9;
const gap = 26;
const characterWidth = 7.4;
const colours = 6;

/**
 * The colours of a picture that stands alone; a page that contains the picture defines the colours
 * itself.
 */
const ownStyle = `
svg.lanes { --ink: #1b2027; --faint: #57606a; --paper: #ffffff; --hot: #b3261e; --wait: #8a5200;
  --t0: #2f6fb5; --t1: #8b5fbf; --t2: #1f8a5b; --t3: #b5602f; --t4: #a8326e; --t5: #4d7a1f }
@media (prefers-color-scheme: dark) {
  svg.lanes { --ink: #e5e9ef; --faint: #a3adb8; --paper: #14181e; --hot: #ff8a80; --wait: #f2bd5b;
    --t0: #6aa9ec; --t1: #b994ea; --t2: #5fd3a1; --t3: #f0a171; --t4: #f08abf; --t5: #a9d36a }
}
svg.lanes { background: var(--paper) }
`;

/** The styles of the classes in a picture of a run, both alone and in pages. */
const lanesStyle = `
svg.lanes { font-family: ui-monospace, Menlo, Consolas, monospace }
svg.lanes text { fill: var(--ink); font-size: 12px }
svg.lanes text.head { font-size: 14px; font-weight: 700 }
svg.lanes text.number { fill: var(--faint); font-size: 10px; text-anchor: end }
svg.lanes .task rect { fill-opacity: 0.16; stroke-width: 1.4 }
svg.lanes .task text { font-weight: 700 }
svg.lanes .waiting { fill: none; stroke-width: 1.6; stroke-dasharray: 2 3 }
svg.lanes .buffered { fill: var(--wait); fill-opacity: 0.75 }
svg.lanes .posting { fill: none; stroke: var(--faint); stroke-dasharray: 4 3 }
svg.lanes .marked { fill: var(--hot); font-weight: 700 }
svg.lanes .open { stroke-dasharray: 5 4 }
`;

interface LanePlace {
  /** The horizontal position of the waiting tasks in a lane, in user units of SVG. */
  readonly waits: number;
  /** The horizontal position of the blocks of tasks. */
  readonly block: number;
  /** The width of the blocks of tasks. */
  readonly width: number;
  /** The horizontal position of the bars for stores. */
  readonly stores: number;
}

function placesOf({ lanes, steps, tasks }: EventLanes): readonly LanePlace[] {
  let x = 40;
  return lanes.map(({ storeTracks, waitTracks }, lane) => {
    const texts = [
      ...steps.filter((step) => step.lane === lane).map(({ text }) => text),
      ...tasks.filter((task) => task.lane === lane).map(({ name }) => name),
    ];
    const width = Math.max(60, ...texts.map((text) => text.length * characterWidth + 20));
    const waits = x;
    const block = waits + waitTracks * track + 4;
    const stores = block + width + 4;
    x = stores + storeTracks * track + gap;
    return { waits, block, width, stores };
  });
}

const yOf = (row: number): number => top + row * rowHeight;
const height = ({ from, to }: Stretch): number => (to - from + 1) * rowHeight - 3;
const round = (value: number): string => String(Math.round(value * 10) / 10);

function taskSvg(
  { name, event, runs, waits, waitTrack }: LaneTask,
  { waits: left, block, width }: LanePlace,
): string[] {
  const colour = `var(--t${event % colours})`;
  const x = left + waitTrack * track + track / 2;
  const end = runs ? yOf(waits.to) + rowHeight / 2 : yOf(waits.to + 1);
  const waiting = `<line class="waiting" stroke="${colour}" x1="${round(x)}" x2="${round(x)}" y1="${round(yOf(waits.from) + rowHeight / 2)}" y2="${round(end)}"><title>${xmlText(`${name} waits`)}</title></line>`;
  if (!runs) return [waiting];
  const box = `x="${round(block)}" y="${round(yOf(runs.from))}" width="${round(width)}" height="${round(height(runs))}" rx="5"`;
  return [
    waiting,
    `<g class="task" aria-label="${xmlAttribute(name)}"><title>${xmlText(name)}</title>`,
    `<rect ${box} fill="${colour}" stroke="${colour}"${runs.isOpen ? ' class="open"' : ''}/></g>`,
  ];
}

function storeSvg({ track: place, text, ...waits }: LaneStore, { stores }: LanePlace): string {
  const title = waits.isOpen ? `${text} waits to the end` : `${text} waits in the buffer`;
  return `<rect class="buffered" x="${round(stores + place * track)}" y="${round(yOf(waits.from) + 4)}" width="${track - 3}" height="${round(height(waits) - 6)}" rx="3"><title>${xmlText(title)}</title></rect>`;
}

/**
 * Returns a run of a program of events as SVG: a lane for each thread, a block for each task in the
 * colour of its event, dotted lines for waiting tasks, bars for stores in the thread's buffer. A
 * bar may be longer than the task that issued the store. `standalone` adds colours for light and
 * dark.
 */
export function eventLanesSvg(
  picture: EventLanes,
  { standalone }: { readonly standalone: boolean },
): string {
  const places = placesOf(picture);
  const lastLane = picture.lanes.length - 1;
  const last = at(places, lastLane);
  const width = Math.ceil(last.stores + at(picture.lanes, lastLane).storeTracks * track + 12);
  const full = Math.ceil(yOf(picture.rows) + 12);
  const size = `viewBox="0 0 ${width} ${full}" width="${width}" height="${full}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="lanes" role="img" aria-label="the run, a lane a thread" ${size}>`,
    `<style>${standalone ? ownStyle : ''}${lanesStyle}</style>`,
    ...picture.lanes.map(
      ({ name }, lane) =>
        `<text class="head" x="${round(at(places, lane).block)}" y="24">${xmlText(name)}</text>`,
    ),
    ...picture.tasks.flatMap((task) => taskSvg(task, at(places, task.lane))),
    ...picture.stores.map((store) => storeSvg(store, at(places, store.lane))),
    ...picture.steps.flatMap(({ step, row, lane, text, isMarked }) => {
      const y = round(yOf(row) + 14);
      return [
        `<text class="number" x="30" y="${y}">${step + 1}</text>`,
        `<text x="${round(at(places, lane).block + 8)}" y="${y}"${isMarked ? ' class="marked"' : ''}>${xmlText(text)}</text>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

/** Returns a run as an SVG that needs no page; the actions of the violation are marked. */
export function runToSvg(program: EventProgram, run: EventRun, violation: EventViolation): string {
  return eventLanesSvg(eventLanes(program, run, actionsInViolation(violation)), {
    standalone: true,
  });
}

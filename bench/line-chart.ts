import { xmlText } from '@fencewright/reports/words/xml-text.js';

/** A line of a chart; points in ascending order of `x`. */
export interface Line {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** The number of the line's colour; the lines of one group have the same colour. */
  readonly colour: number;
  readonly isDashed?: boolean;
}

/** A chart with a logarithmic y axis. */
export interface LineChart {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly xs: readonly number[];
  /** The exponents of the powers of ten at the ends of the y axis. */
  readonly exponents: readonly [from: number, to: number];
  readonly lines: readonly Line[];
  /** The value of y at which the chart draws a mark. */
  readonly limit?: number;
}

const plot = { left: 64, top: 36, width: 460, height: 300 } as const;
const size = { width: 700, height: 392 } as const;
const colours = [
  '#1f6fb4',
  '#d1495b',
  '#2e8b57',
  '#8e5bb5',
  '#c77700',
  '#008b8b',
  '#7a5230',
  '#555555',
  '#b5179e',
  '#4a7c00',
  '#0b3c7d',
];
const labelHeight = 12;

function colourOf({ colour }: Line): string {
  return colours[colour % colours.length]!;
}

/** Returns a number rounded to one decimal, enough for a picture. */
function round(value: number): string {
  return String(Math.round(10 * value) / 10);
}

function placeOf({ xs, exponents: [from, to] }: LineChart) {
  const least = xs[0] ?? 0;
  const span = (xs.at(-1) ?? 1) - least || 1;
  return {
    x: (value: number): number => plot.left + (plot.width * (value - least)) / span,
    y: (value: number): number =>
      plot.top + plot.height * (1 - (Math.log10(value) - from) / (to - from)),
  };
}

function tickName(exponent: number): string {
  return exponent < 0
    ? (10 ** exponent).toFixed(-exponent)
    : (10 ** exponent).toLocaleString('en-GB');
}

function axes(chart: LineChart): string[] {
  const { x, y } = placeOf(chart);
  const [from, to] = chart.exponents;
  const right = plot.left + plot.width;
  const bottom = plot.top + plot.height;
  const rows = Array.from({ length: to - from + 1 }, (_, i) => from + i).flatMap((exponent) => {
    const at = round(y(10 ** exponent));
    return [
      `<line x1="${plot.left}" x2="${right}" y1="${at}" y2="${at}" stroke="#ddd"/>`,
      `<text x="${plot.left - 8}" y="${at}" dy="4" text-anchor="end">${tickName(exponent)}</text>`,
    ];
  });
  const columns = chart.xs.map(
    (value) =>
      `<text x="${round(x(value))}" y="${bottom + 18}" text-anchor="middle">${value}</text>`,
  );
  const limit =
    chart.limit === undefined
      ? []
      : [
          `<line x1="${plot.left}" x2="${right}" y1="${round(y(chart.limit))}" y2="${round(y(chart.limit))}" stroke="#999" stroke-dasharray="2 3"/>`,
        ];
  return [
    `<text x="${plot.left}" y="20" font-weight="bold">${xmlText(chart.title)}</text>`,
    ...rows,
    ...columns,
    ...limit,
    `<text x="${plot.left + plot.width / 2}" y="${bottom + 38}" text-anchor="middle">${xmlText(chart.xTitle)}</text>`,
    `<text transform="translate(14 ${plot.top + plot.height / 2}) rotate(-90)" text-anchor="middle">${xmlText(chart.yTitle)}</text>`,
  ];
}

function drawLine(chart: LineChart, line: Line): string {
  const { x, y } = placeOf(chart);
  const points = line.points.map((point) => `${round(x(point.x))},${round(y(point.y))}`);
  const dashes = line.isDashed ? ' stroke-dasharray="6 4"' : '';
  const dots = line.points.map(
    (point) => `<circle cx="${round(x(point.x))}" cy="${round(y(point.y))}" r="2.5"/>`,
  );
  const colour = colourOf(line);
  return [
    `<g fill="${colour}"><polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"${dashes}/>`,
    ...dots,
    '</g>',
  ].join('');
}

/** Returns the names at the ends of lines, moved down to avoid overlaps. */
function labels(chart: LineChart): string[] {
  const { x, y } = placeOf(chart);
  let last = -Infinity;
  return chart.lines
    .flatMap((line) => {
      const end = line.points.at(-1);
      return end ? [{ line, x: x(end.x), y: y(end.y) }] : [];
    })
    .sort((a, b) => a.y - b.y)
    .map(({ line, x: from, y: wanted }) => {
      last = Math.max(wanted, last + labelHeight);
      const left = plot.left + plot.width + 26;
      const colour = colourOf(line);
      return [
        `<line x1="${round(from + 4)}" y1="${round(wanted)}" x2="${left - 3}" y2="${round(last)}" stroke="${colour}" stroke-width="0.4"/>`,
        `<text x="${left}" y="${round(last)}" dy="4" fill="${colour}">${xmlText(line.name)}</text>`,
      ].join('');
    });
}

/** Returns the chart as a complete picture, on white, readable on any page. */
export function lineChartSvg(chart: LineChart): string {
  const { width, height } = size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...axes(chart),
    ...chart.lines.map((line) => drawLine(chart, line)),
    ...labels(chart),
    '</svg>',
    '',
  ].join('\n');
}

import { areAllDecided, type GrowthFigures, type GrowthPoint } from './growth.js';
import { lineChartSvg, type Line } from './line-chart.js';
import { count, type Table } from './tables.js';

/** The limits within which the largest member of every family should be decided. */
const goal = { seconds: 2, megabytes: 150, certificateSeconds: 1 } as const;

const sizes = [2, 4, 6, 8, 10, 12];

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}

function isDecided({ checked }: GrowthPoint): boolean {
  return areAllDecided(checked);
}

function megabytes({ checked }: GrowthPoint): number {
  return (checked?.resident ?? NaN) / 1e6;
}

/**
 * Returns the exponent with which the time above start-up grows between two sizes: 3 if doubling
 * the threads takes eight times as long.
 */
function degree(points: readonly GrowthPoint[]): string {
  const decided = points.filter(isDecided);
  const [from, to] = [decided.at(-3), decided.at(-1)];
  if (!from?.checked || !to?.checked) return '-';
  const growth = Math.log(to.checked.cpu / from.checked.cpu);
  return (growth / Math.log(to.threads / from.threads)).toFixed(1);
}

/**
 * Returns a table with the seconds of CPU time by number of threads, and the time and memory of the
 * largest decided member.
 */
export function growthTable(figures: readonly GrowthFigures[]): Table {
  return {
    columns: [
      'family',
      ...sizes.map(String),
      'MB',
      'attacks',
      'feasible',
      'states',
      'degree',
      'goal',
    ],
    rows: figures.map(({ family, points }) => {
      const last = points.filter(isDecided).at(-1);
      const cpu = sizes.map((size) => {
        const point = points.find(({ threads }) => threads === size);
        if (!point?.checked) return '-';
        return isDecided(point)
          ? seconds(point.checked.processCpu)
          : `> ${seconds(point.checked.processCpu)}`;
      });
      const isMet =
        last?.threads === sizes.at(-1) &&
        (last?.checked?.processCpu ?? Infinity) <= 1000 * goal.seconds &&
        (last ? megabytes(last) : Infinity) <= goal.megabytes;
      return [
        family.name,
        ...cpu,
        last ? count(megabytes(last)) : '-',
        count(last?.checked?.attacks?.total),
        count(last?.checked?.attacks?.feasible),
        count(last?.checked?.states),
        degree(points),
        isMet ? 'met' : 'missed',
      ];
    }),
  };
}

const stages = [
  'control-flow',
  'static-path',
  'local-closure',
  'pair-closure',
  'few-threads',
  'directed',
  'search',
] as const;

/**
 * Returns a table with the attacks of the largest decided member, by the stage that settled the
 * attack.
 */
export function stagesTable(figures: readonly GrowthFigures[]): Table {
  return {
    columns: ['family', 'threads', ...stages, 'others', 'first attack s'],
    rows: figures.map(({ family, points }) => {
      const last = points.filter(isDecided).at(-1);
      const { settledBy = {}, total = 0 } = last?.checked?.attacks ?? {};
      const known = stages.map((stage) => settledBy[stage] ?? 0);
      const first = points.at(-1)?.first;
      return [
        family.name,
        String(last?.threads ?? '-'),
        ...known.map((number) => (number === 0 ? '' : count(number))),
        count(total - known.reduce((sum, number) => sum + number, 0)),
        family.expected === 'robust' || first === undefined ? '-' : seconds(first),
      ];
    }),
  };
}

/** Returns a table with size and checking time of the certificates of the robust families. */
export function certificateTable(figures: readonly GrowthFigures[]): Table {
  const cell = ({ certificate }: GrowthPoint): string => {
    if (!certificate) return '-';
    const { bytes, cpu, outcome } = certificate;
    return `${count(bytes / 1000)} kB, ${outcome === 'accepted' ? `${seconds(cpu)} s` : outcome}`;
  };
  return {
    columns: ['family', ...sizes.map(String), 'goal'],
    rows: figures
      .filter(({ family }) => family.expected === 'robust')
      .map(({ family, points }) => {
        const last = points.at(-1)?.certificate;
        const isMet = last?.outcome === 'accepted' && last.cpu <= 1000 * goal.certificateSeconds;
        return [family.name, ...points.map(cell), isMet ? 'met' : 'missed'];
      }),
  };
}

function hasSpin({ points }: GrowthFigures): boolean {
  return points.some(({ spin }) => spin !== undefined);
}

/**
 * Returns a table of SPIN's explorations under SC: states, and seconds without the making of the
 * verifier.
 */
export function spinGrowthTable(figures: readonly GrowthFigures[]): Table {
  const cell = (size: number, points: readonly GrowthPoint[]): string => {
    const spin = points.find(({ threads }) => threads === size)?.spin;
    if (!spin) return '-';
    return 'failure' in spin ? spin.failure : `${count(spin.states)}, ${seconds(spin.cpu)} s`;
  };
  return {
    columns: ['family', ...sizes.map(String)],
    rows: figures
      .filter(hasSpin)
      .map(({ family, points }) => [family.name, ...sizes.map((size) => cell(size, points))]),
  };
}

function linesOf(figures: readonly GrowthFigures[]): Line[] {
  return figures.flatMap(({ family, points }, colour): Line[] => {
    const checked = points.flatMap((point) =>
      isDecided(point) ? [{ x: point.threads, y: point.checked!.processCpu / 1000 }] : [],
    );
    const spin = points.flatMap(({ threads, spin: its }) =>
      its && !('failure' in its) ? [{ x: threads, y: Math.max(0.01, its.cpu / 1000) }] : [],
    );
    return [
      { name: family.name, points: checked, colour },
      { name: `SPIN ${family.name}`, points: spin, colour, isDashed: true },
    ];
  });
}

/** Returns one picture for each group of families, by file name. */
export function growthCharts(figures: readonly GrowthFigures[]): ReadonlyMap<string, string> {
  const groups = [...new Set(figures.map(({ family }) => family.chart))];
  const shown = figures.some(hasSpin)
    ? 'all attacks (solid), SPIN under SC (dashed)'
    : 'all attacks';
  return new Map(
    groups.map((title) => [
      `growth-${title.toLowerCase().replace(' ', '-')}.svg`,
      lineChartSvg({
        title: `${title}: ${shown}`,
        xTitle: 'threads',
        yTitle: 'CPU seconds of the whole process',
        xs: sizes,
        exponents: [-2, 2],
        lines: linesOf(figures.filter(({ family }) => family.chart === title)),
        limit: goal.seconds,
      }),
    ]),
  );
}

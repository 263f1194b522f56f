import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Measurement, Measurer } from './measurer.js';
import type { Settings } from './settings.js';
import { count, milliseconds, ratio, type Table } from './tables.js';

/**
 * The known answers about a file, from a table of verdicts; fields without an answer are absent.
 */
interface Known {
  readonly robust?: boolean;
  /** The feasible attacks of the program, as `thread:store:load`. */
  readonly feasible?: readonly string[];
  /** The number of states of the peer (the tool compared with), when it decides all attacks. */
  readonly peerStates?: number;
  /** The milliseconds that the peer (the tool compared with) takes to decide all attacks. */
  readonly peerMilliseconds?: number;
}

/** The figures measured for one file, with the known answers. */
export interface FileFigures {
  readonly file: string;
  /** The measurement of deciding all attacks. */
  readonly measured?: Measurement;
  readonly known?: Known;
  /** Whether the measurement agrees with the known answers; absent if none is known. */
  readonly agrees?: boolean;
}

function numberFrom(cell: string | undefined): number | undefined {
  return cell === undefined || cell === '' || Number.isNaN(Number(cell)) ? undefined : Number(cell);
}

/**
 * Reads a table with a heading and tabs between its columns: `file`, `feasible_attacks`, `robust`,
 * `peer_ms_all_attacks`, ...
 */
export function readTable(file: string): Map<string, Known> {
  const [heading = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const titles = heading.split('\t');
  return new Map(
    lines.map((line) => {
      const cells = line.split('\t');
      const cell = (title: string): string | undefined => cells[titles.indexOf(title)];
      const robust = cell('robust');
      const feasible = numberFrom(cell('feasible'));
      const peerStates = numberFrom(cell('peer_states_all_attacks'));
      const peerMilliseconds = numberFrom(cell('peer_ms_all_attacks'));
      const known: Known = {
        ...((robust === 'yes' || robust === 'no') && { robust: robust === 'yes' }),
        ...(feasible !== undefined && {
          feasible: feasible === 0 ? [] : (cell('feasible_attacks') ?? '').split(' '),
        }),
        ...(peerStates !== undefined && { peerStates }),
        ...(peerMilliseconds !== undefined && { peerMilliseconds }),
      };
      return [cell('file') ?? '', known];
    }),
  );
}

function agreement(measured: Measurement, known: Known): boolean | undefined {
  const { robust, feasible } = known;
  if (robust === undefined) return undefined;
  if (measured.verdict !== (robust ? 'robust' : 'not-robust')) return false;
  if (feasible === undefined) return true;
  return [...feasible].sort().join() === [...(measured.feasible ?? [])].sort().join();
}

/**
 * Measures all attacks of every `.txt` and `.fw` file of a folder, and compares with the verdicts
 * of a table, if given.
 */
export function measureFiles(
  measurer: Measurer,
  folder: string,
  table: string | undefined,
  { maxStates, timeout }: Settings,
  note: (line: string) => void,
): FileFigures[] {
  const verdicts = table === undefined ? new Map<string, Known>() : readTable(table);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt') || name.endsWith('.fw'))
    .sort()
    .map((name) => {
      note(name);
      const file = path.join(folder, name);
      const measured = measurer.measure({
        file,
        engine: 'search',
        allAttacks: true,
        maxStates,
        timeout,
      });
      const known = verdicts.get(name);
      const agrees = measured && known && agreement(measured, known);
      return {
        file: name,
        ...(measured && { measured }),
        ...(known && { known }),
        ...(agrees !== undefined && { agrees }),
      };
    });
}

/** Returns a table of our figures beside the peer's. */
export function filesTable(figures: readonly FileFigures[]): Table {
  return {
    columns: [
      'file',
      'verdict',
      'feasible',
      'agrees',
      'states',
      'states/s',
      'B/state',
      'search ms',
      'process ms',
      'peer states',
      'peer ms',
      'ratio',
      'ratio without start',
    ],
    rows: figures.map(({ file, measured, known, agrees }) => [
      file,
      measured?.verdict ?? 'failed',
      count(measured?.attacks?.feasible),
      agrees === undefined ? '-' : agrees ? 'yes' : 'NO',
      count(measured?.states),
      count(measured && (1000 * measured.states) / measured.cpu),
      count(measured?.bytesPerState),
      milliseconds(measured?.cpu),
      milliseconds(measured?.processCpu),
      count(known?.peerStates),
      milliseconds(known?.peerMilliseconds),
      ratio(known?.peerMilliseconds, measured?.processCpu),
      ratio(known?.peerMilliseconds, measured?.cpu),
    ]),
  };
}

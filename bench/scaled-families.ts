import { finiteProgram } from '@fencewright/core';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseNative } from '@fencewright/core/native';
import { families, type Member } from './generators/index.js';
import { areAllDecided } from './growth.js';
import type { Measurement, Measurer } from './measurer.js';
import type { Settings } from './settings.js';
import { missingForSpin, runSpin, type SpinResult } from './spin.js';
import { count, milliseconds, ratio, type Table } from './tables.js';

/** The figures measured for one program of a family. */
export interface MemberFigures {
  readonly name: string;
  readonly expected: Member['expected'];
  /** The measurement of the search, deciding all attacks. */
  readonly search?: Measurement;
  /** The measurement of the search up to the first feasible attack. */
  readonly first?: Measurement;
  /** The measurement of the exploration under SC alone. */
  readonly sc?: Measurement;
  /** The measurement of the reference engine, deciding all attacks. */
  readonly reference?: Measurement;
  readonly spin?: SpinResult;
}

function measureMember(
  member: Member,
  measurer: Measurer,
  { maxStates, timeout, referenceTimeout, spinTimeout }: Settings,
): MemberFigures {
  const { name, source, expected } = member;
  const file = path.join(measurer.folder, `${name}.fw`);
  writeFileSync(file, source);
  const job = { file, engine: 'search', allAttacks: true, maxStates, timeout } as const;
  const search = member.infinite ? undefined : measurer.measure(job);
  const first = measurer.measure({ ...job, allAttacks: false });
  const sc = member.infinite ? undefined : measurer.measure({ ...job, engine: 'sc' });
  const reference =
    referenceTimeout > 0 && !member.infinite
      ? measurer.measure({ ...job, engine: 'instrument', timeout: referenceTimeout })
      : undefined;
  const { model } = parseNative(source);
  const program = finiteProgram(model);
  const spin =
    program && spinTimeout > 0 && !member.infinite
      ? runSpin(program, measurer.folder, spinTimeout)
      : undefined;
  return {
    name,
    expected,
    ...(search && { search }),
    ...(first && { first }),
    ...(sc && { sc }),
    ...(reference && { reference }),
    ...(spin && { spin }),
  };
}

/** Returns the members of the families that the settings name, in order. */
export function membersOf({ families: asked }: Settings): readonly Member[] {
  return families
    .filter(({ name }) => asked.length === 0 || asked.includes(name))
    .flatMap(({ members }) => members);
}

/** Measures the members of the families that the settings name, in order. */
export function measureFamilies(
  measurer: Measurer,
  settings: Settings,
  note: (line: string) => void,
): MemberFigures[] {
  const missing = settings.spinTimeout > 0 ? missingForSpin() : undefined;
  if (missing) note(`SPIN is left out: ${missing} not found.`);
  const reachable = missing ? { ...settings, spinTimeout: 0 } : settings;
  return membersOf(settings).map((member) => {
    note(member.name);
    return measureMember(member, measurer, reachable);
  });
}

/**
 * Returns the time of a run that decided every attack; `undefined` for a run that reached a limit.
 */
function decidedCpu(measurement: Measurement | undefined): number | undefined {
  return areAllDecided(measurement) ? measurement.cpu : undefined;
}

/** Returns a table that compares the search with the reference engine. */
export function searchTable(figures: readonly MemberFigures[]): Table {
  return {
    columns: [
      'program',
      'verdict',
      'first ms',
      'attacks',
      'searched',
      'feasible',
      'states',
      'states/s',
      'B/state',
      'CPU ms',
      'RSS MB',
      'reference states',
      'reference ms',
      'ratio',
    ],
    rows: figures.map(({ name, expected, search, first, reference }) => {
      const known = search ?? first;
      const verdict = known?.verdict ?? 'failed';
      const attacks = search?.attacks;
      const wrong = verdict !== expected && verdict !== 'unknown' ? ' (!)' : '';
      return [
        name,
        `${verdict}${wrong}`,
        milliseconds(first?.cpu),
        count(attacks?.total),
        count(attacks && attacks.total - attacks.byCfg),
        count(attacks?.feasible),
        count(search?.states),
        count(search && (1000 * search.states) / search.cpu),
        count(search?.bytesPerState),
        milliseconds(search?.cpu),
        count((known?.resident ?? NaN) / 2 ** 20),
        decidedCpu(reference) === undefined ? '-' : count(reference?.states),
        reference && decidedCpu(reference) === undefined
          ? `> ${count(reference.cpu)}`
          : milliseconds(reference?.cpu),
        ratio(decidedCpu(reference), decidedCpu(search)),
      ];
    }),
  };
}

/** Returns a table that compares the exploration under SC with SPIN's. */
export function spinTable(figures: readonly MemberFigures[]): Table {
  const rows = figures.flatMap(({ name, sc, search, spin }) => {
    if (!spin || !sc) return [];
    const own = [
      name,
      sc.verdict === 'explored' ? count(sc.states) : `> ${count(sc.states)}`,
      count((1000 * sc.states) / sc.cpu),
      count(sc.bytesPerState),
      milliseconds(sc.cpu),
      milliseconds(decidedCpu(search)),
    ];
    if ('failure' in spin) return [[...own, spin.failure, '-', '-', '-', '-', '-']];
    const explored = sc.verdict === 'explored' ? sc.cpu : undefined;
    return [
      [
        ...own,
        count(spin.states),
        milliseconds(spin.cpu),
        milliseconds(spin.compileCpu),
        ratio(spin.states, explored && sc.states),
        ratio(spin.cpu, explored),
        ratio(spin.cpu, decidedCpu(search)),
      ],
    ];
  });
  return {
    columns: [
      'program',
      'SC states',
      'states/s',
      'B/state',
      'SC ms',
      'all attacks ms',
      'SPIN states',
      'SPIN ms',
      'compiling ms',
      'states ratio',
      'SC time ratio',
      'all attacks time ratio',
    ],
    rows,
  };
}

import { finiteProgram } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { growingFamilies, growingSizes, type GrowingFamily } from './generators/growing.js';
import type { Measurement, Measurer } from './measurer.js';
import type { Settings } from './settings.js';
import { missingForSpin, runSpin, type SpinResult } from './spin.js';
import { isOutOfTime, median, timedProcess } from './timed-process.js';

const cli = path.join(path.dirname(import.meta.dirname), 'packages/cli/bin/fencewright.js');

/** A certificate of robustness, and the result of checking it. */
export interface CertificateFigures {
  readonly bytes: number;
  /** The CPU time of the verifier, as a whole process, in milliseconds. */
  readonly cpu: number;
  readonly outcome: 'accepted' | 'refused' | 'out of time';
}

/** The figures measured for one member of a family, with its number of threads. */
export interface GrowthPoint {
  readonly threads: number;
  /** The measurement of deciding all attacks; absent if a smaller member ran into the limit. */
  readonly checked?: Measurement;
  /**
   * The CPU time of the whole process up to the first feasible attack, or to the end, in
   * milliseconds.
   */
  readonly first?: number;
  readonly certificate?: CertificateFigures;
  /**
   * The figures of SPIN's exploration under SC alone; [BDM13] has one such exploration for each
   * query.
   */
  readonly spin?: SpinResult;
}

export interface GrowthFigures {
  readonly family: GrowingFamily;
  readonly points: readonly GrowthPoint[];
}

/** Whether every attack was decided. */
export function areAllDecided(checked: Measurement | undefined): checked is Measurement {
  const { total = NaN, byCfg = 0, infeasible = 0, feasible = 0 } = checked?.attacks ?? {};
  return total === byCfg + infeasible + feasible;
}

/**
 * Writes a certificate with the command, and has the certificate checked; `undefined` if no
 * certificate is written.
 */
function certify(file: string, { timeout, runs }: Settings): CertificateFigures | undefined {
  const certificate = file.replace(/\.fw$/, '.cert.json');
  const limits = { seconds: timeout };
  const written = timedProcess('node', [cli, 'check', file, '--certificate', certificate], limits);
  if (written.exitCode !== 0) return undefined;
  const checks = Array.from({ length: runs }, () =>
    timedProcess('node', [cli, 'verify-certificate', certificate, file], limits),
  );
  const checked = median(checks, (one) => one.cpu);
  const refused = isOutOfTime(checked) ? 'out of time' : 'refused';
  const outcome = checked.exitCode === 0 ? 'accepted' : refused;
  return { bytes: statSync(certificate).size, cpu: checked.cpu, outcome };
}

function exploreBySpin(source: string, folder: string, seconds: number): SpinResult | undefined {
  const program = finiteProgram(parseNative(source).model);
  return program && runSpin(program, folder, seconds);
}

function measureFamily(
  family: GrowingFamily,
  measurer: Measurer,
  settings: Settings,
  note: (line: string) => void,
): GrowthFigures {
  const { maxStates, timeout, spinTimeout } = settings;
  let goesOn = true;
  let spinGoesOn = spinTimeout > 0;
  let certifies = family.expected === 'robust';
  const points = growingSizes(family).map((threads): GrowthPoint => {
    note(`${family.name} ${threads}`);
    const source = family.source(threads);
    const file = path.join(measurer.folder, `${family.name}-${threads}.fw`);
    writeFileSync(file, source);
    const job = { file, engine: 'search', allAttacks: true, maxStates, timeout } as const;
    const checked = goesOn ? measurer.measure(job) : undefined;
    goesOn = areAllDecided(checked);
    const first = measurer.measure({ ...job, allAttacks: false });
    const certificate = goesOn && certifies ? certify(file, settings) : undefined;
    certifies = certificate !== undefined;
    const spin = spinGoesOn ? exploreBySpin(source, measurer.folder, spinTimeout) : undefined;
    spinGoesOn = spin !== undefined && !('failure' in spin);
    return {
      threads,
      ...(checked && { checked }),
      ...(first?.verdict === family.expected && { first: first.processCpu }),
      ...(certificate && { certificate }),
      ...(spin && { spin }),
    };
  });
  return { family, points };
}

/**
 * Measures families for growing numbers of threads. If one number runs into a limit, larger numbers
 * are not tried. For certificates, the command has to be built.
 */
export function measureGrowth(
  measurer: Measurer,
  settings: Settings,
  note: (line: string) => void,
): GrowthFigures[] {
  const missing = settings.spinTimeout > 0 ? missingForSpin() : undefined;
  if (missing) note(`SPIN is left out: ${missing} not found.`);
  const reachable = missing ? { ...settings, spinTimeout: 0 } : settings;
  return growingFamilies
    .filter(({ name }) => settings.families.length === 0 || settings.families.includes(name))
    .map((family) => measureFamily(family, measurer, reachable, note));
}

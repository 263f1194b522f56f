import { readFileSync, readdirSync } from 'node:fs';
import { join, extname } from 'node:path';
import { Budget } from '/work/wt/packed-reach/packages/core/src/base/budget.js';
import { reachByMachine, reachUnder, finalStateKey } from '/work/wt/packed-reach/packages/core/src/api/reach-under.js';
import { parseText } from '/work/wt/packed-reach/packages/core/src/api/parse-text.js';
const dirs = process.argv.slice(2);
const walk = (d: string): string[] => readdirSync(d, { withFileTypes: true }).flatMap((e) => e.isDirectory() ? walk(join(d, e.name)) : [join(d, e.name)]);
const formats: Record<string, string> = { '.fw': 'native', '.litmus': 'litmus', '.txt': 'trencher', '.tr': 'trencher', '.rmm':'memorax' };
const max = Number(process.env.MAX ?? 300000);
let tm = 0, tp = 0, n = 0, sm = 0, sp = 0, both = 0;
const rows: [string, number, number, number, number][] = [];
for (const dir of dirs) for (const f of walk(dir)) {
  const fmt = formats[extname(f)]; if (!fmt) continue;
  const r = await parseText(fmt as never, readFileSync(f, 'utf8'));
  const m: any = (r as any).model; if (!m || m.kind !== 'finite' && !m.program) continue;
  const program = m.program; if (!program?.threads || !program.properties) continue;
  for (const model of ['SC', 'TSO'] as const) {
    let t0 = process.cpuUsage();
    const old = await reachByMachine(model, program, new Budget({ maxStates: max }));
    let d = process.cpuUsage(t0); const a = (d.user + d.system) / 1000;
    if (old.reach.incomplete === 'states') { both++; continue; }
    (globalThis as any).gc?.(); t0 = process.cpuUsage();
    const neu = await reachUnder(model, program, new Budget({ maxStates: max }));
    d = process.cpuUsage(t0); const b = (d.user + d.system) / 1000;
    const e = (x: typeof old) => JSON.stringify([x.reach.incomplete, x.reach.finalStates.map(finalStateKey), x.reach.properties.map((p) => [p.verdict, p.isVacuous]), x.reach.failedAssertions.map((q) => `${q.thread}.${q.transition}`).sort(), x.faults.map((q) => JSON.stringify(q)).sort()]);
    if (e(old) !== e(neu)) console.log('DIFF', f, model, e(old).slice(0, 300), e(neu).slice(0, 300));
    tm += a; tp += b; n++; sm += old.reach.states; sp += neu.reach.states;
    rows.push([`${f} ${model}`, a, b, old.reach.states, neu.reach.states]);
  }
}
rows.sort((x, y) => y[2] - x[2]);
for (const [f, a, b, s, p] of rows.slice(0, Number(process.env.TOP ?? 15))) console.log(f.slice(-50), a.toFixed(1), b.toFixed(1), (a / b).toFixed(1), s, p);
console.log({ n, incompleteOld: both, machineMs: tm, packedMs: tp, ratio: tm / tp, statesMachine: sm, statesPacked: sp });

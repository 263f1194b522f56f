import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { allClangs, folderOfTests, shipped } from '../../../core/test/node/clang/clangs.js';
import { withoutIdleUnwinding } from '../../src/llvm-ir/idle-unwinding.js';
import { layOut } from '../../src/llvm-ir/image.js';
import { type HostCall, IrInterpreter } from '../../src/llvm-ir/interpret.js';
import { linkModules } from '../../src/llvm-ir/link-modules.js';
import { readModule } from '../../src/llvm-ir/read-module.js';
import { saidByTool } from '../ir-machine/said-by-tool.js';
import { choices, nativeMain, probe, randomExceptions, threadMain } from './random-exceptions.js';

const runs = randomRuns(16, 1000, 8);
const first = randomSeed(0);
const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const compilers = ['g++', clang?.command ?? 'clang'].filter(
  (name) => spawnSync(name, ['--version']).error === undefined,
);
const folder = folderOfTests();

/** The outcome of a run: the recorded number, and whether an exception terminated the process. */
interface Ended {
  readonly record: number;
  readonly isEnded: boolean;
}

function runNatively(text: string, compiler: string): readonly Ended[] {
  const [file, program] = ['native.cc', 'native'].map((name) => join(folder, name));
  writeFileSync(file!, text + nativeMain);
  execFileSync(compiler, ['-w', '-O0', '-std=gnu++17', file!, '-o', program!, '-lstdc++'], {
    stdio: 'pipe',
  });
  return choices.map((choice) => {
    const said = execFileSync(program!, [String(choice)], { encoding: 'utf8' });
    return { record: Number(/\d+$/.exec(said)![0]), isEnded: said.startsWith('ended') };
  });
}

function interpret(modules: readonly { readonly text: string }[]): readonly Ended[] {
  const errors = new ErrorList();
  const linked = withoutIdleUnwinding(
    linkModules(
      modules.map(({ text }) => readModule(text, errors)),
      errors,
    ),
  );
  expect(errors.toDiagnostics()).toEqual([]);
  return choices.map((choice) => {
    const image = layOut(linked);
    const { memory } = image;
    const host: HostCall = (name, operands) => {
      const [to, from, size] = operands.map(Number);
      const done = (value?: bigint) =>
        ({ kind: 'value', ...(value !== undefined && { value }) }) as const;
      if (name.startsWith('llvm.memcpy')) memory.copy(to!, from!, size!);
      else if (name.startsWith('llvm.memset')) memory.fill(to!, size!, from! & 255);
      else if (name === '__fencewright_malloc')
        return done(BigInt(memory.allocate('block', to!).address));
      else if (name === '__fencewright_constant_text') return done(BigInt(to!));
      else if (!/^llvm\.(?:dbg|lifetime)|^__fencewright_(?:free|atomic|assume)/.test(name))
        return undefined;
      return done();
    };
    const interpreter = new IrInterpreter(image, host);
    const start = linked.functions.get('probe')!;
    const outcome = interpreter.run(start, [BigInt(choice)], 100_000);
    const record = Number(memory.load(image.addressOf('_ZL1h'), 4));
    if (outcome.kind === 'returned') return { record, isEnded: false };
    expect(outcome).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/ends the program|std::terminate/) as string,
    });
    return { record, isEnded: true };
  });
}

describe.skipIf(!clang || compilers.length === 0)('random exceptions', () => {
  test('main and threads do what they do natively', async () => {
    const counts = { runs: 0, ended: 0, refused: 0, distinct: new Set<number>(), threads: 0 };
    for (let seed = first; seed < first + runs; seed++) {
      const text = randomExceptions(seed);
      const compiler = compilers[seed % compilers.length]!;
      const native = runNatively(text, compiler);
      const headers = seed % 3 === 0 ? 'machine' : 'own';
      const file = `p${seed}.cc`;
      const compile = async (own: string, name: string) => {
        writeFileSync(join(folder, name), own);
        const unit = { file: name, headers, ccArgs: ['-w'] } as const;
        const compiled = await compileC(clang!, [unit], { folder, shipped });
        if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled).slice(0, 999));
        return compiled.modules;
      };
      const computed = interpret(await compile(text + probe, file));
      // If no handler exists, g++ keeps no calls that have objects to destroy.
      const isAlike = ({ record, isEnded }: Ended) =>
        isEnded && compiler === 'g++' ? { isEnded } : { record, isEnded };
      expect({ seed, computed: computed.map(isAlike) }).toEqual({
        seed,
        computed: native.map(isAlike),
      });
      const records = new Map(
        native.flatMap(({ record, isEnded }, i) => (isEnded ? [] : [[choices[i]!, record]])),
      );
      counts.runs += native.length;
      counts.ended += native.length - records.size;
      for (const record of records.values()) counts.distinct.add(record);
      if (records.size === 0) continue;
      const whole = text + threadMain(records);
      const modules = await compile(whole, `t${seed}.cc`);
      const said = await saidByTool(modules, `t${seed}.cc`, 100_000, {}, headers === 'machine');
      if (said.kind === 'refused') {
        counts.refused += 1;
        console.log(seed, said.why);
        continue;
      }
      const lines = whole.split('\n');
      const failing = [...said.sc.assertions].map((line) => lines[line - 1]!.trim());
      const denied = [...records].map(
        ([i, record]) => `if (choice == ${i}) assert(h != ${record});`,
      );
      expect({ seed, failing: failing.toSorted(), faults: said.hasFaults }).toEqual({
        seed,
        failing: denied.toSorted(),
        faults: false,
      });
      counts.threads += 1;
    }
    console.log({ ...counts, distinct: counts.distinct.size });
    expect(counts.threads).toBeGreaterThan(runs * 0.8);
  });
});

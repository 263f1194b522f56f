import type { SeededRandom } from '@fencewright/core/testing';

/** What the texts are that are mutated. */
export type SeedKind = 'program' | 'net';

const limits = ['--max-states', '2000', '--timeout', '2'];
const limited = (...args: string[]): readonly string[] => [...args, ...limits];

/** For each kind of text, the command lines that read it; `FILE` is the text, `OUT` a file to write. */
const commands: Readonly<Record<SeedKind, readonly (readonly string[])[]>> = {
  program: [
    limited('check', 'FILE'),
    limited('check', '--all-attacks', '--json', 'FILE'),
    limited('check', '--hb', 'value', '--sarif', 'OUT', '--junit', 'OUT', 'FILE'),
    limited('check', '--engine', 'instrument', 'FILE'),
    limited('check', '--engine', 'single-query', 'FILE'),
    limited('check', '--threads', 't=1..2', 'FILE'),
    limited('fence', 'FILE', '-o', 'OUT'),
    limited('fence', '--repair', 'any', '--json', 'FILE'),
    limited('fence', '--minimise', '--locked-stores', 'FILE'),
    limited('fence', '--hb', 'value', 'FILE'),
    limited('fence', '--cost', 'profile', '--runs', '5', 'FILE'),
    limited('explain', '--html', 'OUT', '--svg', 'OUT', '--dot', 'OUT', 'FILE'),
    limited('explain', '--json', 'FILE'),
    limited('reach', 'FILE'),
    limited('reach', '--buffer', '1', '--json', 'FILE'),
    limited('trf', 'FILE'),
    limited('trf', '--fence', '--json', 'FILE'),
    limited('bench', 'FILE'),
    ...['native', 'trencher', 'litmus', 'memorax', 'promela', 'dot', 'smt2'].flatMap((to) => [
      ['convert', '--to', to, 'FILE'],
      ['convert', '--to', to, '--attack', 'any', 'FILE'],
    ]),
    ...['mist', 'tts', 'pnml'].map((to) => ['convert', '--to', to, '--attack', 'any', 'FILE']),
  ],
  net: [
    limited('cover', 'FILE'),
    limited('cover', '--json', '--engine', 'forward', 'FILE'),
    limited('cover', '--engine', 'backward', 'FILE'),
  ],
};

/** One of the command lines for a text of this kind. */
export function commandFor(
  kind: SeedKind,
  random: SeededRandom,
  file: string,
  out: string,
): readonly string[] {
  const own = commands[kind];
  return own[random.below(own.length)]!.map((word) =>
    word === 'FILE' ? file : word === 'OUT' ? out : word,
  );
}

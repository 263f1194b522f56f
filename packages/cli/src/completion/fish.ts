import type { Option } from 'commander';
import { argumentOf, type Command, type CommandEntry } from '../command-table.js';

/** Returns a text in single quotes, for fish. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

function argumentsOf(option: Option): string {
  const argument = argumentOf(option);
  switch (argument.kind) {
    case 'nothing':
      return '';
    case 'words':
      return ` -x -a ${quoted(argument.words.join(' '))}`;
    case 'file':
      return ' -r -F';
    case 'other':
      return ' -x';
  }
}

function linesOf(name: string, options: readonly Option[], behind: readonly Command[]): string[] {
  const line = `complete -c fencewright -n ${quoted(`__fencewright_at ${name}`)}`;
  const others = behind.filter((word) => word.options.length > 0).map((word) => word.name);
  const words = behind.map((word) => word.name).join(' ');
  const own =
    others.length === 0
      ? line
      : `complete -c fencewright -n ${quoted(`__fencewright_at ${name} --not ${others.join(' ')}`)}`;
  return [
    ...options.map(
      (option) =>
        `${own} -l ${option.long?.slice(2)}${argumentsOf(option)} -d ${quoted(option.description)}`,
    ),
    ...(name.includes(' ') ? [] : [`${line} -l help -d 'show all options'`]),
    ...(words === ''
      ? []
      : [
          `complete -c fencewright -n ${quoted(`__fencewright_right_behind ${name}`)} -a ${quoted(words)}`,
        ]),
    ...behind.flatMap((word) => linesOf(`${name} ${word.name}`, word.options, [])),
  ];
}

/** Returns the fish script that completes the command. */
export function fishCompletion(table: readonly CommandEntry[]): string {
  const verbs = table.map(
    ({ name, summary }) =>
      `complete -c fencewright -n __fencewright_right_behind -a ${name} -d ${quoted(summary)}`,
  );
  const lines = table.flatMap(({ name, options, behind }) => linesOf(name, options, behind));
  return `# Completion of fencewright for fish: fencewright completion fish | source
function __fencewright_words
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; or echo $word
    end
end
# Whether these words stand behind the command; with --not, and none of those behind that.
function __fencewright_at
    set -l words (__fencewright_words)
    set -l others
    if set -l i (contains -i -- --not $argv)
        set others $argv[(math $i + 1)..]
        set argv $argv[1..(math $i - 1)]
    end
    set -l n (count $argv)
    test (count $words) -ge $n; or return 1
    test "$words[1..$n]" = "$argv"; or return 1
    set -l next (math $n + 1)
    not contains -- "$words[$next]" $others
end
# Whether these words, and no others, stand behind the command.
function __fencewright_right_behind
    set -l words (__fencewright_words)
    test "$words" = "$argv"
end
${[...verbs, ...lines].join('\n')}
`;
}

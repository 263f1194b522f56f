import type { Option } from 'commander';
import { argumentOf, type CommandEntry } from '../command-table.js';

/** In single quotes. */
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

function linesOf({ name, operands, options }: CommandEntry, shells: readonly string[]): string[] {
  const line = `complete -c fencewright -n '__fish_seen_subcommand_from ${name}'`;
  return [
    ...options.map(
      (option) =>
        `${line} -l ${option.long?.slice(2)}${argumentsOf(option)} -d ${quoted(option.description)}`,
    ),
    `${line} -l help -d 'show all options'`,
    ...('<shell>' in operands ? [`${line} -f -a ${quoted(shells.join(' '))}`] : []),
  ];
}

/** What fish reads to complete the command. */
export function fishCompletion(table: readonly CommandEntry[], shells: readonly string[]): string {
  const verbs = table.map(
    ({ name, summary }) =>
      `complete -c fencewright -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  );
  const lines = [...verbs, ...table.flatMap((entry) => linesOf(entry, shells))];
  return `# Completion of fencewright for fish: fencewright completion fish | source\n${lines.join('\n')}\n`;
}

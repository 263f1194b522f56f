import type { Option } from 'commander';
import { argumentOf, type CommandEntry } from '../command-table.js';

/** In single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** What stands in brackets, or before a colon. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]:]/g, String.raw`\$&`);

function specOf(option: Option): string {
  const argument = argumentOf(option);
  const help = `${option.long}[${escaped(option.description)}]`;
  switch (argument.kind) {
    case 'nothing':
      return quoted(help);
    case 'words':
      return quoted(`${help}:word:(${argument.words.join(' ')})`);
    case 'file':
      return quoted(`${help}:file:_files`);
    case 'other':
      return quoted(`${help}:value:`);
  }
}

function caseOf({ name, operands, options }: CommandEntry, shells: readonly string[]): string {
  const operand = '<shell>' in operands ? `:shell:(${shells.join(' ')})` : '*:file:_files';
  const specs = [...options.map(specOf), quoted('--help[show all options]'), quoted(operand)];
  return `    ${name}) _arguments ${specs.join(' \\\n        ')} ;;\n`;
}

/** What zsh reads to complete the command. */
export function zshCompletion(table: readonly CommandEntry[], shells: readonly string[]): string {
  const verbs = table.map(({ name, summary }) => quoted(`${escaped(name)}:${escaped(summary)}`));
  return `#compdef fencewright
# Completion of fencewright for zsh: eval "$(fencewright completion zsh)", after compinit
_fencewright() {
  local -a verbs=(
    ${verbs.join('\n    ')}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    _files
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
    help) _describe verb verbs ;;
${table.map((entry) => caseOf(entry, shells)).join('')}    *) _files ;;
  esac
}
if [[ $funcstack[1] == _fencewright ]]; then _fencewright "$@"
else compdef _fencewright fencewright; fi
`;
}

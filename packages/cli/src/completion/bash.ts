import type { Option } from 'commander';
import { argumentOf, type CommandEntry } from '../command-table.js';

/** How options are called that say more than a switch does, and what bash does then. */
function afterOption(options: readonly Option[]): string {
  const cases = options.flatMap((option) => {
    const argument = argumentOf(option);
    const names = [option.short, option.long].filter((name) => name !== undefined).join('|');
    switch (argument.kind) {
      case 'nothing':
        return [];
      case 'words':
        return [`${names}) _fencewright_words '${argument.words.join(' ')}'; return ;;`];
      case 'file':
        return [`${names}) _fencewright_files; return ;;`];
      case 'other':
        return [`${names}) return ;;`];
    }
  });
  return cases.map((line) => `        ${line}\n`).join('');
}

const longNames = (options: readonly Option[]): string =>
  [...options.map(({ long }) => long), '--help'].join(' ');

function caseOf({ name, operands, options }: CommandEntry, shells: readonly string[]): string {
  const after = afterOption(options);
  const operand =
    '<shell>' in operands ? `_fencewright_words '${shells.join(' ')}'` : '_fencewright_files';
  return `    ${name})
${after === '' ? '' : `      case $previous in\n${after}      esac\n`}      if [[ $current == -* ]]; then _fencewright_words '${longNames(options)}'
      else ${operand}; fi
      ;;
`;
}

/** What bash reads to complete the command. */
export function bashCompletion(table: readonly CommandEntry[], shells: readonly string[]): string {
  const verbs = table.map(({ name }) => name).join(' ');
  return `# Completion of fencewright for bash: eval "$(fencewright completion bash)"
_fencewright_words() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}
_fencewright_files() {
  COMPREPLY=()
  compopt -o default 2>/dev/null
}
_fencewright() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} verb= i
  # --engine=search is three words to bash.
  if [[ $current == = ]]; then current=
  elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then verb=\${COMP_WORDS[i]}; break; fi
  done
  case $verb in
    '')
      if [[ $current == -* ]]; then _fencewright_words '--help --version'
      else _fencewright_words 'help ${verbs}'; ((\${#COMPREPLY[@]})) || _fencewright_files; fi
      ;;
    help) _fencewright_words '${verbs}' ;;
${table.map((entry) => caseOf(entry, shells)).join('')}    *) _fencewright_files ;;
  esac
}
complete -F _fencewright fencewright
`;
}

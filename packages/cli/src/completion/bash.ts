import type { Option } from 'commander';
import { argumentOf, type Command, type CommandEntry } from '../command-table.js';

/** Returns, for the bash script, how to complete the argument of each option. */
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

function caseOf(pattern: string, options: readonly Option[], behind: readonly Command[]): string {
  const after = afterOption(options);
  const words = behind.map(({ name }) => name).join(' ');
  const operand =
    words === ''
      ? '_fencewright_files'
      : `{ ((at == 1)) && _fencewright_words '${words}'; ((\${#COMPREPLY[@]})) || _fencewright_files; }`;
  return `    ${pattern})
${after === '' ? '' : `      case $previous in\n${after}      esac\n`}      if [[ $current == -* ]]; then _fencewright_words '${longNames(options)}'
      else ${operand}; fi
      ;;
`;
}

/**
 * Returns, for the bash script, the cases of a verb: a case for each word that may follow the verb
 * directly, and a case for all remaining words.
 */
function casesOf({ name, options, behind }: CommandEntry): string {
  const words = behind.map((word) => caseOf(`'${name} ${word.name}'`, word.options, []));
  return [...words, caseOf(`'${name} '*`, options, behind)].join('');
}

/** Returns the bash script that completes the command. */
export function bashCompletion(table: readonly CommandEntry[]): string {
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
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} verb= behind= i at=0
  # --engine=search is three words to bash.
  if [[ $current == = ]]; then current=
  elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} != -* ]] || continue
    verb=\${COMP_WORDS[i]} at=$((COMP_CWORD - i))
    if ((at > 1)); then behind=\${COMP_WORDS[i+1]}; fi
    break
  done
  case "$verb $behind" in
    ' ')
      if [[ $current == -* ]]; then _fencewright_words '--help --version'
      else _fencewright_words 'help ${verbs}'; ((\${#COMPREPLY[@]})) || _fencewright_files; fi
      ;;
    'help '*) _fencewright_words '${verbs}' ;;
${table.map(casesOf).join('')}    *) _fencewright_files ;;
  esac
}
complete -F _fencewright fencewright
`;
}

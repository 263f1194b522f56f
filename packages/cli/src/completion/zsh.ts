import type { Option } from 'commander';
import { argumentOf, type Command, type CommandEntry } from '../command-table.js';

/** Returns a text in single quotes, for zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Escapes a text that zsh reads in brackets, or before a colon. */
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

function caseOf(pattern: string, options: readonly Option[], behind: readonly Command[]): string {
  const words = behind.map(({ name }) => name).join(' ');
  const operands =
    words === ''
      ? ['*:file:_files']
      : [`1:word: _alternative "words:word:(${words})" "files:file:_files"`, '*:file:_files'];
  const specs = [...options.map(specOf), ...['--help[show all options]', ...operands].map(quoted)];
  return `    ${pattern}) _arguments ${specs.join(' \\\n        ')} ;;\n`;
}

/**
 * Returns, for the zsh script, the cases of a verb: a case for each word that may follow the verb
 * directly, as an operand, and a case for all remaining words.
 */
function casesOf({ name, options, behind }: CommandEntry): string {
  const words = behind.map((word) => caseOf(`'${name} ${word.name}'`, word.options, []));
  return [...words, caseOf(`'${name} '*`, options, behind)].join('');
}

/** Returns the zsh script that completes the command. */
export function zshCompletion(table: readonly CommandEntry[]): string {
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
  local behind=
  if (( CURRENT > 2 )); then behind=$words[2]; fi
  case "$words[1] $behind" in
    'help '*) _describe verb verbs ;;
${table.map(casesOf).join('')}    *) _files ;;
  esac
}
if [[ $funcstack[1] == _fencewright ]]; then _fencewright "$@"
else compdef _fencewright fencewright; fi
`;
}

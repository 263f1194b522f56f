import { finiteProgram } from '@fencewright/model/program/model.js';
import { lintModel } from '@fencewright/model/analysis/lint-model.js';
import { check } from '../../src/api/check.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
import { printTrencher } from '@fencewright/languages/trencher/print-trencher.js';
import { diagnosticsText } from '@fencewright/reports/text/diagnostics.js';
import { plainPalette } from '@fencewright/reports/text/palette.js';
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticRegistry,
} from '@fencewright/ground/source/diagnostic.js';
import { explanations, type Example } from './diagnostic-explanations.js';
import { wrap } from './wrap.js';

/** All diagnostic codes, sorted. */
export const codes = Object.keys(diagnosticRegistry).sort() as DiagnosticCode[];

const groups = [
  {
    prefix: 'FW1',
    title: 'Reading a file',
    about: 'While any of these is an error, there is no program and no verdict: exit code 65.',
  },
  {
    prefix: 'FW2',
    title: 'Looking at a program',
    about:
      'These messages never change a verdict. They report constructs that are usually mistakes.',
  },
  {
    prefix: 'FW3',
    title: 'Executing a program',
    about:
      'Searches find these errors while they execute the program, so only in the executions that they reach. If `check` has not searched all executions, and no other argument excludes faults, `check` says that faults were not looked for.',
  },
  {
    prefix: 'FW4',
    title: 'Programs beside Fencewright',
    about:
      'Only the engines `spin` and `chc --solver native` need other programs: exit code 65, without an answer about the input.',
  },
  {
    prefix: 'FW5',
    title: 'Programs in C',
    about: 'Messages of clang, and the meaning of results about C and C++: [c.md](c.md).',
  },
] as const;

const preface = `# Diagnostics

Every message about an input has a code. This page lists them all; it is generated from the registry
in \`packages/ground/src/source/diagnostic.ts\` and from
\`packages/core/test/docs/diagnostic-explanations.ts\`, and a test keeps it current. The messages
below the examples are what the tool prints.
`;

async function diagnosticsOf({ format, text }: Example): Promise<readonly Diagnostic[]> {
  if (format === 'trencher') return parseTrencher(text).diagnostics;
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (model?.kind === 'events') return [...diagnostics, ...lintModel(model)];
  if (!model || !program) return diagnostics;
  if (format === 'native-to-trencher') return printTrencher(program).diagnostics;
  const result = await check(program, { allAttacks: true, limits: { maxStates: 1000 } });
  return [...diagnostics, ...lintModel(model), ...result.diagnostics];
}

/**
 * Returns the text that the tool prints for an example, restricted to diagnostics with the given
 * code; empty if none.
 */
export async function messagesOf(code: DiagnosticCode, example: Example): Promise<string> {
  const own = (await diagnosticsOf(example)).filter((diagnostic) => diagnostic.code === code);
  const file = example.format === 'trencher' ? 'example.txt' : 'example.fw';
  return diagnosticsText(file, example.text, own, plainPalette);
}

async function section(code: DiagnosticCode): Promise<string> {
  const { severity, title } = diagnosticRegistry[code];
  const { meaning, remedy, example } = explanations[code];
  const parts = [
    `### ${code}: ${title}`,
    wrap(
      `${severity === 'info' ? 'Note' : severity === 'error' ? 'Error' : 'Warning'}. ${meaning}`,
    ),
    wrap(`**What to do:** ${remedy}`),
  ];
  if (example) {
    const before = example.format === 'native-to-trencher' ? ['With `convert --to trencher`:'] : [];
    parts.push(
      ...before,
      `\`\`\`\n${example.text}\n\`\`\``,
      `\`\`\`\n${await messagesOf(code, example)}\`\`\``,
    );
  }
  return parts.join('\n\n');
}

/** Returns the text of docs/diagnostics.md. */
export async function diagnosticsPage(): Promise<string> {
  const parts = [preface.trimEnd()];
  for (const { prefix, title, about } of groups) {
    const own = codes.filter((code) => code.startsWith(prefix));
    const rows = own.map((code) => {
      const { severity, title } = diagnosticRegistry[code];
      const anchor = `${code}: ${title}`
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
      return `| [${code}](#${anchor}) | ${severity} | ${title} |`;
    });
    parts.push(
      `## ${title}`,
      wrap(about),
      ['| code | severity | title |', '|---|---|---|', ...rows].join('\n'),
    );
    for (const code of own) parts.push(await section(code));
  }
  return `${parts.join('\n\n')}\n`;
}

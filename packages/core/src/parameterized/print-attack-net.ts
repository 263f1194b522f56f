import { attackNet } from './attack-net.js';
import { attacksOfTemplates, toJobs } from './attack-jobs.js';
import { AttackSystem } from './attack-system.js';
import { createTemplateAutomata } from './template-automata.js';
import type { Net } from '../petri/net.js';
import { writeMist } from '../petri/formats/write-mist.js';
import { writePnml } from '../petri/formats/write-pnml.js';
import { writeTts } from '../petri/formats/write-tts.js';
import type { ParameterizedProgram } from '../program/parameterized-program.js';
import type { PrintResult } from '../program/print-result.js';
import type { Program } from '../program/program.js';
import { notSupported } from '../source/diagnostic.js';
import type { Attack } from '../verdict/attack.js';

/** The formats of nets. */
export type NetOutputFormat = 'mist' | 'tts' | 'pnml';

function write(format: NetOutputFormat, net: Net): string | undefined {
  switch (format) {
    case 'mist':
      return writeMist(net);
    case 'tts':
      return writeTts(net);
    case 'pnml':
      return writePnml(net);
  }
}

/**
 * The attacks on all instances of a program as a net ([BDM13] Sect. 6), in which a target can be covered iff one of them is feasible.
 * `attacks` are those of the program, or of its templates; all that control flow leaves open where absent.
 */
export function printAttackNet(
  program: Program | ParameterizedProgram,
  format: NetOutputFormat,
  attacks?: readonly Attack[],
): PrintResult {
  const parameterized = 'templates' in program ? program : { templates: program, unbounded: [] };
  const options = { maskDeadRegisters: true, ownedCells: true, notion: 'standard' } as const;
  const templates = createTemplateAutomata(parameterized, options);
  const chosen = attacks ?? attacksOfTemplates(templates).open;
  const system = new AttackSystem(templates, toJobs(templates, chosen));
  const net = attackNet(parameterized.templates.name, system);
  const text = net && write(format, net);
  if (text !== undefined) return { text, diagnostics: [] };
  const hint = "declare a 'domain', so that there are finitely many values";
  return { diagnostics: [notSupported(undefined, 'the net becomes too large', hint)] };
}

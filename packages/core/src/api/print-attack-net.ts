import { attackNet } from '@fencewright/engines/parameterized/attack-net.js';
import { FlatAttackNet } from '@fencewright/engines/parameterized/attack-net-flat.js';
import { attacksOfTemplates, toJobs } from '@fencewright/engines/parameterized/attack-jobs.js';
import { AttackSystem } from '@fencewright/engines/parameterized/attack-system.js';
import {
  createTemplateAutomata,
  type TemplateAutomata,
} from '@fencewright/engines/parameterized/template-automata.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import type { Net } from '@fencewright/ground/petri/net.js';
import { LimitReached, type Spend, watchLimits } from '@fencewright/ground/petri/watch.js';
import { netToJson } from '@fencewright/nets/nets/net-to-json.js';
import { writeMist } from '@fencewright/nets/formats/write-mist.js';
import { writePnml } from '@fencewright/nets/formats/write-pnml.js';
import { writeTts } from '@fencewright/nets/formats/write-tts.js';
import {
  templatesOf,
  type FiniteModel,
  type UnboundedModel,
} from '@fencewright/model/program/model.js';
import type { PrintResult } from '@fencewright/model/program/print-result.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import type { NetKind, NetOutputFormat } from './output-formats.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

/** The maximum number of rules of a net. */
const mostRules = 200_000;

/** Estimated number of bytes of a printed net for each byte of the underlying transition system. */
const netPerSystem = 4;

function write(format: NetOutputFormat, net: Net): string | undefined {
  switch (format) {
    case 'mist':
      return writeMist(net);
    case 'tts':
      return writeTts(net);
    case 'pnml':
      return writePnml(net);
    case 'json':
      return `${JSON.stringify(netToJson(net), null, 1)}\n`;
  }
}

/** Returns the refusal of a net that is no thread transition system. */
function noThreadSystem(): PrintResult {
  const message =
    'this net is no thread transition system: such a system has one target, and each of its rules moves one thread';
  const hint = "write the net in another format, as 'mist' or 'pnml', or the flat net";
  return { diagnostics: [notSupported(undefined, message, hint)] };
}

/** A function that makes a net, and the number of bytes that the net takes so far. */
interface NetToMake {
  /** Returns the net; `undefined` if it has too many rules. */
  readonly make: (spend: Spend) => Net | undefined;
  readonly bytes: () => number;
}

function netToMake(
  kind: NetKind,
  name: string,
  templates: TemplateAutomata,
  attacks: readonly Attack[],
): NetToMake {
  const jobs = toJobs(templates, attacks);
  switch (kind) {
    case 'flat': {
      const flat = new FlatAttackNet(templates, jobs, mostRules);
      return { make: (spend) => flat.build(name, spend), bytes: () => flat.bytes };
    }
    case 'product': {
      const system = new AttackSystem(templates, jobs);
      return {
        make: (spend) => attackNet(name, system, mostRules, spend),
        bytes: () => system.bytes,
      };
    }
  }
}

export interface PrintNetOptions {
  /** Attacks of the program, or of the templates; if absent, all that control flow allows. */
  readonly attacks?: readonly Attack[];
  /** The kind of the net to print; `flat` if absent. */
  readonly kind?: NetKind;
  readonly limits?: Limits;
}

/**
 * Prints the attacks on all instances of a program as a net ([BDM13] Sect. 6): a target of the net
 * can be covered iff an attack is feasible. At a limit, no text is returned, and `reached` names
 * the limit.
 */
export function printAttackNet(
  model: FiniteModel | UnboundedModel,
  format: NetOutputFormat,
  { attacks, kind = 'flat', limits = {} }: PrintNetOptions = {},
): PrintResult {
  const about = templatesOf(model);
  const options = { maskDeadRegisters: true, ownedCells: true, happensBefore: 'standard' } as const;
  const templates = createTemplateAutomata(about, options);
  const chosen = attacks ?? attacksOfTemplates(templates).open;
  const { make, bytes } = netToMake(kind, about.templates.name, templates, chosen);
  const hint = "declare a 'domain', so that there are finitely many values";
  const refused = (message: string): PrintResult => ({
    diagnostics: [notSupported(undefined, message, hint)],
  });
  const budget = new Budget(limits);
  const spend = watchLimits(budget, () => netPerSystem * bytes() + templates.all.bytes());
  try {
    const net = make(spend);
    if (!net) return refused('the net becomes too large');
    const text = write(format, net);
    return text === undefined ? noThreadSystem() : { text, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return { diagnostics: [], reached: budget.spentBy(0) ?? 'memory' };
  }
}

import { sha256 } from '../base/digest.js';
import type { Program } from '../program/program.js';
import type { Configuration } from '../petri/counter-system.js';
import { entriesOf, omega } from '../petri/marking.js';
import type { ParameterizedProgram } from '../program/parameterized-program.js';
import type { HappensBefore } from '../trace/trace.js';
import type { Attack } from '../verdict/attack.js';
import { attacksOfTemplates } from './attack-jobs.js';
import type { ParameterizedDecision } from './decide-parameterized.js';
import { type DescribedControl, type DescribedThread, StateDescription } from './describe-state.js';
import { createTemplateAutomata } from './template-automata.js';

/** What refutes an attack: control flow alone; that no code leads from its load back to its store; the invariant. */
export type Refutation = 'control-flow' | 'static-path' | 'invariant';

/** An attack of the templates: indices of a template and two of its transitions. */
export interface RefutedAttack extends Attack {
  readonly by: Refutation;
}

/** A control state with the threads beside it: so many, or fewer, at each of the states that are named. */
export interface WrittenConfiguration {
  readonly control: DescribedControl;
  readonly threads: readonly (DescribedThread & { readonly count: number | 'any' })[];
}

/** How local states are written down; neither changes what is proved. */
export interface StateOptions {
  readonly maskDeadRegisters: boolean;
  readonly ownedCells: boolean;
}

/** The proof that all instances of a program are robust ([BDM13] Sect. 6): every attack of its templates, and why it is not feasible. */
export interface ParameterizedCertificate {
  readonly format: 'fencewright-parameterised-certificate';
  readonly version: 1;
  /** SHA-256 of what the templates do, and of which of them there are any number. */
  readonly program: string;
  readonly states: StateOptions;
  /** Whose cycles there are none of; `standard` where absent. */
  readonly happensBefore?: HappensBefore;
  /** All of them, in the order of `enumerateAttacks`. */
  readonly attacks: readonly RefutedAttack[];
  /** Covers the start and whatever follows from its elements, and no end of an attack; empty if no attack needs it. */
  readonly invariant: readonly WrittenConfiguration[];
  /** SHA-256 of everything above. */
  readonly digest: string;
}

/** A name of what the program does: equal for programs that differ in layout, comments and annotations only. */
function programDigest({ name, symbols, domain, threads }: Program): Promise<string> {
  const meaning = threads.map((thread) => [
    thread.name,
    thread.registers.map((register) => register.name),
    thread.locations.map((location) => location.name),
    thread.initial,
    thread.transitions.map(({ from, to, instruction }) => [from, to, instruction]),
  ]);
  return sha256(JSON.stringify([name, symbols, domain ?? null, meaning]));
}

/** Equal for programs with any number of threads that differ in layout, comments and annotations only. */
export async function parameterizedDigest({
  templates,
  unbounded,
}: ParameterizedProgram): Promise<string> {
  return sha256(JSON.stringify([await programDigest(templates), unbounded]));
}

/** The digest that a certificate has to carry. */
export function parameterizedCertificateDigest({
  digest: _own,
  ...rest
}: ParameterizedCertificate): Promise<string> {
  return sha256(JSON.stringify(rest));
}

function writeConfiguration(
  describe: StateDescription,
  { control, marking }: Configuration,
): WrittenConfiguration {
  return {
    control: describe.control(control),
    threads: entriesOf(marking).map(([place, count]) => ({
      ...describe.place(place),
      count: count === omega ? 'any' : count,
    })),
  };
}

/** The certificate of a decision that all instances are robust; `states` and `notion` are the options that it was made with. */
export async function createParameterizedCertificate(
  program: ParameterizedProgram,
  { proof }: ParameterizedDecision,
  states: StateOptions,
  notion: HappensBefore,
): Promise<ParameterizedCertificate> {
  const { all, open } = attacksOfTemplates(createTemplateAutomata(program, { ...states, notion }));
  const nameOf = ({ thread, store, load }: Attack): string => `${thread} ${store} ${load}`;
  const isOpen = new Set(open.map(nameOf));
  const isSearched = new Set(proof?.attacks.map(nameOf));
  const refutation = (name: string): Refutation => {
    if (!isOpen.has(name)) return 'control-flow';
    return isSearched.has(name) ? 'invariant' : 'static-path';
  };
  const describe = proof && new StateDescription(proof.system);
  const certificate: ParameterizedCertificate = {
    format: 'fencewright-parameterised-certificate',
    version: 1,
    program: await parameterizedDigest(program),
    states,
    happensBefore: notion,
    attacks: all.map(({ thread, store, load }) => {
      const by = refutation(nameOf({ thread, store, load }));
      return { thread, store, load, by };
    }),
    invariant: describe
      ? proof.invariant.map((element) => writeConfiguration(describe, element))
      : [],
    digest: '',
  };
  return { ...certificate, digest: await parameterizedCertificateDigest(certificate) };
}

import { refuteInvariant } from '../petri/cover-certificate.js';
import type { ParameterizedProgram } from '../program/parameterized-program.js';
import { attacksOfTemplates, toJobs } from './attack-jobs.js';
import { AttackSystem } from './attack-system.js';
import {
  parameterizedCertificateDigest,
  parameterizedDigest,
  type ParameterizedCertificate,
  type RefutedAttack,
} from './certificate.js';
import { resolveInvariant } from './resolve-invariant.js';
import { isInfeasibleByStaticPath } from './static-path.js';
import { createTemplateAutomata, type TemplateAutomata } from './template-automata.js';

/** Whether the attacks are those of the templates, in their order. */
function areAll(templates: TemplateAutomata, attacks: readonly RefutedAttack[]): boolean {
  const { all } = attacksOfTemplates(templates);
  return (
    all.length === attacks.length &&
    all.every(({ thread, store, load }, i) => {
      const written = attacks[i]!;
      return written.thread === thread && written.store === store && written.load === load;
    })
  );
}

/** Attacks that are said to be refuted without a search, and are not; in words. */
function unrefuted(templates: TemplateAutomata, attacks: readonly RefutedAttack[]): string[] {
  const open = new Set(
    attacksOfTemplates(templates).open.map(
      ({ thread, store, load }) => `${thread} ${store} ${load}`,
    ),
  );
  return attacks.flatMap((attack, i) => {
    const { thread, store, load, by } = attack;
    const isOpen = open.has(`${thread} ${store} ${load}`);
    if (by === 'control-flow' && isOpen)
      return [`attack ${i + 1}: control flow does not refute it`];
    if (by === 'static-path' && !isInfeasibleByStaticPath(templates, attack))
      return [`attack ${i + 1}: its load may lead back to its store`];
    if (by !== 'control-flow' && !isOpen)
      return [`attack ${i + 1}: control flow refutes it, and not what is said`];
    return [];
  });
}

/** What is wrong with the invariant: with steps that are computed afresh from the program, not with those of a search. */
function invariantFlaws(
  templates: TemplateAutomata,
  { attacks, invariant }: ParameterizedCertificate,
): readonly string[] {
  const searched = attacks.filter(({ by }) => by === 'invariant');
  if (searched.length === 0)
    return invariant.length > 0 ? ['the invariant is not about any attack'] : [];
  const system = new AttackSystem(templates, toJobs(templates, searched));
  const elements = resolveInvariant(system, invariant);
  if (!elements) return ['the invariant speaks of states that no step of its elements leads to'];
  const flaw = refuteInvariant(system, elements);
  if (flaw !== undefined) return [flaw];
  if (templates.all.isEndless() || templates.all.faults().length > 0)
    return ['a thread may fault or compute without end, of which the invariant says nothing'];
  return [];
}

/**
 * What is wrong with a certificate that all instances of a program are robust, in words; empty if nothing is. Searches nothing: attacks are
 * listed again, refutations computed again, and the invariant is checked step by step.
 */
export async function verifyParameterizedCertificate(
  certificate: ParameterizedCertificate,
  program: ParameterizedProgram,
): Promise<readonly string[]> {
  if (certificate.digest !== (await parameterizedCertificateDigest(certificate)))
    return ['the certificate was changed after it had been written: its digest is another'];
  if (certificate.program !== (await parameterizedDigest(program)))
    return ['the certificate is about another program'];
  const { states, happensBefore: notion = 'standard' } = certificate;
  const templates = createTemplateAutomata(program, { ...states, notion });
  if (!areAll(templates, certificate.attacks))
    return ['the attacks of the certificate are not those of the program'];
  const refutations = unrefuted(templates, certificate.attacks);
  return refutations.length > 0 ? refutations : invariantFlaws(templates, certificate);
}

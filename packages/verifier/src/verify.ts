import { createHash } from 'node:crypto';
import { Budget, Endless } from './budget.js';
import { Met } from './code.js';
import type { CertificateBody, Check, VerifyOptions } from './check.js';
import type { Automata } from './automata.js';
import { canonicalJson, certificateDigest } from './canonical-json.js';
import { readEventAutomata } from './events/read-program.js';
import { checkAllInstances } from './kinds/all-instances.js';
import { checkProof } from './kinds/proof.js';
import { disappointment } from './expectation.js';
import { readNet } from './net.js';
import { checkC11Robust } from './kinds/c11-robust.js';
import { checkCover } from './kinds/cover.js';
import { checkEventFences } from './kinds/event-fences.js';
import { checkAllInstancesFences, checkFences } from './kinds/fences.js';
import { checkPropertyFences } from './kinds/property-fences.js';
import { checkRaceFences } from './kinds/race-fences.js';
import { checkRobust } from './kinds/robust.js';
import { checkStates } from './kinds/states.js';
import { readAutomata } from './read-automata.js';
import { Flaw, rejected, type Report } from './report.js';
import { outOfScope } from './scope.js';
import { hasHeavyFences } from './several-delays.js';
import { members, type Reader, ShapeError } from './shape.js';

/** The kinds of certificates about the memory orders of C11, which TSO ignores. */
const aboutOrders: ReadonlySet<unknown> = new Set(['c11-robust']);

/** Returns the beginning of a value's JSON text, for messages. */
function shortly(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? 'an object'
    : (JSON.stringify(value)?.slice(0, 40) ?? 'missing');
}

const notOne = (reason: string): Report => ({ kind: 'not-a-certificate', reason });

/** The members of automata that matter only for certificates about C11. */
const ofC11: ReadonlySet<string> = new Set([
  ...['order', 'failureOrder', 'mayFail', 'isStore', 'fence', 'plain', 'assumptionsOfC11'],
]);

/**
 * Returns a model without the names invented by a front end, for example from line numbers: such
 * names do not affect the program's behaviour. `isLeftOut` names members that do not count.
 */
function essential(value: unknown, isLeftOut: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => essential(one, isLeftOut));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isHidden = entries.some(([name, member]) => name === 'hidden' && member === true);
  return Object.fromEntries(
    entries
      .filter(([name]) => !(isHidden && name === 'name') && !isLeftOut(name))
      .map(([name, member]) => [name, essential(member, isLeftOut)]),
  );
}

/**
 * Returns a model as text, without names invented by a front end and without the model's own name,
 * which may be the name of a file. Memory orders count only where the certificate is about them.
 */
function meaning(model: unknown, kind: unknown): string {
  const { name: _, ...rest } = Object.fromEntries(members(model, 'the program'));
  return canonicalJson(essential(rest, (name) => !aboutOrders.has(kind) && ofC11.has(name)));
}

/**
 * Returns SHA-256 of the behaviour of a program or a net, in JSON, without the program's name and
 * names invented by a front end. Memory orders count for certificates of C11 only.
 */
export function programDigest(model: unknown, kind?: unknown): string {
  return createHash('sha256').update(meaning(model, kind)).digest('hex');
}

/** Returns the assumptions made when a model was read, as far as they concern the certificate. */
function assumptionsOf(model: object, kind: unknown): readonly string[] {
  const { assumptions = [], assumptionsOfC11 = [] } = model as Partial<Automata>;
  return aboutOrders.has(kind) ? [...assumptions, ...assumptionsOfC11] : assumptions;
}

async function judge<Model extends object>(
  member: 'automata' | 'net',
  read: Reader<Model>,
  check: Check<Model>,
  certificate: CertificateBody,
  given: unknown,
  options: VerifyOptions,
): Promise<Report> {
  const { format: _f, version: _v, kind, digest, [member]: embedded, ...body } = certificate;
  const model = read(embedded, member);
  if (digest !== certificateDigest(certificate))
    return rejected('the digest does not match: the certificate was changed after it was written');
  if (given !== undefined && meaning(embedded, kind) !== meaning(given, kind))
    return rejected(
      `the certificate is about another program: the ${member} differ from the given program`,
    );
  try {
    const report = await check(model, body, new Budget(options), options);
    if (report.kind !== 'accepted' && report.kind !== 'partly') return report;
    const said = {
      claim: { ...report.claim, kind: String(kind) },
      assumes: [...new Set([...report.assumes, ...assumptionsOf(model, kind)])],
      program: programDigest(embedded, kind),
    };
    const unexpected = (options.expect ?? []).flatMap((one) => disappointment(said, one) ?? []);
    if (unexpected.length > 0) return { kind: 'unexpected', findings: unexpected };
    if (report.kind === 'partly') return { ...report, ...said };
    return { ...report, ...said, about: given === undefined ? 'these automata' : 'the program' };
  } catch (error) {
    if (error instanceof Flaw) return rejected(error.message);
    if (error instanceof ShapeError) return rejected(`the form is wrong: ${error.message}`);
    if (error instanceof Met) return rejected(`${error.message}: the states cannot be enumerated`);
    if (error instanceof Endless) return { kind: 'unknown', reason: error.message };
    throw error;
  }
}

type Judge = (
  certificate: CertificateBody,
  given: unknown,
  options: VerifyOptions,
) => Promise<Report>;

/** Returns a judge of certificates that have their model in the member named `member`. */
function about<Model extends object>(
  member: 'automata' | 'net',
  read: Reader<Model>,
  check: Check<Model>,
): Judge {
  return (certificate, given, options) => judge(member, read, check, certificate, given, options);
}

/**
 * Returns a judge of certificates about automata. `refusals` return the reason why a program is
 * outside the scope of the check; `undefined` if inside.
 */
function ofThreads(
  check: Check<Automata>,
  ...refusals: readonly ((automata: Automata) => string | undefined)[]
): Judge {
  return about('automata', readAutomata, (automata, ...rest) => {
    const refused = refusals.map((refuses) => refuses(automata)).find((one) => one !== undefined);
    return refused === undefined ? check(automata, ...rest) : rejected(refused);
  });
}

function heavyFences(automata: Automata): string | undefined {
  return hasHeavyFences(automata)
    ? 'certificates of this kind do not support heavy fences'
    : undefined;
}

/** The judges by kind of certificate. */
const judges: ReadonlyMap<unknown, Judge> = new Map<string, Judge>([
  ['proof', ofThreads(checkProof, heavyFences)],
  ['robust', ofThreads(checkRobust, outOfScope)],
  ['states', ofThreads(checkStates, heavyFences, outOfScope)],
  ['fences', ofThreads(checkFences, outOfScope)],
  ['property-fences', ofThreads(checkPropertyFences, heavyFences, outOfScope)],
  ['race-fences', ofThreads(checkRaceFences, heavyFences, outOfScope)],
  ['all-instances', ofThreads(checkAllInstances, heavyFences)],
  ['all-instances-fences', ofThreads(checkAllInstancesFences, heavyFences)],
  ['c11-robust', ofThreads(checkC11Robust, heavyFences, outOfScope)],
  ['event-fences', about('automata', readEventAutomata, checkEventFences)],
  ['cover', about('net', readNet, checkCover)],
]);

async function dispatch(value: unknown, given: unknown, options: VerifyOptions): Promise<Report> {
  const certificate = Object.fromEntries(members(value, 'the certificate'));
  const { format, version, kind } = certificate;
  if (format !== 'fencewright-certificate')
    return notOne("the format is not 'fencewright-certificate'");
  if (version !== 3)
    return notOne(
      `version ${shortly(version)} is not supported, only version 3: write the certificate again`,
    );
  const judgeOf = judges.get(kind);
  if (judgeOf) return judgeOf(certificate, given, options);
  const known = [...judges.keys()].join(', ');
  return notOne(`the kind ${shortly(kind)} is not one of ${known}`);
}

/**
 * Checks whether a certificate, as read from JSON, proves its claim. `given` is the program that
 * the certificate should be about, as automata or as a net, also in JSON, or `undefined` if only
 * the certificate is available. The check believes nothing the certificate says: everything is
 * computed anew.
 */
export async function verifyCertificate(
  certificate: unknown,
  given: unknown,
  options: VerifyOptions,
): Promise<Report> {
  try {
    return await dispatch(certificate, given, options);
  } catch (error) {
    if (error instanceof ShapeError) return notOne(error.message);
    // Reading and evaluating are recursive.
    if (error instanceof RangeError && error.message.includes('call stack'))
      return { kind: 'unknown', reason: 'expressions are nested too deeply' };
    throw error;
  }
}

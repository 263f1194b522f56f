import { createHash } from 'node:crypto';
import { Budget, Endless } from './budget.js';
import { Met } from './code.js';
import type { CertificateBody, Check, VerifyOptions } from './check.js';
import type { Automata } from './automata.js';
import { canonicalJson, certificateDigest } from './canonical-json.js';
import type { EventAutomata } from './events/program.js';
import { readEventAutomata } from './events/read-program.js';
import { checkAllInstancesFences } from './kinds/all-instances-fences.js';
import { checkAllInstances } from './kinds/all-instances.js';
import { checkProof } from './kinds/proof.js';
import { disappointment } from './expectation.js';
import { type Net, readNet } from './net.js';
import { checkC11Robust } from './kinds/c11-robust.js';
import { checkCover } from './kinds/cover.js';
import { checkEventFences } from './kinds/event-fences.js';
import { checkFences } from './kinds/fences.js';
import { checkPropertyFences } from './kinds/property-fences.js';
import { checkRaceFences } from './kinds/race-fences.js';
import { checkRobust } from './kinds/robust.js';
import { checkStates } from './kinds/states.js';
import { readAutomata } from './read-automata.js';
import type { Report } from './report.js';
import { hasHeavyFences } from './several-delays.js';
import { members, ShapeError } from './shape.js';

/** Returns a check that refuses programs with heavy fences. */
function refusingHeavyFences(check: Check<Automata>): Check<Automata> {
  return (automata, ...rest) =>
    hasHeavyFences(automata)
      ? rejectedBy('certificates of this kind do not support heavy fences')
      : check(automata, ...rest);
}

/** The checks of certificates about automata, by kind of certificate. */
const aboutAutomata: ReadonlyMap<unknown, Check<Automata>> = new Map<string, Check<Automata>>([
  ['proof', refusingHeavyFences(checkProof)],
  ['robust', checkRobust],
  ['states', refusingHeavyFences(checkStates)],
  ['fences', refusingHeavyFences(checkFences)],
  ['property-fences', refusingHeavyFences(checkPropertyFences)],
  ['race-fences', refusingHeavyFences(checkRaceFences)],
  ['all-instances', refusingHeavyFences(checkAllInstances)],
  ['all-instances-fences', refusingHeavyFences(checkAllInstancesFences)],
  ['c11-robust', refusingHeavyFences(checkC11Robust)],
]);

/** The kinds of certificates about the memory orders of C11, which TSO ignores. */
const aboutOrders: ReadonlySet<unknown> = new Set(['c11-robust']);

/** The checks of certificates about programs of events, by kind of certificate. */
const aboutEvents: ReadonlyMap<unknown, Check<EventAutomata>> = new Map<
  string,
  Check<EventAutomata>
>([['event-fences', checkEventFences]]);

/** The checks of certificates about nets, by kind of certificate. */
const aboutNets: ReadonlyMap<unknown, Check<Net>> = new Map<string, Check<Net>>([
  ['cover', checkCover],
]);

/** Returns the beginning of a value's JSON text, for messages. */
function shortly(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? 'an object'
    : (JSON.stringify(value)?.slice(0, 40) ?? 'missing');
}

const notOne = (reason: string): Report => ({ kind: 'not-a-certificate', reason });

/** The members of automata that say something about C11 only. */
const ofC11: ReadonlySet<string> = new Set([
  ...['order', 'failureOrder', 'mayFail', 'isStore', 'fence', 'plain', 'assumptionsOfC11'],
]);

/**
 * Returns a model without the names invented by a front end, for example from line numbers: such
 * names say nothing about the program's behaviour. `isLeftOut` names members that do not count.
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
  check: Check<Model>,
  read: (value: unknown, path: string) => Model,
  member: 'automata' | 'net',
  certificate: CertificateBody,
  given: unknown,
  options: VerifyOptions,
): Promise<Report> {
  const { format: _f, version: _v, kind, digest, [member]: embedded, ...body } = certificate;
  const model = read(embedded, member);
  if (digest !== certificateDigest(certificate))
    return rejectedBy(
      'the digest does not match: the certificate was changed after it was written',
    );
  if (given !== undefined && meaning(embedded, kind) !== meaning(given, kind))
    return rejectedBy(
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
    if (error instanceof ShapeError) return rejectedBy(`the form is wrong: ${error.message}`);
    if (error instanceof Met)
      return rejectedBy(`${error.message}: the states cannot be enumerated`);
    if (error instanceof Endless) return { kind: 'unknown', reason: error.message };
    throw error;
  }
}

function rejectedBy(finding: string): Extract<Report, { kind: 'rejected' }> {
  return { kind: 'rejected', findings: [finding] };
}

async function dispatch(value: unknown, given: unknown, options: VerifyOptions): Promise<Report> {
  const certificate = Object.fromEntries(members(value, 'the certificate'));
  const { format, version, kind } = certificate;
  if (format !== 'fencewright-certificate')
    return notOne("the format is not 'fencewright-certificate'");
  if (version !== 2)
    return notOne(
      `version ${shortly(version)} is not supported, only version 2: write the certificate again`,
    );
  const automataCheck = aboutAutomata.get(kind);
  if (automataCheck)
    return judge(automataCheck, readAutomata, 'automata', certificate, given, options);
  const netCheck = aboutNets.get(kind);
  if (netCheck) return judge(netCheck, readNet, 'net', certificate, given, options);
  const eventCheck = aboutEvents.get(kind);
  if (eventCheck)
    return judge(eventCheck, readEventAutomata, 'automata', certificate, given, options);
  const known = [...aboutAutomata.keys(), ...aboutEvents.keys(), ...aboutNets.keys()].join(', ');
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

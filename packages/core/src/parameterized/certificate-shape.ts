import type { ParameterizedCertificate } from './certificate.js';

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIndex(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isAttack(value: unknown): boolean {
  return (
    isRecord(value) &&
    [value.thread, value.store, value.load].every(isIndex) &&
    ['control-flow', 'static-path', 'invariant'].includes(value.by as string)
  );
}

function isThread(value: unknown): boolean {
  const isCount = (count: unknown): boolean => count === 'any' || (isIndex(count) && count !== 0);
  // A marking keeps counts in 32 bits.
  return isRecord(value) && isCount(value.count) && !((value.count as number) >= 2 ** 30);
}

function isConfiguration(value: unknown): boolean {
  return (
    isRecord(value) &&
    isRecord(value.control) &&
    Array.isArray(value.threads) &&
    value.threads.every(isThread)
  );
}

/** Whether a value read from a file has the form of a certificate for all instances; says nothing about its truth. */
export function isParameterizedCertificate(value: unknown): value is ParameterizedCertificate {
  return (
    isRecord(value) &&
    value.format === 'fencewright-parameterised-certificate' &&
    value.version === 1 &&
    typeof value.program === 'string' &&
    typeof value.digest === 'string' &&
    isRecord(value.states) &&
    typeof value.states.maskDeadRegisters === 'boolean' &&
    typeof value.states.ownedCells === 'boolean' &&
    [undefined, 'standard', 'value'].includes(value.happensBefore as string | undefined) &&
    Array.isArray(value.attacks) &&
    value.attacks.every(isAttack) &&
    Array.isArray(value.invariant) &&
    value.invariant.every(isConfiguration)
  );
}

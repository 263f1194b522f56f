import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@fencewright/core';

/** What results are about: those of a journal cannot be passed off as those of a worker. */
type Purpose = 'journal' | 'queue';

/**
 * Seals results, and knows its own seals: a result that somebody else has written down has none.
 * Nobody can make one without the secret.
 */
export class Sealer {
  readonly #secrets: readonly [string, ...string[]];

  /** Seals with the first secret, and knows those of all. */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#secrets = secrets;
  }

  #sealBy(secret: string, purpose: Purpose, about: unknown, result: unknown): string {
    // A store may give members in another order.
    const text = `${purpose}\0${canonicalJson([about, result])}`;
    return createHmac('sha256', secret).update(text).digest('hex');
  }

  /** The seal of a result that is about something; both are plain data. */
  seal(purpose: Purpose, about: unknown, result: unknown): string {
    // As it is read again: members without a value are left out.
    const plain = JSON.parse(JSON.stringify(result)) as unknown;
    return this.#sealBy(this.#secrets[0], purpose, about, plain);
  }

  /** Whether a seal is one of a result, which was read. */
  knows(purpose: Purpose, about: unknown, result: unknown, seal: unknown): boolean {
    if (typeof seal !== 'string' || !/^[0-9a-f]{64}$/.test(seal)) return false;
    const given = Buffer.from(seal, 'hex');
    return this.#secrets.some((secret) =>
      timingSafeEqual(Buffer.from(this.#sealBy(secret, purpose, about, result), 'hex'), given),
    );
  }
}

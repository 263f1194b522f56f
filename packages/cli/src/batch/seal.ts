import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@fencewright/core';

/** The purpose of a seal: a seal for the journal is not valid for a result from a worker. */
type Purpose = 'journal' | 'queue';

/**
 * Makes seals for results with a secret, and checks seals: nobody without the secret can make a
 * valid seal.
 */
export class Sealer {
  readonly #secrets: readonly [string, ...string[]];

  /** Makes seals with the first secret; accepts seals made with any of the secrets. */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#secrets = secrets;
  }

  #sealBy(secret: string, purpose: Purpose, about: unknown, result: unknown): string {
    // A store may give members in another order.
    const text = `${purpose}\0${canonicalJson([about, result])}`;
    return createHmac('sha256', secret).update(text).digest('hex');
  }

  /**
   * Returns the seal of a result together with the result's subject. Result and subject are plain
   * data.
   */
  seal(purpose: Purpose, about: unknown, result: unknown): string {
    // The result as read again: members without a value are left out.
    const plain = JSON.parse(JSON.stringify(result)) as unknown;
    return this.#sealBy(this.#secrets[0], purpose, about, plain);
  }

  /** Whether a seal is valid for a result and its subject. */
  knows(purpose: Purpose, about: unknown, result: unknown, seal: unknown): boolean {
    if (typeof seal !== 'string' || !/^[0-9a-f]{64}$/.test(seal)) return false;
    const given = Buffer.from(seal, 'hex');
    return this.#secrets.some((secret) =>
      timingSafeEqual(Buffer.from(this.#sealBy(secret, purpose, about, result), 'hex'), given),
    );
  }
}

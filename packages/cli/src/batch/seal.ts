import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@fencewright/core';

/** The purpose of a seal: results of a journal cannot pass as results of a worker. */
type Purpose = 'journal' | 'queue';

/**
 * Seals results, and recognises its own seals: results written by others have no valid seal. Seals
 * cannot be made without the secret.
 */
export class Sealer {
  readonly #secrets: readonly [string, ...string[]];

  /** Seals with the first secret, and accepts the seals of all secrets. */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#secrets = secrets;
  }

  #sealBy(secret: string, purpose: Purpose, about: unknown, result: unknown): string {
    // A store may give members in another order.
    const text = `${purpose}\0${canonicalJson([about, result])}`;
    return createHmac('sha256', secret).update(text).digest('hex');
  }

  /** Returns the seal of a result together with its subject; both are plain data. */
  seal(purpose: Purpose, about: unknown, result: unknown): string {
    // The result as read again: members without a value are left out.
    const plain = JSON.parse(JSON.stringify(result)) as unknown;
    return this.#sealBy(this.#secrets[0], purpose, about, plain);
  }

  /** Whether a seal belongs to a result as read. */
  knows(purpose: Purpose, about: unknown, result: unknown, seal: unknown): boolean {
    if (typeof seal !== 'string' || !/^[0-9a-f]{64}$/.test(seal)) return false;
    const given = Buffer.from(seal, 'hex');
    return this.#secrets.some((secret) =>
      timingSafeEqual(Buffer.from(this.#sealBy(secret, purpose, about, result), 'hex'), given),
    );
  }
}

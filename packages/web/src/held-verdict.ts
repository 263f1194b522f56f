/** The number of milliseconds that a verdict waits for the answer that follows it. */
const patience = 1000;

/**
 * A verdict on robustness that waits for the answer about claims and states, so that the page does
 * not show first one verdict and then another. A verdict is shown alone if the answer takes long.
 */
export class HeldVerdict {
  #show: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Shows a verdict after a delay. The delay counts from the first verdict that was held since the
   * last `drop`.
   */
  hold(show: () => void): void {
    const isLate = this.#timer !== undefined && this.#show === undefined;
    if (isLate) show();
    else this.#show = show;
    this.#timer ??= setTimeout(() => this.#release(), patience);
  }

  /** Shows the held verdict, if any, now. */
  show(): void {
    this.#release();
    this.drop();
  }

  /** Forgets the held verdict. */
  drop(): void {
    clearTimeout(this.#timer);
    [this.#timer, this.#show] = [undefined, undefined];
  }

  #release(): void {
    const show = this.#show;
    this.#show = undefined;
    show?.();
  }
}

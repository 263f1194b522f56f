import { type Diagnostic, notSupported } from '@fencewright/ground/source/diagnostic.js';
import { quoteSource } from '@fencewright/ground/source/quote-name.js';
import type { OrderLevel } from '@fencewright/model/program/order-level.js';
import type { Transition } from '@fencewright/model/program/program.js';

/**
 * Returns the reason why the text has no place for memory orders, and the change to make by hand.
 */
export function whyNoPlaceForOrders(
  { instruction: { kind }, origin: { span } }: Transition,
  { order, failure }: OrderLevel,
): Diagnostic {
  const orders = failure === undefined ? order : `${order} (${failure} if it fails)`;
  const message = span?.source
    ? `the memory order ${orders} belongs in ${quoteSource(span.source.name)}, line ${span.start.line + 1}`
    : `the memory order ${orders} cannot be written here`;
  const calls: Readonly<Record<string, string>> = {
    load: `atomic_load_explicit(&x, memory_order_${order})`,
    store: `atomic_store_explicit(&x, v, memory_order_${order})`,
  };
  const call = calls[kind] ?? 'a call that names its memory orders';
  return notSupported(span, message, `write by hand: ${call}`);
}

import type { Certificate, RepairMode } from './certificate.js';

const modes: readonly RepairMode[] = ['fence', 'xchg', 'any', 'minimise', 'minimise-locked'];

type Shape = (value: unknown) => boolean;

const isNumber: Shape = (value) => typeof value === 'number' && Number.isFinite(value);
const isText: Shape = (value) => typeof value === 'string';
const isIndex: Shape = (value) => Number.isInteger(value) && (value as number) >= 0;
const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);
const record =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(shapes).every(([key, shape]) =>
      shape((value as Readonly<Record<string, unknown>>)[key]),
    );
const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value));
const oneOf =
  (...values: readonly unknown[]): Shape =>
  (value) =>
    values.includes(value);

const isItem = either(
  record({ kind: oneOf('fence'), thread: isIndex, location: isIndex }),
  record({ kind: oneOf('xchg', 'keep'), thread: isIndex, transition: isIndex }),
);

const actionKinds = ['issue', 'store', 'load', 'rmw', 'local', 'fence', 'lock', 'unlock'];

const isClause = record({
  items: listOf(isIndex),
  attack: record({ thread: isIndex, store: isIndex, load: isIndex }),
  computation: listOf(
    record({ thread: isIndex, kind: oneOf(...actionKinds), transition: isIndex }),
  ),
});

const isCertificateShape = record({
  format: oneOf('fencewright-certificate'),
  version: oneOf(1),
  program: isText,
  mode: oneOf(...modes),
  happensBefore: oneOf(undefined, 'standard', 'value'),
  costModel: isText,
  items: listOf(record({ item: isItem, cost: isNumber })),
  chosen: listOf(isIndex),
  cost: isNumber,
  bound: isNumber,
  clauses: listOf(isClause),
  digest: isText,
});

/** Whether a value read from a file has the form of a certificate; says nothing about its truth. */
export function isCertificate(value: unknown): value is Certificate {
  return isCertificateShape(value);
}

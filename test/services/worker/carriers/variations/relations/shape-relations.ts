import { isFields, replaceAll } from '../edit-json.ts';
import { differences } from '../read-varied.ts';
import type { Relation } from '../relation.ts';

const nothingChanges: Relation['violations'] = (before, after) => differences(before, after);

const reversed = (value: unknown) => (Array.isArray(value) ? value.toReversed() : value);
/** Every second item first. */
const mixed = (value: unknown) =>
  Array.isArray(value)
    ? [...value.filter((_, index) => index % 2 === 1), ...value.filter((_, index) => index % 2 === 0)]
    : value;

const unknownFields = {
  xNote: 'Delivered',
  xCount: 7,
  xFlag: true,
  xNothing: null,
  xList: [],
  xMore: { status: 'Delivered' },
};

/** Relations of JSON itself: they need to know nothing of the carrier. */
export const shapeRelations: readonly Relation[] = [
  {
    name: 'lists in another order',
    holds: 'the record is the same',
    variants: () => [(body) => replaceAll(body, reversed), (body) => replaceAll(body, mixed)],
    violations: nothingChanges,
  },
  {
    name: 'unknown fields',
    holds: 'the record is the same',
    variants: () => [
      (body) => replaceAll(body, (value) => (isFields(value) ? { ...value, ...unknownFields } : value)),
      (body) => replaceAll(body, (value) => (isFields(value) ? { ...unknownFields, ...value } : value)),
    ],
    violations: nothingChanges,
  },
  {
    name: 'nothing as null, as an empty text, and absent',
    holds: 'the record is the same',
    variants: () => [
      (body) => replaceAll(body, (value) => (value === null ? '' : value)),
      (body) => replaceAll(body, (value) => (value === '' ? null : value)),
      (body) => replaceAll(body, (value) => (value === null || value === '' ? undefined : value)),
    ],
    violations: nothingChanges,
  },
  {
    name: 'empty lists and objects absent',
    holds: 'the record is the same',
    variants: () => [(body) => replaceAll(body, (value) => (isEmpty(value) ? undefined : value))],
    violations: nothingChanges,
  },
  {
    name: 'numbers as texts',
    holds: 'the record is the same',
    variants: () => [(body) => replaceAll(body, (value) => (typeof value === 'number' ? String(value) : value))],
    violations: nothingChanges,
  },
];

function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isFields(value) && Object.keys(value).length === 0);
}

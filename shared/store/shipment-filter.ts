import type { ShipmentFilter } from '#shared/domain/filter.ts';
import { lookupKeys, matchValues } from '#shared/domain/identifiers.ts';
import { type IdentifierKey, identifierKeys } from '#shared/domain/shipment.ts';
import { identifierCondition } from './identifiers.ts';

export type FilterScope = { accountId: string; test: boolean; filter: ShipmentFilter };

export type Condition = { text: string; values: unknown[]; add: (value: unknown) => string };

const dateShape = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The filter as a condition over `s` (shipments) and `p` (polling). `$1` is the account; `add` appends a parameter and gives its
 * placeholder.
 */
export function filterCondition({ accountId, test, filter }: FilterScope): Condition {
  const values: unknown[] = [accountId, test];
  const add = (value: unknown) => `$${values.push(value)}`;
  const parts = ['s.account_id = $1', 's.test = $2', 's.archived_at is null'];

  if (filter.status) parts.push(`s.status = any(${add(filter.status)}::text[])`);
  if (filter.transportMode) parts.push(`s.transport_mode = any(${add(filter.transportMode)}::text[])`);
  if (filter.carrier) parts.push(`s.carrier = any(${add(filter.carrier)}::text[])`);
  for (const key of identifierKeys) {
    const value = filter.identifiers?.[key];
    if (value !== undefined) parts.push(numberCondition(add, key, value));
  }
  if (filter.identifier !== undefined) parts.push(numberCondition(add, null, filter.identifier));
  if (filter.reference !== undefined) parts.push(`s.reference = ${add(filter.reference)}`);
  if (filter.tag !== undefined) parts.push(`${add(filter.tag)} = any(s.tags)`);
  if (filter.q !== undefined) parts.push(textCondition(add, filter.q));
  if (filter.origin !== undefined) parts.push(placeCondition(add, 'origin', filter.origin));
  if (filter.destination !== undefined) parts.push(placeCondition(add, 'destination', filter.destination));
  if (filter.etaFrom !== undefined) parts.push(`s.eta >= ${add(filter.etaFrom)}::timestamptz`);
  if (filter.etaTo !== undefined) {
    const bound = add(filter.etaTo);
    parts.push(dateShape.test(filter.etaTo) ? `s.eta < ${bound}::timestamptz + interval '1 day'` : `s.eta <= ${bound}::timestamptz`);
  }
  if (filter.updatedSince !== undefined) parts.push(`s.updated_at >= ${add(filter.updatedSince)}::timestamptz`);
  if (filter.hasException !== undefined) parts.push(`s.has_exception = ${add(filter.hasException)}`);
  if (filter.delayedMinHours !== undefined) parts.push(`s.delay_hours >= ${add(filter.delayedMinHours)}`);
  if (filter.stale !== undefined) parts.push(filter.stale ? `(${staleCondition})` : `(${staleCondition}) is not true`);
  return { text: parts.join('\n        and '), values, add };
}

/** Over `p`: the last successful look is too old, by Postgres's clock. */
export const staleCondition = `p.stale_at <= now() and p.last_succeeded_at is not null and p.state <> 'completed'`;

function numberCondition(add: Condition['add'], key: IdentifierKey | null, value: string): string {
  const { candidates } = matchValues(key, value, null);
  return identifierCondition(add, candidates, key === null ? lookupKeys('auto') : [key]);
}

/** Parts of the search text; `strpos` and not `like`, so that `%` and `_` are themselves. */
function textCondition(add: Condition['add'], q: string): string {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const phrase = add(q.trim().toLowerCase());
  const compact = add(q.toLowerCase().replace(/[\s-]/g, ''));
  const everyWord = words.map((word) => `strpos(s.search_text, ${add(word)}) > 0`).join(' and ');
  return `(strpos(s.search_text, ${phrase}) > 0 or strpos(s.search_text, ${compact}) > 0${everyWord === '' ? '' : ` or (${everyWord})`})`;
}

function placeCondition(add: Condition['add'], end: 'origin' | 'destination', place: string): string {
  return `(s.${end}_unlocode = ${add(place.trim().toUpperCase())} or strpos(lower(s.${end}_name), ${add(place.trim().toLowerCase())}) > 0)`;
}

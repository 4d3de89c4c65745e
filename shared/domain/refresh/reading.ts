import type { ReadEvent, StatedFacts, StatedRoute } from '../events/event.ts';
import { compareText } from '../events/event-order.ts';
import { orderedFacts } from '../journey/stated-facts.ts';

/**
 * Part of every canonical reading. Raise it when the mapping from carrier data to events changes: the next refresh of
 * each shipment is then recorded again even if the carrier's data is unchanged.
 */
export const readingParserVersion = 4;

type CanonicalInput = {
  events: readonly ReadEvent[];
  unreadable?: readonly { raw: unknown }[];
  route?: StatedRoute;
  facts?: StatedFacts;
  partial?: string;
};

/**
 * A reading as one stable text, the input of the hash that detects unchanged readings. Ignores order, duplicates, raw
 * bodies and event ids (some carriers create new ones per response), and the order of keys in unreadable events, which
 * count as they are. Events come from one connector's mapping in its order of keys: another order is compared in full,
 * and nothing is added.
 */
export function canonicalReading({ events, unreadable = [], route, facts, partial }: CanonicalInput): string {
  const lines = new Set([
    ...events.map(canonicalEvent),
    ...unreadable.map(({ raw }) => JSON.stringify(sortKeys(raw)) ?? ''),
    ...(route === undefined ? [] : [JSON.stringify({ route })]),
    ...(facts === undefined ? [] : [JSON.stringify({ facts: sortKeys(orderedFacts(facts)) })]),
  ]);
  return [
    `v${readingParserVersion}`,
    ...(partial === undefined ? [] : ['partial']),
    ...[...lines].sort(compareText),
  ].join('\n');
}

function canonicalEvent({ raw: _raw, sourceEventId: _id, seals, ...event }: ReadEvent): string {
  return JSON.stringify({ ...event, seals: [...seals].sort(compareText) });
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([left], [right]) => compareText(left, right));
  return Object.fromEntries(entries.map(([key, part]) => [key, sortKeys(part)]));
}

import type { ReadEvent } from './event.ts';
import { compareText } from './event-order.ts';

/**
 * Part of every canonical reading: raise it when the mapping from carriers' answers to events changes, and the next refresh of each shipment
 * is recorded again although the carrier said nothing new.
 */
export const readingParserVersion = 1;

type CanonicalInput = { events: readonly ReadEvent[]; rejected?: readonly { raw: unknown }[] };

/**
 * What a carrier said as one stable text, the input of the hash that tells a refresh without news. Order, doubling, the raw body and event ids
 * (some carriers make new ones for each answer) do not count, nor does the order of keys in what was set aside, which counts as it came.
 * Events are written by one connector's mapping, in its order of keys: another order is compared in full, and nothing is added.
 */
export function canonicalReading({ events, rejected = [] }: CanonicalInput): string {
  const lines = new Set([
    ...events.map(canonicalEvent),
    ...rejected.map(({ raw }) => JSON.stringify(sortKeys(raw)) ?? ''),
  ]);
  return [`v${readingParserVersion}`, ...[...lines].sort(compareText)].join('\n');
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

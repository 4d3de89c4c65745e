import { findCarrier } from '#shared/domain/carrier-catalogue.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { DcsaDialect } from './dialect.ts';

/** One question to the carrier: a query parameter and its value. */
export type Query = { parameter: string; value: string };

/**
 * The questions to ask about a shipment, best first: the B/L, then the booking; the container only when there is neither, because a container
 * has other voyages too. Empty when none of its identifiers is one that the line takes.
 */
export function queriesFor(subject: RefreshSubject, dialect: DcsaDialect): Query[] {
  const queries: Query[] = [];
  for (const { identifier, parameter } of dialect.references) {
    const value = subject.identifiers[identifier]?.replace(/\s+/g, '').toUpperCase();
    if (!value || (identifier === 'container' && queries.length > 0)) continue;
    const values = identifier === 'mbl' ? billNumbers(value, subject.carrier, dialect) : [value];
    queries.push(...values.map((each) => ({ parameter, value: each })));
  }
  return queries;
}

function billNumbers(value: string, carrier: string, dialect: DcsaDialect): string[] {
  if (dialect.billPrefix === 'asGiven') return [value];
  const prefixes = findCarrier(carrier)?.blPrefixes ?? [];
  const prefix = prefixes.find((each) => value.startsWith(each) && value.length > each.length + 3);
  const bare = prefix ? value.slice(prefix.length) : value;
  if (dialect.billPrefix === 'strip') return [bare];
  const prefixed = prefix ? value : prefixes[0] ? `${prefixes[0]}${value}` : null;
  return prefixed === null ? [bare] : [bare, prefixed];
}

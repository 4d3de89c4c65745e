import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import { FetchFailure } from '../fetch-failure.ts';
import type { DcsaDialect } from './dialect.ts';

/** One query to the carrier: parameters and their values. */
export type Query = Readonly<Record<string, string>>;

const identifierNames = { mbl: 'bill of lading', booking: 'booking', container: 'container' } as const;

/**
 * The queries for a shipment, best first: the B/L, then the booking. The container is used only without either, because
 * a container makes other voyages too. Throws `FetchFailure` when the line accepts none of the shipment's identifiers.
 */
export function queriesFor(subject: RefreshSubject, dialect: DcsaDialect): Query[] {
  const queries: Query[] = [];
  const refused: string[] = [];
  for (const { identifier, parameter, also = {}, pattern } of dialect.references) {
    const value = subject.identifiers[identifier]?.replace(/\s+/g, '').toUpperCase();
    if (!value || (identifier === 'container' && queries.length > 0)) continue;
    const values = identifier === 'mbl' ? billNumbers(value, subject.carrier, dialect) : [value];
    for (const each of values) {
      if (pattern?.test(each) === false) refused.push(`${identifierNames[identifier]} ${each.slice(0, 40)}`);
      else if (!queries.some((query) => query[parameter] === each)) queries.push({ [parameter]: each, ...also });
    }
  }
  if (queries.length > 0) return queries;
  if (refused.length > 0)
    throw new FetchFailure('invalid_identifier', `this carrier doesn't accept the number ${refused.join(', ')}`, {
      permanent: true,
    });
  const names = dialect.references.map(({ identifier }) => identifierNames[identifier]).join(', ');
  throw new FetchFailure('wrong_identifier_type', `this carrier requires a ${names} number and the shipment has none`, {
    permanent: true,
  });
}

function billNumbers(value: string, carrier: string, dialect: DcsaDialect): string[] {
  if (dialect.billPrefix === 'asGiven') return [value];
  const prefixes = findCarrier(carrier)?.blPrefixes ?? [];
  const prefix = prefixes.find((each) => value.startsWith(each) && value.length > each.length + 3);
  const bare = prefix ? value.slice(prefix.length) : value;
  if (dialect.billPrefix === 'strip') return [bare];
  const prefixed = prefix ? value : prefixes[0] ? `${prefixes[0]}${value}` : null;
  if (prefixed === null) return [bare];
  return dialect.billPrefix === 'add' ? [prefixed] : [bare, prefixed];
}

import { foldName } from '#shared/domain/fold-text.ts';
import { findPlace } from '#shared/places/find-place.ts';
import { scheduledPorts } from '#shared/places/listed-ports.ts';
import { findNamedPlaces } from '#shared/places/named-places.ts';

/**
 * The UN/LOCODE of a port that a message names by Schedule D (of the USA) or K (of other countries): by its code, otherwise
 * by its name if one place of the country has it. Null: unknown.
 */
export function unlocodeOfCensus(
  qualifier: string | null,
  code: string | null,
  named: { name: string | null; country: string | null },
): string | null {
  if (qualifier !== 'D' && qualifier !== 'K') return null;
  const isOfSchedule = code?.length === (qualifier === 'D' ? 4 : 5);
  const listed = isOfSchedule ? scheduledPorts().get(code ?? '') : undefined;
  if (listed !== undefined) return listed;
  const country = named.country ?? (qualifier === 'D' ? 'US' : null);
  const codes = named.name === null ? [] : (findNamedPlaces(foldName(named.name))?.codes ?? []);
  const [only, ...others] = codes.filter((each) => each.length === 5 && findPlace(each)?.country === country);
  return only !== undefined && others.length === 0 ? only : null;
}

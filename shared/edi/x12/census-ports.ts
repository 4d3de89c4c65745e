import { foldName } from '#shared/domain/fold-text.ts';
import { findPlace } from '#shared/places/find-place.ts';
import { findNamedPlaces } from '#shared/places/named-places.ts';

/** Container ports by Schedule D of the U.S. Census Bureau (https://www.census.gov/foreign-trade/schedules/d/distcode.html). */
const scheduleD: Readonly<Record<string, string>> = {
  '0401': 'USBOS',
  '1001': 'USNYC',
  '1101': 'USPHL',
  '1303': 'USBAL',
  '1401': 'USORF',
  '1501': 'USILM',
  '1601': 'USCHS',
  '1703': 'USSAV',
  '1801': 'USTPA',
  '1803': 'USJAX',
  '1901': 'USMOB',
  '2002': 'USMSY',
  '2704': 'USLAX',
  '2709': 'USLGB',
  '2809': 'USSFO',
  '2811': 'USOAK',
  '2904': 'USPDX',
  '3001': 'USSEA',
  '3002': 'USTIW',
  '3901': 'USCHI',
  '4909': 'PRSJU',
  '5201': 'USMIA',
  '5203': 'USPEF',
  '5301': 'USHOU',
};

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
  const listed = qualifier === 'D' ? scheduleD[code ?? ''] : undefined;
  if (listed !== undefined) return listed;
  const country = named.country ?? (qualifier === 'D' ? 'US' : null);
  const codes = named.name === null ? [] : (findNamedPlaces(foldName(named.name))?.codes ?? []);
  const [only, ...others] = codes.filter((each) => each.length === 5 && findPlace(each)?.country === country);
  return only !== undefined && others.length === 0 ? only : null;
}

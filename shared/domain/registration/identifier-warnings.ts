import { type Carrier, carriers, findCarrier } from '../carriers/carrier-catalogue.ts';
import { type IdentifierKey, type Identifiers, identifierKeys, type Warning } from '../record/shipment.ts';
import { isLikeTestNumber } from '../test-journeys/test-journeys.ts';
import { failedCheckDigit } from './check-digits.ts';
import { countLostDigits, keptDigits } from './lost-digits.ts';

/** The likely mistakes in the identifiers of a shipment with this carrier. They never refuse it. */
export function identifierWarnings(identifiers: Identifiers, carrier: string | null): Warning[] {
  return identifierKeys.flatMap((key) => {
    const value = identifiers[key];
    return value === undefined ? [] : warningsAbout(key, value, carrier);
  });
}

function warningsAbout(key: IdentifierKey, value: string, carrier: string | null): Warning[] {
  if (isLikeTestNumber(value)) return [];
  const digit = failedCheckDigit(key, value, carrier);
  const owner = carrier === null ? null : otherOwner(key, value, carrier);
  return [
    ...(digit === null ? [] : [checkDigitWarning(key, digit)]),
    ...(owner === null ? [] : [prefixWarning(key, owner)]),
    ...(countLostDigits(value) === 0 ? [] : [lostDigitsWarning(key)]),
  ];
}

function checkDigitWarning(key: IdentifierKey, expected: string): Warning {
  const detail = `The check digit should be ${expected}. Compare the number with your document.`;
  return { code: 'check_digit_mismatch', field: `identifiers.${key}`, detail, expected };
}

function lostDigitsWarning(key: IdentifierKey): Warning {
  const detail =
    `The number has only zeros after its first ${keptDigits} digits. A spreadsheet may have replaced the other digits. ` +
    'Compare the number with your document.';
  return { code: 'spoilt_number', field: `identifiers.${key}`, detail, expected: null };
}

type Owner = { prefix: string; owner: Carrier };

function prefixWarning(key: IdentifierKey, { prefix, owner }: Owner): Warning {
  const detail =
    `${prefix} is the prefix of ${owner.name} (${owner.code}), not of the carrier of this shipment. ` +
    'Compare the number and the carrier with your document.';
  return { code: 'carrier_prefix_mismatch', field: `identifiers.${key}`, detail, expected: owner.code };
}

const ownerOfAwb = ownersOf('awbPrefixes');
const ownerOfBill = ownersOf('blPrefixes');

/**
 * The other carrier whose prefix a number has. Null: the prefix is unknown, or its carrier's. Lines that are polled
 * through one connector share documents, and a prefix without a number behind it may be a part of a number.
 */
function otherOwner(key: IdentifierKey, value: string, carrier: string): Owner | null {
  const number = value.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  const own = findCarrier(carrier);
  if (own === null) return null;
  const found = key === 'awb' ? ownedBy(ownerOfAwb, number.slice(0, 3)) : null;
  const bill = (key === 'mbl' || key === 'booking') && /^.{4}(?=.*\d).{6}/.test(number);
  const { prefix, owner } = found ?? (bill ? ownedBy(ownerOfBill, number.slice(0, 4)) : null) ?? {};
  if (prefix === undefined || owner === undefined || owner.code === own.code) return null;
  if ([...own.awbPrefixes, ...own.blPrefixes].includes(prefix)) return null;
  return owner.connector !== null && owner.connector === own.connector && key !== 'awb' ? null : { prefix, owner };
}

function ownedBy(owners: ReadonlyMap<string, Carrier>, prefix: string): Owner | null {
  const owner = owners.get(prefix);
  return owner === undefined ? null : { prefix, owner };
}

function ownersOf(prefixes: 'awbPrefixes' | 'blPrefixes'): ReadonlyMap<string, Carrier> {
  return new Map(carriers.flatMap((carrier) => carrier[prefixes].map((prefix) => [prefix, carrier] as const)));
}

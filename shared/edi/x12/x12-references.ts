import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { EventTarget } from '#shared/domain/events-in/event-row.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { iso6346CheckDigit } from '#shared/domain/registration/check-digits.ts';

/**
 * A number by which a message names a shipment. `carrier`: the SCAC of the carrier that gave it, where the number alone
 * would not be unique.
 */
export type Reference = { key: IdentifierKey; value: string; mode?: TransportMode; scac?: string | null };

/** Numbers of one message. More are ignored. */
const maxReferences = 8;

/**
 * Returns the searches for the shipments of a message: by each number in turn, the first with a match counts. `own`:
 * numbers that the account may have given itself, tried last.
 */
export function targetsOf(references: readonly Reference[], own: readonly (string | null)[] = []): EventTarget[] {
  const targets: EventTarget[] = references.slice(0, maxReferences).map(({ key, value, mode, scac }) => ({
    numbers: [{ key, value }],
    carrier: scac == null ? null : (findCarrier(scac)?.code ?? null),
    transportMode: mode ?? null,
  }));
  const given = own.filter((reference): reference is string => reference !== null);
  const all = [...targets, ...given.slice(0, 2).map((reference): EventTarget => ({ reference }))];
  return [...new Map(all.map((target) => [JSON.stringify(target), target])).values()];
}

/** Kind of unit of an equipment number. */
export type Unit = { kind: 'container' | 'railcar' | 'equipment'; number: string };

/**
 * The unit that X12 names by its initial, number and check digit: `MSKU`, `123456`, `5`. A check digit that is missing is
 * computed, because the other characters determine it. Null: no number.
 */
export function unitOf(initial: string | null, number: string | null, checkDigit: string | null): Unit | null {
  const letters = initial?.toUpperCase().replace(/\s/g, '') ?? '';
  const digits = number?.toUpperCase().replace(/\s/g, '') ?? '';
  if (digits === '') return null;
  if (/^[A-Z]{3}[UJZ]$/.test(letters) && /^\d{6,7}$/.test(digits)) {
    const bare = `${letters}${digits}`;
    const last = digits.length === 7 ? '' : (checkDigit ?? iso6346CheckDigit(bare) ?? '');
    return { kind: 'container', number: `${bare}${last}` };
  }
  // An ILU code of EN 13044-1 looks like a railcar's but for its check digit.
  const loadingUnit = `${letters}${digits}${digits.length === 6 ? (checkDigit ?? '') : ''}`;
  if (/^[A-Z]{3}[A-EK]\d{7}$/.test(loadingUnit) && iso6346CheckDigit(loadingUnit.slice(0, 10)) === loadingUnit.at(-1))
    return { kind: 'container', number: loadingUnit };
  if (/^[A-Z]{2,4}$/.test(letters) && /^\d{1,6}$/.test(digits))
    return { kind: 'railcar', number: `${letters}${digits.replace(/^0+(?=\d)/, '')}` };
  return { kind: 'equipment', number: `${letters}${digits}` };
}

/** The unit by its whole number: `MSKU1234565`, `MSKU 123456-5`. */
export function unitOfNumber(written: string | null): Unit | null {
  const match = /^([A-Z]{2,4})(\d{1,7})$/.exec(written?.toUpperCase().replace(/[\s-]/g, '') ?? '');
  if (match !== null) return unitOf(match[1] ?? null, match[2] ?? null, null);
  return written === null ? null : { kind: 'equipment', number: written };
}

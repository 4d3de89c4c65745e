import type { Caller } from '#shared/domain/caller.ts';
import { findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { EventTarget } from '#shared/domain/events-in/event-row.ts';
import { isTrackingEnded } from '#shared/domain/refresh/cadence.ts';
import { matchValues, reusableKeys } from '#shared/domain/registration/identifiers.ts';
import {
  findNumbered,
  findReferenced,
  maxPerNumber,
  type NumberedShipment,
  type NumberLookup,
} from '#shared/store/events-in/find-targets.ts';
import type { Tx } from '#shared/store/with-account.ts';

/** The shipments (uuids) that a row is about, or why there are none. */
export type ResolvedTargets = string[] | LandfallError;

/** Shipments that one row may be about. */
export const maxShipmentsPerRow = 20;

type Numbers = Extract<EventTarget, { numbers: unknown }>;

/**
 * Finds the shipments of rows, all at once: for each row those of its first target that finds any. A number goes to
 * every shipment that is open; one of equipment only to those that are still tracked, because it has carried other
 * cargo before. Ids are not looked up here: the code that locks the shipment checks them.
 */
export async function resolveTargets(
  tx: Tx,
  { accountId, test }: Pick<Caller, 'accountId' | 'test'>,
  rows: readonly (readonly EventTarget[])[],
): Promise<ResolvedTargets[]> {
  const references = new Set<string>();
  const lookups = new Map<string, { number: NumberLookup; places: number[] }>();
  const placesOf = new Map<Numbers, number[][]>();
  const numbers: NumberLookup[] = [];
  for (const target of rows.flat()) {
    if ('reference' in target) references.add(target.reference);
    if ('numbers' in target)
      placesOf.set(
        target,
        target.numbers.map((number) => lookUp(target, number)),
      );
  }
  const [numbered, referenced] = await Promise.all([
    findNumbered(tx, accountId, { test, numbers }),
    findReferenced(tx, accountId, { test, references: [...references] }),
  ]);
  return rows.map((targets) => resolve(targets));

  /** The places of the lookups for one number. Rows that name the same number share them. */
  function lookUp({ carrier, transportMode }: Numbers, { key, value }: Numbers['numbers'][number]): number[] {
    const code = carrier === null ? null : (findCarrierByName(carrier)?.code ?? carrier);
    const name = JSON.stringify([key, value, code, transportMode]);
    const known = lookups.get(name);
    if (known !== undefined) return known.places;
    const added = matchValues(key, value, code).candidates.map((candidate): NumberLookup => {
      const place = numbers.length;
      const number = { place, key, matchValue: candidate.value, carrier: candidate.carrier ?? code, transportMode };
      numbers.push(number);
      return number;
    });
    const [number] = added;
    const places = added.map(({ place }) => place);
    if (number !== undefined) lookups.set(name, { number, places });
    return places;
  }

  function resolve(targets: readonly EventTarget[]): ResolvedTargets {
    for (const target of targets) {
      const found = findOne(target);
      if (found.length > maxShipmentsPerRow) return tooMany(target);
      if (found.length > 0) return found;
    }
    return notFound(targets);
  }

  function findOne(target: EventTarget): string[] {
    if ('shipmentId' in target) return [target.shipmentId];
    if ('reference' in target) return referenced.get(target.reference) ?? [];
    const lists = (placesOf.get(target) ?? []).map((places) => places.flatMap((place) => numbered.get(place) ?? []));
    const [first = [], ...others] = lists;
    const all = first.filter(({ shipmentId }) =>
      others.every((list) => list.some((one) => one.shipmentId === shipmentId)),
    );
    const isReusable = target.numbers.every(({ key }) => reusableKeys.includes(key));
    return openOnes([...new Map(all.map((one) => [one.shipmentId, one])).values()], isReusable).map(
      ({ shipmentId }) => shipmentId,
    );
  }
}

/** Open ones; else those whose journey is over, for what is reported late: an empty container's return. */
function openOnes(found: readonly NumberedShipment[], isReusable: boolean): readonly NumberedShipment[] {
  const open = found.filter(({ closed, state }) => !closed && !isTrackingEnded(state));
  if (open.length > 0) return open;
  const tracked = found.filter(({ state }) => !isTrackingEnded(state));
  return tracked.length > 0 || isReusable ? tracked : found;
}

function notFound(targets: readonly EventTarget[]): LandfallError {
  const isNumber = targets.some((target) => 'numbers' in target);
  const detail = isNumber
    ? 'No open shipment has this number. Register the shipment first, or name it by its id.'
    : 'Shipment not found.';
  return new LandfallError('shipment_not_found', detail, {
    mistakes: [{ pointer: '/shipment', code: 'shipment_not_found', detail }],
  });
}

function tooMany(target: EventTarget): LandfallError {
  const hint =
    'numbers' in target && target.carrier === null ? ' Add carrier or transport_mode, or name it by its id.' : '';
  const detail = `More than ${Math.min(maxShipmentsPerRow, maxPerNumber)} shipments have this number.${hint}`;
  return new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/shipment', code: 'too_many', detail }],
  });
}

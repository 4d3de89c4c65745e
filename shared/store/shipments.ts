import { expectedArrival } from '#shared/domain/expected-arrival.ts';
import { countryOf } from '#shared/domain/matches-filter.ts';
import { searchText } from '#shared/domain/search-text.ts';
import type { Identifiers, Journey, Shipment, Warning } from '#shared/domain/shipment.ts';
import type { JourneyText } from '#shared/domain/stored-record.ts';
import { type ShipmentRow, shipmentColumns, shipmentTables, toShipment } from './shipment-row.ts';
import type { Tx } from './with-account.ts';

/** The whole shipment, or null when this account has none with this id on this side of test mode. */
export async function readShipment(tx: Tx, accountId: string, subject: { id: string; test: boolean }): Promise<Shipment | null> {
  const { rows } = await tx.query<ShipmentRow>({
    name: 'read-shipment',
    text: `
      select ${shipmentColumns}
      from ${shipmentTables}
      where s.account_id = $1 and s.id = $2 and s.test = $3`,
    values: [accountId, subject.id, subject.test],
  });
  return rows[0] === undefined ? null : toShipment(rows[0]);
}

/** The whole shipments of these ids, by id; those that this account does not have on this side of test mode are missing. */
export async function readShipments(
  tx: Tx,
  accountId: string,
  subject: { ids: readonly string[]; test: boolean },
): Promise<Map<string, Shipment>> {
  if (subject.ids.length === 0) return new Map();
  const { rows } = await tx.query<ShipmentRow>({
    name: 'read-shipments',
    text: `
      select ${shipmentColumns}
      from ${shipmentTables}
      where s.account_id = $1 and s.id = any($2::uuid[]) and s.test = $3`,
    values: [accountId, subject.ids, subject.test],
  });
  return new Map(rows.map((row) => [row.id, toShipment(row)]));
}

/** Locks the shipment until the transaction ends and gives it as it then is; null when there is none. */
export async function lockShipment(tx: Tx, accountId: string, shipmentId: string): Promise<Shipment | null> {
  const { rows } = await tx.query<ShipmentRow>({
    name: 'lock-shipment',
    text: `
      select ${shipmentColumns}
      from ${shipmentTables}
      where s.account_id = $1 and s.id = $2
      for no key update of s`,
    values: [accountId, shipmentId],
  });
  return rows[0] === undefined ? null : toShipment(rows[0]);
}

/** Replaces the displayed identifiers of a locked shipment: a visible change. */
export async function updateIdentifiers(
  tx: Tx,
  accountId: string,
  change: { shipment: Shipment; identifiers: Identifiers; warnings: Warning[] },
): Promise<void> {
  const { shipment, identifiers, warnings } = change;
  await tx.query({
    name: 'update-identifiers',
    text: `
      update landfall.shipments
      set identifiers = $3::jsonb, warnings = $4::jsonb, search_text = $5, updated_at = now(), version = version + 1
      where account_id = $1 and id = $2`,
    values: [accountId, shipment.id, JSON.stringify(identifiers), JSON.stringify(warnings), searchText({ ...shipment, identifiers })],
  });
}

/**
 * Stores the newly composed journey of a locked shipment and everything that is read from columns: a visible change. `closed`: the journey
 * is over, so that reusable numbers (container, railcar, equipment) no longer match it. Without `journeyText` readers compose it.
 */
export async function updateJourney(
  tx: Tx,
  accountId: string,
  change: { shipment: Shipment; journey: Journey; statusChangedAt: string | null; closed: boolean; journeyText?: JourneyText | null },
): Promise<void> {
  const { shipment, journey } = change;
  const eta = expectedArrival(journey);
  await tx.query({
    name: 'update-journey',
    text: `
      update landfall.shipments
      set record = $3::jsonb, status = $4, status_changed_at = $5::timestamptz,
        has_exception = $6, eta = $7::timestamptz, delay_hours = $8, origin_unlocode = $9, origin_name = $10,
        destination_unlocode = $11, destination_name = $12, last_event_at = $13::timestamptz, search_text = $14,
        closed_at = case when $15 then coalesce(closed_at, now()) end, departed_at = $16::timestamptz, exception_codes = $17,
        origin_iata = $18, origin_country = $19, destination_iata = $20, destination_country = $21,
        journey_text = $22, journey_shape = $23, updated_at = now(), version = version + 1
      where account_id = $1 and id = $2`,
    values: [
      accountId,
      shipment.id,
      JSON.stringify(journey),
      journey.status,
      change.statusChangedAt,
      journey.hasException,
      eta?.at ?? null,
      journey.arrival.delayHours,
      journey.origin?.unlocode ?? null,
      journey.origin?.name?.toLowerCase() ?? null,
      journey.destination?.unlocode ?? null,
      journey.destination?.name?.toLowerCase() ?? null,
      journey.latestEvent?.time.at ?? null,
      searchText({ ...shipment, journey }),
      change.closed,
      journey.departure.actual?.at ?? null,
      [...new Set(journey.exceptions.filter((exception) => exception.resolvedAt === null).map((exception) => exception.code))],
      journey.origin?.iata ?? null,
      journey.origin && countryOf(journey.origin),
      journey.destination?.iata ?? null,
      journey.destination && countryOf(journey.destination),
      change.journeyText?.text ?? null,
      change.journeyText?.shape ?? null,
    ],
  });
}

/** The shipment that has this reference, or null. */
export async function findByReference(tx: Tx, accountId: string, subject: { reference: string; test: boolean }): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'find-by-reference',
    text: 'select id from landfall.shipments where account_id = $1 and test = $2 and reference = $3',
    values: [accountId, subject.test, subject.reference],
  });
  return rows[0]?.id ?? null;
}

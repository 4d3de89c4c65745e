import { searchText } from '#shared/domain/search-text.ts';
import type { Identifiers, Journey, Registration, Shipment, Warning } from '#shared/domain/shipment.ts';
import { type ShipmentRow, shipmentColumns, shipmentTables, toShipment } from './shipment-row.ts';
import type { Tx } from './with-account.ts';

export type NewShipment = {
  registration: Registration;
  carrierName: string;
  connector: string;
  test: boolean;
  journey: Journey;
  warnings: Warning[];
  traceparent: string | null;
};

/** Adds a shipment and gives its uuid, or null when another shipment of the account has the same reference. */
export async function insertShipment(tx: Tx, accountId: string, shipment: NewShipment): Promise<string | null> {
  const { registration, carrierName, journey } = shipment;
  const { rows } = await tx.query<{ id: string }>({
    name: 'insert-shipment',
    text: `
      insert into landfall.shipments (
        account_id, test, transport_mode, service_type, carrier, carrier_name, connector, identifiers, reference, tags, metadata,
        destination_postal_code, status, record, warnings, search_text, registration_traceparent
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11::jsonb, $12, $13, $14::jsonb, $15::jsonb, $16, $17)
      on conflict (account_id, test, reference) where reference is not null do nothing
      returning id`,
    values: [
      accountId,
      shipment.test,
      registration.transportMode,
      registration.serviceType,
      registration.carrier,
      carrierName,
      shipment.connector,
      JSON.stringify(registration.identifiers),
      registration.reference,
      registration.tags,
      JSON.stringify(registration.metadata),
      registration.destinationPostalCode,
      journey.status,
      JSON.stringify(journey),
      JSON.stringify(shipment.warnings),
      searchText({ ...registration, carrierName, journey }),
      shipment.traceparent,
    ],
  });
  return rows[0]?.id ?? null;
}

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

/** The shipment that has this reference, or null. */
export async function findByReference(tx: Tx, accountId: string, subject: { reference: string; test: boolean }): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'find-by-reference',
    text: 'select id from landfall.shipments where account_id = $1 and test = $2 and reference = $3',
    values: [accountId, subject.test, subject.reference],
  });
  return rows[0]?.id ?? null;
}

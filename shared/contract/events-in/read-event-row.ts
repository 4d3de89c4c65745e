import type { z } from 'zod';
import type { InputMistake } from '#shared/domain/errors.ts';
import type { EventTarget, SentEventRow } from '#shared/domain/events-in/event-row.ts';
import { identifierKeys } from '#shared/domain/record/shipment.ts';
import { bodyMistakes } from '../input/parse-body.ts';
import { readShipmentId } from '../record/shipment-id.ts';
import { batchEventRow, shipmentEventRow } from './event-row-body.ts';

type RowBody = Omit<z.output<typeof batchEventRow>, 'shipment' | 'reference'>;

/** Reads an untrusted row of the shipment that the path names. Checks its shape only. Never throws. */
export function parseShipmentEventRow(row: unknown): SentEventRow {
  const result = shipmentEventRow.safeParse(row);
  if (!result.success) return failedRow(mistakesOf(result.error, row, shipmentEventRow));
  return toRow(result.data, [], row);
}

/** The same for a row that names its shipment. */
export function parseBatchEventRow(row: unknown): SentEventRow {
  const result = batchEventRow.safeParse(row);
  if (!result.success) return failedRow(mistakesOf(result.error, row, batchEventRow));
  const target = readTarget(result.data);
  if ('detail' in target) return failedRow([target]);
  return toRow(result.data, [target], row);
}

function mistakesOf(error: z.ZodError, row: unknown, schema: z.ZodObject): InputMistake[] {
  return bodyMistakes(error, row, Object.keys(schema.shape), 'The row');
}

function readTarget({
  shipment,
  reference,
}: Pick<z.output<typeof batchEventRow>, 'shipment' | 'reference'>): EventTarget | InputMistake {
  const refuse = (code: string, detail: string): InputMistake => ({ pointer: '/shipment', code, detail });
  const { id, carrier = null, transport_mode: transportMode = null, ...sent } = shipment ?? {};
  const numbers = identifierKeys.flatMap((key) => {
    const value = sent[key];
    return value === undefined ? [] : [{ key, value }];
  });
  const named = Number(id !== undefined) + Number(numbers.length > 0) + Number((reference ?? null) !== null);
  if (named === 0) return refuse('required', 'Name the shipment: its id, one of its numbers, or reference.');
  if (named > 1) return refuse('conflict', 'Name the shipment in one way: by id, by numbers, or by reference.');
  if (reference) return { reference };
  if (id === undefined) return { numbers, carrier, transportMode };
  const shipmentId = readShipmentId(id);
  return shipmentId === null ? refuse('shipment_not_found', 'Shipment not found.') : { shipmentId };
}

function toRow(data: RowBody, targets: EventTarget[], raw: unknown): SentEventRow {
  return {
    targets,
    sourceName: data.source_name,
    externalId: data.external_id ?? null,
    createdAt: data.created_at ?? null,
    code: data.code ?? null,
    classifier: data.classifier,
    time: toTime(data.time),
    location: toPlace(data.location),
    container: data.container ?? null,
    piece: data.piece ?? null,
    vehicle: toVehicle(data.vehicle),
    transportMode: data.transport_mode ?? null,
    holds: (data.holds ?? []).map(({ type, status, detail }) => ({
      type,
      status,
      ...(detail == null ? {} : { detail }),
    })),
    freeDays: data.last_free_days ?? [],
    fees: data.fees ?? [],
    available: data.available ?? null,
    description: data.description ?? null,
    raw,
  };
}

function toTime(sent: RowBody['time']): SentEventRow['time'] {
  if (sent == null) return null;
  return 'at' in sent ? { at: sent.at } : { local: sent.local, timezone: sent.timezone ?? null };
}

function toPlace(sent: RowBody['location']): SentEventRow['location'] {
  if (sent == null) return null;
  return {
    unlocode: sent.unlocode ?? null,
    iata: sent.iata ?? null,
    name: sent.name ?? null,
    country: sent.country ?? null,
    lat: sent.lat ?? null,
    lng: sent.lng ?? null,
    facility: sent.facility ?? null,
  };
}

function toVehicle(sent: RowBody['vehicle']): SentEventRow['vehicle'] {
  if (sent == null) return null;
  const { position } = sent;
  return {
    name: sent.name ?? null,
    imo: sent.imo ?? null,
    voyage: sent.voyage ?? null,
    flight: sent.flight ?? null,
    position: position == null ? null : { lat: position.lat, lng: position.lng, at: position.at ?? null },
  };
}

/** Stands for a row whose shape is wrong. */
export function failedRow(mistakes: readonly InputMistake[]): SentEventRow {
  return {
    targets: [],
    sourceName: null,
    externalId: null,
    createdAt: null,
    code: null,
    classifier: 'actual',
    time: null,
    location: null,
    container: null,
    piece: null,
    vehicle: null,
    transportMode: null,
    holds: [],
    freeDays: [],
    fees: [],
    available: null,
    description: null,
    raw: null,
    mistakes,
  };
}

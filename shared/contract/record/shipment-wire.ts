import type { ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Journey, Shipment } from '#shared/domain/record/shipment.ts';
import type { JourneyText, StoredRecord } from '#shared/domain/record/stored-record.ts';
import { headOrder, journeyOrder, summaryOrder, tailOrder } from './field-order.ts';
import { composerOf, inOrder, rowsOf } from './field-row.ts';
import { recordFields, summaryFields } from './record-fields.ts';
import type { WireShipment, WireSummary } from './shipment-schemas.ts';

const isOfHead = (name: string) => headOrder.some((one) => one === name);
const recordRows = rowsOf(recordFields);
const headRows = inOrder(
  recordRows.filter(({ name }) => isOfHead(name)),
  headOrder,
);
const journeyRows = inOrder(
  recordRows.filter((row) => row.of === 'journey'),
  journeyOrder,
);
const tailRows = inOrder(
  recordRows.filter((row) => row.of === 'shipment' && !isOfHead(row.name)),
  tailOrder,
);
const composeRecord = composerOf([...headRows, ...journeyRows, ...tailRows]);
const composeHead = composerOf(headRows);
const composeJourney = composerOf(journeyRows);
const composeTail = composerOf(tailRows);
const composeMcpFields = composerOf(rowsOf(summaryFields).filter((row) => row.inMcp));
const composeSummary = composerOf(inOrder(rowsOf(summaryFields), summaryOrder));

/**
 * The full record of a shipment. Every field is always present; unknown values are null. `asOf` (ISO UTC): the journey
 * is that of a moment in the past, which has no tracking.
 */
export function toWireShipment(shipment: Shipment, asOf: string | null = null): WireShipment {
  return composeRecord(shipment, shipment.journey, asOf) as WireShipment;
}

/** The row of a list, also of the snapshot that a change keeps. */
export function toWireSummary(shipment: ShipmentSnapshot): WireSummary {
  return composeSummary(shipment, shipment.journey, null) as WireSummary;
}

type McpField = {
  [Name in keyof typeof summaryFields]: (typeof summaryFields)[Name]['inMcp'] extends true ? Name : never;
}[keyof typeof summaryFields];

/** The fields that the tools of MCP show as they are. */
export function toMcpFields(shipment: Shipment): Pick<WireSummary, McpField> {
  return composeMcpFields(shipment, shipment.journey, null) as Pick<WireSummary, McpField>;
}

/** The output of `toWireShipment` as JSON. */
export function toWireShipmentText(record: StoredRecord): string {
  return toTaggedText(record).text;
}

/**
 * The same, with a text that changes whenever the JSON does: all of it except the journey. `version` and `journeyShape`
 * stand for the journey, because every change of it is a new version.
 */
export function toTaggedText(record: StoredRecord): { text: string; tagged: string } {
  const stored = typeof record.journey === 'string' ? record.journey : toJourneyText(record.journey).text;
  const journey = record.late ? asLate(stored) : stored;
  const head = JSON.stringify(composeHead(record, record, null)).slice(0, -1);
  const tail = JSON.stringify(composeTail(record, record, null)).slice(1);
  return { text: `${head},${journey},${tail}`, tagged: `${journeyShape}${head}${tail}` };
}

/** The text of a journey that is overdue by now. No event reports that, so it is not stored. */
function asLate(text: string): string {
  if (!/"on_time":"(on_time|early)"/.test(text)) return text;
  const journey = JSON.parse(`{${text}}`) as Pick<WireShipment, 'eta' | 'delivery'>;
  if (journey.eta?.kind === 'delivery' && journey.delivery.actual === null) journey.delivery.on_time = 'late';
  return JSON.stringify(journey).slice(1, -1);
}

/** The `tagged` text of a record that is not read from the store as text. */
export function taggedTextOf(shipment: Shipment): string {
  return toTaggedText({ ...shipment, status: shipment.journey.status }).tagged;
}

/**
 * The format of the stored journey text. Increase it whenever the format changes, so that older texts are no longer
 * used.
 */
export const journeyShape = 5;

/** The last journey that was turned into text: shipments that are registered together share one. */
let last: { journey: Journey; text: string } | null = null;

/** The members of the record that depend on the journey alone, as JSON without the braces. */
export function toJourneyText(journey: Journey): JourneyText {
  if (last?.journey !== journey) {
    const composed = composeJourney({ late: false }, journey, null);
    last = { journey, text: JSON.stringify(composed).slice(1, -1) };
  }
  return { text: last.text, shape: journeyShape };
}

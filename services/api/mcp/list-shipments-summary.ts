import { parseToolListInput } from '#shared/contract/shipments/list-shipments-query.ts';
import { readShipmentId, toShipmentId } from '#shared/contract/shipments/shipment-id.ts';
import { listShipments } from '#shared/core/shipments/list-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { expectedArrival } from '#shared/domain/shipments/expected-arrival.ts';
import { type ShipmentFilter, shipmentSorts } from '#shared/domain/shipments/filter.ts';
import { exceptionCodes, type Shipment, statuses, trackingStates } from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { readOnlyAnnotations, type Tool } from './tool.ts';
import {
  dateText,
  firstFitting,
  mainIdentifier,
  minuteText,
  openExceptionCodes,
  type PlaceForm,
  placeText,
  shortText,
  timeText,
  toolError,
  toolSuccess,
} from './tool-result.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const flag = { type: 'boolean' };

/** A page of shipments as short rows, with counts of the whole filtered set. */
export const listShipmentsSummary: Tool = {
  definition: {
    name: 'list_shipments_summary',
    title: 'List shipments',
    description:
      'Search, filter and count tracked shipments, one short row each. total, counts_by_status and stale_count cover all that match, not only this page: ' +
      'to count, use limit 1. Filters are AND, values of one list OR. More rows: same call with cursor = next_cursor. ' +
      'For one known number use get_shipment_details.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          ...text,
          minLength: 3,
          description: 'Part of any number, reference, vessel, carrier or place',
        },
        status: { type: 'array', items: { ...text, enum: [...statuses] } },
        transport_mode: { type: 'array', items: { ...text, enum: [...transportModes] } },
        carrier: { type: 'array', items: text, description: 'Codes or names' },
        reference: { ...text, description: "Client's own id" },
        tag: text,
        origin: { ...text, description: 'CNSHA, FRA, CN or part of a name' },
        destination: { ...text, description: 'As origin' },
        eta_from: { ...text, description: '2026-11-30, inclusive, or time with offset' },
        eta_to: text,
        updated_since: text,
        has_exception: { ...flag, description: 'Any open: hold, delay of 24 h, failed delivery, …' },
        exception: { type: 'array', items: { ...text, enum: [...exceptionCodes] } },
        tracking_state: { type: 'array', items: { ...text, enum: [...trackingStates] } },
        delayed_min_hours: number,
        stale: { ...flag, description: 'Data older than planned' },
        sort: { ...text, enum: [...shipmentSorts], default: '-created_at' },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
        cursor: text,
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        as_of: text,
        shipments: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              shipment_id: text,
              status: text,
              transport_mode: text,
              carrier: text,
              identifier: text,
              reference: text,
              origin: text,
              destination: text,
              eta: text,
              delivered_at: text,
              delay_hours: number,
              exception: text,
              last_event: text,
              last_event_at: text,
              tracking: text,
              stale: flag,
            },
            required: ['shipment_id', 'status'],
          },
        },
        total: number,
        total_is_lower_bound: flag,
        counts_by_status: { type: 'object' },
        stale_count: number,
        has_more: flag,
        next_cursor: text,
      },
      required: ['as_of', 'shipments', 'total', 'counts_by_status', 'stale_count', 'has_more'],
    },
    annotations: readOnlyAnnotations,
  },
  call: async (ctx, caller, args) => {
    const { includeTotal, ...list } = parseToolListInput(args);
    const { q } = list.filter;
    if (q !== undefined && readShipmentId(q.toLowerCase()) !== null)
      return toolError(
        'query looks through numbers and texts; for a shipment id call get_shipment_details with shipment_id.',
      );
    const page = await listShipments(ctx.core, caller, { ...list, withCounts: includeTotal, exactFirst: true });
    return toolSuccess({
      as_of: minuteText(page.asOf),
      shipments: page.shipments.map(toRow),
      total: page.total ?? page.shipments.length,
      total_is_lower_bound: page.totalIsLowerBound || null,
      counts_by_status: page.countsByStatus ?? {},
      stale_count: page.staleCount ?? 0,
      has_more: page.hasMore,
      next_cursor: page.nextCursor,
      next_step: page.total === 0 ? afterNothing(list.filter, caller) : null,
    });
  },
};

/** An empty list is an answer; but a model that wrote a place in its own way would take it for the truth about the place. */
function afterNothing(filter: ShipmentFilter, { test }: Caller): string | null {
  const scope = test ? 'this test key, which sees test shipments only' : 'this account';
  if (Object.keys(filter).length === 0)
    return `There are no shipments of ${scope}, archived ones aside; new ones are registered with POST /v1/shipments.`;
  const advice = [
    filter.q === undefined
      ? null
      : 'query must have all its words in numbers, references, carriers, vessels or places: try one of them',
    filter.origin === undefined && filter.destination === undefined
      ? null
      : 'places go best by code, as CNSHA, or by country, as CN',
    filter.reference === undefined && filter.tag === undefined ? null : 'reference and tag must be whole and exact',
    Object.keys(filter).length === 1 ? null : 'all arguments must fit: leave some out',
  ].filter((part) => part !== null);
  if (advice.length === 0) return test ? `Nothing of ${scope} matches.` : null;
  return `Nothing of ${scope} matches. If that is doubtful: ${advice.join('; ')}.`;
}

type RowForm = {
  places: PlaceForm;
  lastEvent: 'minute' | 'date' | 'code' | 'none';
  reference: number;
  identifier: number;
  exceptions: number;
};

/** A row may take 110 tokens; the estimate is sometimes a few too low. */
const mostRowTokens = 105;

/** From the richest to the leanest: what is left out is in the details. */
const rowForms: readonly [RowForm, ...RowForm[]] = [
  { places: 'full', lastEvent: 'minute', reference: 40, identifier: 60, exceptions: 13 },
  { places: 'full', lastEvent: 'date', reference: 40, identifier: 60, exceptions: 13 },
  { places: 'code', lastEvent: 'date', reference: 40, identifier: 60, exceptions: 13 },
  { places: 'code', lastEvent: 'date', reference: 16, identifier: 60, exceptions: 13 },
  { places: 'code', lastEvent: 'code', reference: 16, identifier: 40, exceptions: 13 },
  { places: 'code', lastEvent: 'none', reference: 12, identifier: 40, exceptions: 2 },
  { places: 'start', lastEvent: 'none', reference: 8, identifier: 20, exceptions: 1 },
  { places: 'code', lastEvent: 'none', reference: 0, identifier: 12, exceptions: 1 },
];

/** Only the others are worth a word. */
const usualStates: readonly Shipment['tracking']['state'][] = ['active', 'completed'];

/** One shipment in about a hundred tokens; also how candidates are shown. */
export function toRow(shipment: Shipment): Record<string, unknown> {
  return firstFitting(rowForms, mostRowTokens, (form) => rowOf(shipment, form));
}

function rowOf(shipment: Shipment, form: RowForm): Record<string, unknown> {
  const { arrival, delivery, latestEvent, ...journey } = shipment.journey;
  const lastEventAt =
    form.lastEvent === 'minute'
      ? timeText(latestEvent?.time)
      : form.lastEvent === 'date'
        ? dateText(latestEvent?.time)
        : null;
  return {
    shipment_id: toShipmentId(shipment.id),
    status: journey.status,
    transport_mode: shipment.transportMode,
    carrier: shipment.carrier,
    identifier: shortText(mainIdentifier(shipment.identifiers), form.identifier),
    reference: shortText(shipment.reference, form.reference),
    origin: placeText(journey.origin, form.places),
    destination: placeText(journey.destination, form.places),
    eta: arrival.actual === null && delivery.actual === null ? dateText(expectedArrival(shipment.journey)) : null,
    delivered_at: dateText(delivery.actual),
    delay_hours: arrival.delayHours || null,
    exception: [...new Set(openExceptionCodes(shipment))].slice(0, form.exceptions).join(', ') || null,
    last_event: form.lastEvent === 'none' ? null : latestEvent?.code,
    last_event_at: lastEventAt,
    tracking: usualStates.includes(shipment.tracking.state) ? null : shipment.tracking.state,
    stale: shipment.tracking.freshness === 'stale' || null,
  };
}

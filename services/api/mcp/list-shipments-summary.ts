import { parseToolListInput } from '#shared/contract/list-shipments-query.ts';
import { toShipmentId } from '#shared/contract/shipment-wire.ts';
import { listShipments } from '#shared/core/list-shipments.ts';
import { shipmentSorts } from '#shared/domain/filter.ts';
import { type Shipment, statuses } from '#shared/domain/shipment.ts';
import { transportModes } from '#shared/domain/transport-mode.ts';
import { readOnlyAnnotations, type Tool } from './tool.ts';
import { mainIdentifier, minuteText, openExceptionCodes, placeText, timeText, toolSuccess } from './tool-result.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const flag = { type: 'boolean' };

/** A page of shipments as short rows, with counts of the whole filtered set. */
export const listShipmentsSummary: Tool = {
  definition: {
    name: 'list_shipments_summary',
    title: 'List shipments',
    description:
      'Search and filter tracked shipments, one short row each, with pagination. total, counts_by_status and stale_count speak of all that match, not only of this page. ' +
      'For more rows repeat the call with cursor = next_cursor. Use get_shipment_details for one shipment.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { ...text, minLength: 3, description: 'Part of any number, reference, vessel or place' },
        status: { type: 'array', items: { ...text, enum: [...statuses] } },
        transport_mode: { type: 'array', items: { ...text, enum: [...transportModes] } },
        carrier: { type: 'array', items: text, description: 'Codes or names, such as MAEU' },
        reference: { ...text, description: "The client's own id" },
        tag: text,
        origin: { ...text, description: 'UN/LOCODE, IATA or country code, or name' },
        destination: { ...text, description: 'As origin' },
        eta_from: { ...text, description: 'Date or ISO time' },
        eta_to: text,
        updated_since: text,
        has_exception: flag,
        delayed_min_hours: number,
        stale: { ...flag, description: 'Not heard of lately' },
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
              delay_hours: number,
              exception: text,
              last_event: text,
              last_event_at: text,
              stale: flag,
            },
            required: ['shipment_id', 'status', 'transport_mode', 'carrier'],
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
    const page = await listShipments(ctx.core, caller, { ...list, withCounts: includeTotal });
    return toolSuccess({
      as_of: minuteText(page.asOf),
      shipments: page.shipments.map(toRow),
      total: page.total ?? page.shipments.length,
      total_is_lower_bound: page.totalIsLowerBound || null,
      counts_by_status: page.countsByStatus ?? {},
      stale_count: page.staleCount ?? 0,
      has_more: page.hasMore,
      next_cursor: page.nextCursor,
    });
  },
};

/** One shipment in about a hundred tokens; also how candidates are shown. */
export function toRow(shipment: Shipment): Record<string, unknown> {
  const { journey } = shipment;
  return {
    shipment_id: toShipmentId(shipment.id),
    status: journey.status,
    transport_mode: shipment.transportMode,
    carrier: shipment.carrier,
    identifier: mainIdentifier(shipment.identifiers),
    reference: shipment.reference,
    origin: placeText(journey.origin),
    destination: placeText(journey.destination),
    eta: journey.arrival.actual === null ? timeText(journey.arrival.estimated ?? journey.arrival.planned) : null,
    delay_hours: journey.arrival.delayHours,
    exception: openExceptionCodes(shipment)[0],
    last_event: journey.latestEvent?.code,
    last_event_at: timeText(journey.latestEvent?.time),
    stale: shipment.tracking.freshness === 'stale' || null,
  };
}

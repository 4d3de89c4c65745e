import { parseListToolInput } from '#shared/contract/mcp/list-input.ts';
import { viewUris } from '#shared/contract/mcp/view-files.ts';
import { readShipmentId, toShipmentId } from '#shared/contract/shipments/shipment-id.ts';
import { listShipments } from '#shared/core/shipments/list-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { clockStates } from '#shared/domain/free-time/free-time.ts';
import {
  type PlaceSuggestion,
  type ShipmentFilter,
  shipmentSorts,
  suggestionText,
} from '#shared/domain/shipments/filter.ts';
import { lateHours } from '#shared/domain/shipments/lateness.ts';
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
  visibleText,
} from './tool-result.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const flag = { type: 'boolean' };

/** A page of shipments as short rows, with counts of all matches. */
export const listShipmentsSummary: Tool = {
  definition: {
    name: 'list_shipments_summary',
    title: 'List shipments',
    description:
      'Search, filter and count tracked shipments, one short row each. total, counts_by_status and stale_count cover ' +
      'all matches, not only this page: to count, use limit 1. Filters are ANDed, values within a list ORed. For ' +
      'more rows, repeat the call with cursor = next_cursor. For one known number, use get_shipment_details.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          ...text,
          minLength: 2,
          description: 'Part of any number, reference, vessel, carrier or place',
        },
        status: { type: 'array', items: { ...text, enum: [...statuses] } },
        transport_mode: { type: 'array', items: { ...text, enum: [...transportModes] } },
        carrier: { type: 'array', items: text, description: 'Codes or names' },
        reference: { ...text, description: "Client's reference" },
        tag: text,
        origin: { ...text, description: 'CNSHA, FRA, CN or part of a name' },
        destination: { ...text, description: 'Like origin' },
        eta_from: { ...text, description: '2026-11-30 (local day of arrival) or time with offset' },
        eta_to: text,
        updated_since: text,
        has_exception: { ...flag, description: 'Any open exception: hold, delay of 24 h, failed delivery, …' },
        exception: { type: 'array', items: { ...text, enum: [...exceptionCodes] } },
        needs_attention: { ...flag, description: 'Someone must act, as with any exception' },
        tracking_state: { type: 'array', items: { ...text, enum: [...trackingStates] } },
        delayed_min_hours: number,
        overdue_min_hours: { ...number, description: 'ETA passed, not confirmed' },
        late: { ...flag, description: `Delayed or overdue by ${lateHours} h` },
        stale: { ...flag, description: 'Data older than scheduled' },
        last_free_day_from: text,
        last_free_day_to: { ...text, description: '2026-11-27: free time ends by then (demurrage, detention)' },
        free_time: { type: 'array', items: { ...text, enum: [...clockStates] } },
        archived: { ...text, enum: ['false', 'true', 'any'], default: 'false' },
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
              status_detail: text,
              transport_mode: text,
              carrier: text,
              identifier: text,
              reference: text,
              origin: text,
              destination: text,
              eta: text,
              delivered_at: text,
              eta_kind: text,
              eta_source: text,
              delay_hours: number,
              overdue_hours: number,
              exception: text,
              last_event: text,
              last_event_at: text,
              tracking: text,
              stale: flag,
              archived: flag,
              needs_attention: flag,
              free_time: text,
              last_free_day: text,
              cost: text,
            },
            required: ['shipment_id', 'status'],
          },
        },
        total: number,
        total_is_lower_bound: flag,
        counts_by_status: { type: 'object' },
        stale_count: number,
        unknown_terms_count: number,
        has_more: flag,
        next_cursor: text,
      },
      required: ['as_of', 'shipments', 'total', 'counts_by_status', 'stale_count', 'has_more'],
    },
    annotations: readOnlyAnnotations,
    _meta: { ui: { resourceUri: viewUris.shipments } },
  },
  call: async (ctx, caller, args) => {
    const { includeTotal, ...list } = parseListToolInput(args);
    const { q } = list.filter;
    if (q !== undefined && readShipmentId(q.toLowerCase()) !== null)
      return toolError(
        'query searches numbers and texts. For a shipment id, call get_shipment_details with shipment_id.',
      );
    const page = await listShipments(ctx.core, caller, { ...list, withCounts: includeTotal, exactFirst: true });
    return toolSuccess({
      as_of: minuteText(page.asOf),
      shipments: page.shipments.map(toRow),
      total: page.total ?? page.shipments.length,
      total_is_lower_bound: page.totalIsLowerBound || null,
      counts_by_status: page.countsByStatus ?? {},
      stale_count: page.staleCount ?? 0,
      unknown_terms_count: page.unknownTerms,
      has_more: page.hasMore,
      next_cursor: page.nextCursor,
      next_step: page.total === 0 ? afterNothing(list.filter, page.suggestions, caller) : null,
    });
  },
};

/** Hints for an empty list: a model may have spelled a place in its own way and would take the empty list as a fact. */
function afterNothing(
  filter: ShipmentFilter,
  suggestions: readonly PlaceSuggestion[],
  { test }: Caller,
): string | null {
  const scope = test ? 'this test key (test shipments only)' : 'this account';
  if (Object.keys(filter).length === 0)
    return `No shipments in ${scope}, except archived ones (archived: any). Register shipments with POST /v1/shipments.`;
  const advice = [
    filter.q === undefined
      ? null
      : 'all words of query must occur in numbers, references, carriers, vessels or places: try one of them',
    filter.reference === undefined && filter.tag === undefined ? null : 'reference and tag must match exactly',
    Object.keys(filter).length === 1 ? null : 'all arguments must match: omit some',
  ].filter((part) => part !== null);
  const places = suggestions.map((suggestion) => visibleText(suggestionText(suggestion)));
  if (advice.length === 0 && places.length === 0) return test ? `No matches in ${scope}.` : null;
  const steps = advice.length === 0 ? [] : [`If this is unexpected: ${advice.join('; ')}.`];
  return [`No matches in ${scope}.`, ...places, ...steps].join(' ');
}

type RowForm = {
  places: PlaceForm;
  lastEvent: 'minute' | 'date' | 'code' | 'none';
  reference: number;
  identifier: number;
  exceptions: number;
};

/** Below the promised 140, because the estimate can be slightly too low. */
const maxRowTokens = 124;

/** From most to least detailed. Omitted parts are in the details. */
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

/** States that are not mentioned. */
const usualStates: readonly Shipment['tracking']['state'][] = ['active', 'completed'];

/** A shipment in about 120 tokens; also used for candidates. */
export function toRow(shipment: Shipment): Record<string, unknown> {
  return firstFitting(rowForms, maxRowTokens, (form) => rowOf(shipment, form));
}

function rowOf(shipment: Shipment, form: RowForm): Record<string, unknown> {
  const { delivery, latestEvent, ...journey } = shipment.journey;
  const lastEventAt =
    form.lastEvent === 'minute'
      ? timeText(latestEvent?.time)
      : form.lastEvent === 'date'
        ? dateText(latestEvent?.time)
        : null;
  return {
    shipment_id: toShipmentId(shipment.id),
    status: journey.status,
    status_detail: journey.statusDetail,
    transport_mode: shipment.transportMode,
    carrier: shipment.carrier,
    identifier: shortText(mainIdentifier(shipment.identifiers), form.identifier),
    reference: shortText(shipment.reference, form.reference),
    origin: placeText(journey.origin, form.places),
    destination: placeText(journey.destination, form.places),
    eta: dateText(journey.eta?.time),
    eta_kind: journey.eta?.kind === 'delivery' ? 'delivery' : null,
    eta_source: journey.eta?.source === 'carrier' ? null : journey.eta?.source,
    delivered_at: dateText(delivery.actual),
    delay_hours: journey.delayHours,
    overdue_hours: shipment.overdueHours,
    exception: [...new Set(openExceptionCodes(shipment))].slice(0, form.exceptions).join(', ') || null,
    last_event: form.lastEvent === 'none' ? null : latestEvent?.code,
    last_event_at: lastEventAt,
    tracking: usualStates.includes(shipment.tracking.state) ? null : shipment.tracking.state,
    stale: shipment.tracking.freshness === 'stale' || null,
    archived: shipment.archivedAt !== null || null,
    ...freeTimeOf(shipment),
    // An exception says the same.
    needs_attention: (shipment.needsAttention && !journey.hasException) || null,
  };
}

/** Only of clocks that run: before and after it there is nothing to do. */
function freeTimeOf({ journey: { freeTime } }: Shipment): Record<string, unknown> {
  if (freeTime === null || freeTime.state === 'not_started' || freeTime.state === 'stopped') return {};
  return {
    free_time: freeTime.state,
    last_free_day: freeTime.lastFreeDay,
    cost:
      freeTime.costs.map(({ amount, currency, isFloor }) => `${amount} ${currency}${isFloor ? '+' : ''}`).join(', ') ||
      null,
  };
}

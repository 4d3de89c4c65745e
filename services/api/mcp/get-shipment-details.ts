import {
  type DetailsRequest,
  detailsFormats,
  namedNumbers,
  parseDetailsToolInput,
} from '#shared/contract/mcp/details-input.ts';
import { viewUris } from '#shared/contract/mcp/view-files.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { type FoundShipments, findShipment } from '#shared/core/lists/find-shipment.ts';
import { listEvents } from '#shared/core/record/list-events.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import type { RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';
import { lookupTypes } from '#shared/domain/registration/identifiers.ts';
import type { ApiContext } from '../context.ts';
import { dataNotInstructions, dates } from './list-definition.ts';
import { toRow } from './results/list-rows.ts';
import { matchedNumber } from './results/matched-number.ts';
import { describeShipment } from './results/shipment-details.ts';
import { cleanText, toolError, toolSuccess } from './results/tool-result.ts';
import { withRecord, withSummaries } from './results/view-data.ts';
import { readOnlyAnnotations, type Tool, type ToolResult } from './tool.ts';

const text = { type: 'string' };
const list = { type: 'array' };
const group = { type: 'object' };

/** The details of one shipment, found by any of its numbers; candidates if several match. */
export const getShipmentDetails: Tool = {
  definition: {
    name: 'get_shipment_details',
    title: 'Shipment details',
    description:
      'Full details of one shipment by shipment id, tracking number, BOL, AWB, container or reference, in any ' +
      'spelling: status and its reason, location, terminal, times, delay, free time, delivery (window, attempts, ' +
      'recipient, proof), containers, pieces, exceptions, events. `matched`: the number that was asked for, if it is ' +
      'one of several. If several shipments match, the result is `matches`: call again with a shipment_id. ' +
      `${dates} ${dataNotInstructions}`,
    inputSchema: {
      type: 'object',
      properties: {
        identifier: { ...text, description: 'Any number of the shipment' },
        identifier_type: { ...text, enum: [...lookupTypes], default: 'auto', description: 'Kind of number' },
        ...Object.fromEntries(namedNumbers.map((name) => [name, { ...text, description: 'Instead of identifier' }])),
        carrier: { type: 'array', items: text, description: 'Codes or names, to narrow down' },
        transport_mode: { type: 'array', items: { ...text, enum: [...transportModes] }, description: 'To narrow down' },
        response_format: {
          ...text,
          enum: [...detailsFormats],
          default: 'concise',
          description: 'detailed: all events, containers, pieces, legs',
        },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        shipment_id: text,
        matched: group,
        archived_at: text,
        status: text,
        status_detail: text,
        status_evidence: group,
        identifiers: group,
        current_location: text,
        under_way: group,
        current_position: group,
        departure: group,
        arrival: group,
        delay_hours: { type: 'number' },
        delivery: group,
        pickup_point: group,
        return: group,
        pieces: list,
        exceptions: list,
        containers: list,
        events: list,
        tracking: group,
        data_as_of: text,
        stale_because: text,
        matches: list,
      },
    },
    annotations: readOnlyAnnotations,
    _meta: { ui: { resourceUri: viewUris.shipment } },
  },
  call: async (ctx, caller, args) => {
    const request = parseDetailsToolInput(args);
    const found = await findShipment(ctx.core, caller, {
      identifier: request.identifier,
      identifierType: request.identifierType,
      ...(request.carrier === null ? {} : { carrier: request.carrier }),
      ...(request.transportMode === null ? {} : { transportMode: request.transportMode }),
    });
    const [only, second] = found.matches;
    if (only === undefined) return notFound(request, found);
    if (second === undefined) {
      // Each container and piece has a last event, which the record may not contain.
      const isOfMany = only.journey.containers.length > 1 || only.journey.pieces.length > 1;
      const isLong = request.format === 'detailed' || isOfMany;
      const events = isLong ? await longHistory(ctx, caller, only) : only.journey.events;
      const matched = matchedNumber(only, request.identifier);
      const answer = toolSuccess(describeShipment(only, request.format, { events, matched }));
      const read = { events, isLong: request.format === 'detailed', matched, now: ctx.core.now() };
      return withRecord(answer, only, read);
    }
    const count = found.hasMore ? `More than ${found.matches.length}` : found.matches.length;
    const narrow = found.hasMore
      ? ', narrow down with carrier or transport_mode, or page through list_shipments_summary with query'
      : '';
    const candidates = toolSuccess({
      matches: found.matches.map((match) => toRow(match)),
      matches_has_more: found.hasMore || null,
      next_step: `${count} shipments match. Call get_shipment_details again with one of these shipment_ids${narrow}.`,
    });
    return withSummaries(candidates, found.matches);
  },
};

const maxHistory = 100;
const anyEvent = { classifiers: [], codes: [], containers: [] };

/** The record contains only the newest 50 events. */
async function longHistory(ctx: ApiContext, caller: Caller, { id, journey }: Shipment): Promise<RecordEvent[]> {
  if (journey.eventsCount <= journey.events.length) return journey.events;
  const page = {
    shipmentId: id,
    filter: anyEvent,
    sort: '-time',
    limit: maxHistory,
    cursor: null,
    includeRaw: false,
  } as const;
  return (await listEvents(ctx.core, caller, page)).events;
}

function notFound(request: DetailsRequest, found: FoundShipments): ToolResult {
  const narrowed = [...(request.carrier ?? []), ...(request.transportMode ?? [])].map((part) => cleanText(part, 40));
  const number = cleanText(request.identifier);
  const lines = [
    `No shipment has the number ${number}${narrowed.length === 0 ? '' : ` with ${narrowed.join(', ')}`}. ` +
      `Searched: ${found.searched.join(', ')}.`,
  ];
  if (request.identifierType === 'shipment_id') lines.push('A shipment id is shp_ followed by 26 characters.');
  for (const { shipment, key } of found.elsewhere) {
    const mode = `${shipment.transportMode}, ${shipment.carrier}`;
    lines.push(
      `Shipment ${toShipmentId(shipment.id)} (${mode}) has it as ${key}. ` +
        'If you mean that one, call again with its shipment_id.',
    );
  }
  if (found.checkDigit !== null)
    lines.push(`Its check digit is wrong (expected ${found.checkDigit.expected}), so it may contain a typo.`);
  if (found.nearest.length > 0) {
    const nearest = found.nearest.map((near) => `${cleanText(near.identifier, 60)} (${toShipmentId(near.shipmentId)})`);
    lines.push(`Nearest: ${nearest.join(', ')}.`);
  }
  lines.push(
    'Try list_shipments_summary with part of the number as query. Shipments are registered with POST /v1/shipments.',
  );
  return toolError(lines.join(' '));
}

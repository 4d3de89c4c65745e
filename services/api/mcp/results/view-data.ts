import type { ViewedRows, ViewedShipment } from '#shared/contract/mcp/view-data.ts';
import { viewDataKey } from '#shared/contract/mcp/view-files.ts';
import { toWireEvent, toWireException } from '#shared/contract/record/event-wire.ts';
import { toWireShipment, toWireSummary } from '#shared/contract/record/shipment-wire.ts';
import { listCityPoints } from '#shared/core/lists/read-map.ts';
import { isOnlyNamed, mapBounds, type NamedPlace } from '#shared/domain/lists/map-places.ts';
import type { RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';
import type { ToolResult } from '../tool.ts';
import { lastEventOf, type MatchedNumber } from './matched-number.ts';
import { defanged } from './tool-result.ts';

/** `events`: all that were read, newest first. `isLong`: the view gets all of them, not only those of the record. */
type Read = { events: readonly RecordEvent[]; isLong: boolean; matched: MatchedNumber | null; now: Date };

/** The result with the record of its shipment, for a view. */
export function withRecord(result: ToolResult, shipment: Shipment, read: Read): ToolResult {
  const { events, isLong, matched, now } = read;
  const record = toWireShipment(shipment);
  const last = matched && lastEventOf(events, matched.isOf);
  return withViewData(result, {
    as_of: now.toISOString(),
    shipment: isLong ? { ...record, events: events.map(toWireEvent) } : record,
    matched: matched && {
      ...{ type: matched.type, number: matched.number, status: matched.status },
      last_event: last == null ? null : toWireEvent(last),
    },
    cities: listCityPoints(namedPlaces(shipment, events)),
  });
}

/** The result with the summaries of its shipments, for a view. */
export function withSummaries(result: ToolResult, shipments: readonly Shipment[]): ToolResult {
  const rows = shipments.map((shipment) => ({
    ...toWireSummary(shipment),
    exceptions: shipment.journey.exceptions.filter(({ resolvedAt }) => resolvedAt === null).map(toWireException),
  }));
  return withViewData(result, { shipments: rows });
}

/** Texts of strangers lose their markup here too, for hosts that show `_meta` to a model. */
function withViewData(result: ToolResult, data: ViewedShipment | ViewedRows): ToolResult {
  return { ...result, _meta: { [viewDataKey]: defanged(data) } };
}

/** The places that have a name and no code, each once. */
function namedPlaces({ journey }: Shipment, events: readonly RecordEvent[]): NamedPlace[] {
  const named = new Map<string, NamedPlace>();
  for (const place of [
    journey.origin,
    journey.destination,
    journey.currentLocation,
    ...journey.legs.flatMap(({ from, to }) => [from, to]),
    ...events.map(({ location }) => location),
  ]) {
    if (place == null || !isOnlyNamed(place)) continue;
    const { name, country } = place;
    if (named.size < mapBounds.cities) named.set(`${name}|${country}`, { name, country });
  }
  return [...named.values()];
}

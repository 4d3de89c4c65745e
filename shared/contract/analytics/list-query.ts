import type { FigureScope } from '#shared/domain/analytics/figures.ts';
import { openStatuses, trackedStates } from '#shared/domain/analytics/tracked.ts';

/** The query of the list of shipments that a figure counts. Archived ones count, because what is over is archived. */
export function listQueryOf(scope: FigureScope): string {
  return queryOf({ archived: ['any'], arrived_from: [scope.from], arrived_to: [scope.to], ...sharedPart(scope) });
}

/** The query of the list of shipments that were registered. */
export function registeredListOf(scope: FigureScope): string {
  return queryOf({ archived: ['any'], created_from: [scope.from], created_to: [scope.to], ...sharedPart(scope) });
}

/** The query of the list of open shipments that are tracked now. */
export function trackedListOf(scope: FigureScope): string {
  return queryOf({ status: openStatuses, tracking_state: trackedStates, ...sharedPart(scope) });
}

function sharedPart({ transportMode, carrier, lane, countryLane }: FigureScope) {
  return { transport_mode: transportMode, carrier, lane, country_lane: countryLane };
}

function queryOf(fields: Record<string, readonly string[] | undefined>): string {
  // A comma needs no escape in a query, and people read these.
  return Object.entries(fields)
    .flatMap(([name, values]) => (values === undefined ? [] : [`${name}=${values.map(encodeURIComponent).join(',')}`]))
    .join('&');
}

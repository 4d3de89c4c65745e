import { z } from 'zod';
import type { FigureScope, TrackingFigures, TrackingReport } from '#shared/domain/analytics/figures.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { amount, count, dayText, listText, share, stateFields, toWireState } from './figure-parts.ts';
import { registeredListOf, trackedListOf } from './list-query.ts';

const trackingFields = {
  registered: count('Shipments registered in the period. `registered_list` lists them.', 140),
  with_events: count('Those of which an event has happened. Listed with `&has_events=true`.', 131),
  first_event: z
    .strictObject({
      median_minutes: amount('Half of them had their first event within this time.', 34),
      p90_minutes: amount('Nine out of ten had.', 2160),
    })
    .meta({ description: 'Minutes from the registration until Landfall received the first event.' }),
  tracked: count('Open shipments that Landfall tracks, whenever registered. `tracked_list` lists them.', 80),
  current: count('Those with current data. Listed with `&freshness=fresh`.', 74),
  current_share: share('Share of `current` among `tracked`. Null: none is tracked.', 0.925),
  stale: count('Those with outdated data. Listed with `&freshness=stale`.', 3),
  waiting: count('Those without any data yet. Listed with `&freshness=never`.', 3),
  not_found: count(
    'Those that the carrier doesn’t know. Listed with `&tracking_reason=carrier_not_found_yet,not_found`.',
    2,
  ),
  failed: count('Those that can’t be tracked. Listed with `&tracking_state=failed` in place of that in the list.', 1),
  registered_list: listText(
    'Query of `GET /v1/shipments` that lists the registered shipments.',
    'archived=any&created_from=2026-04-01&created_to=2026-06-30',
  ),
  tracked_list: listText('Query of `GET /v1/shipments` that lists the tracked shipments.', 'status=pending,booked'),
};

export const wireTrackingAnalytics = z
  .strictObject({
    from: dayText('First day.', '2026-04-01'),
    to: dayText('Last day.', '2026-06-30'),
    ...stateFields,
    measured_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'When the open shipments were counted: every five minutes. Null: not yet.',
        examples: ['2026-06-30T07:58:12.000Z'],
      }),
    total: z.strictObject(trackingFields).meta({ description: 'The figures of all carriers.' }),
    groups: z
      .array(
        z.strictObject({
          key: z.string().meta({ description: 'Carrier code.', examples: ['MAEU'] }),
          name: z
            .string()
            .nullable()
            .meta({ description: 'Name of the carrier.', examples: ['Maersk'] }),
          ...trackingFields,
        }),
      )
      .meta({ description: 'By carrier, most shipments first.' }),
  })
  .meta({ id: 'TrackingAnalytics' });

export type WireTrackingAnalytics = z.output<typeof wireTrackingAnalytics>;

export function toWireTrackingAnalytics(
  { total, carriers, measuredAt, ...kept }: TrackingReport,
  scope: FigureScope,
): WireTrackingAnalytics {
  return {
    from: scope.from,
    to: scope.to,
    ...toWireState(kept),
    measured_at: measuredAt,
    total: toTracking(total, scope),
    groups: carriers.map(({ carrier, figures }) => ({
      key: carrier,
      name: findCarrier(carrier)?.name ?? null,
      ...toTracking(figures, { ...scope, carrier: [carrier] }),
    })),
  };
}

function toTracking(figures: TrackingFigures, scope: FigureScope): WireTrackingAnalytics['total'] {
  const { registered, firstEvent, tracked, current, stale, waiting, notFound, failed } = figures;
  return {
    registered,
    with_events: firstEvent.known,
    first_event: { median_minutes: firstEvent.median, p90_minutes: firstEvent.p90 },
    tracked,
    current,
    current_share: tracked === 0 ? null : current / tracked,
    stale,
    waiting,
    not_found: notFound,
    failed,
    registered_list: registeredListOf(scope),
    tracked_list: trackedListOf(scope),
  };
}

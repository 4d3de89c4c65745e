import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onNews } from '../../api/change-feed.ts';
import {
  type Event,
  getShipment,
  listShipmentEvents,
  listShipmentRefreshes,
  type Shipment,
} from '../../api/landfall-client.ts';
import { problemOf } from '../../api/problem-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { answerOf } from '../../api/request.ts';

/** How often an open page asks whether its shipment changed: an unchanged record costs a 304. */
const renewMs = 4000;

export type Loaded = { shipment: Shipment; etag: string | null };

export function shipmentQuery(shipmentId: string) {
  return queryOptions({
    queryKey: ['shipment', shipmentId],
    queryFn: async ({ signal }): Promise<Loaded> => {
      const known = queryClient.getQueryData<Loaded>(['shipment', shipmentId]);
      const answer = await getShipment({ shipmentId, ...(known?.etag ? { ifNoneMatch: known.etag } : {}) }, { signal });
      if (answer.status === 304 && known !== undefined) return known;
      if (answer.status === 200) return { shipment: answer.data, etag: answer.headers.get('etag') };
      throw problemOf(answer.status, 'data' in answer ? answer.data : null, answer.headers);
    },
  });
}

/** One shipment, renewed when the feed tells of it, and every few seconds while its page is looked at: the feed tells of no quiet refresh. */
export function useShipment(shipmentId: string) {
  useEffect(
    () =>
      onNews(({ changes, gap }) => {
        if (gap || changes.some(({ data }) => data.shipment.shipment_id === shipmentId))
          queryClient.invalidateQueries({ queryKey: ['shipment', shipmentId] });
      }),
    [shipmentId],
  );
  // What could not be read yet is not asked for by the clock: each turn would hide what was wrong.
  return useQuery({
    ...shipmentQuery(shipmentId),
    refetchInterval: ({ state }) => (state.data === undefined ? false : renewMs),
  });
}

/** The last refreshes; asked for again when there was another one. */
export function useRefreshes({ shipment_id: shipmentId, tracking }: Pick<Shipment, 'shipment_id' | 'tracking'>) {
  return useQuery({
    queryKey: ['refreshes', shipmentId, tracking?.last_refreshed_at],
    queryFn: ({ signal }) => answerOf(listShipmentRefreshes({ shipmentId }, { signal })),
    placeholderData: (previous) => previous,
  });
}

const mostPages = 10;

/** What the carrier literally said, of one event: the history has it by code and container, so the page with this event is looked for. */
export function useRaw(shipmentId: string, event: Event) {
  return useQuery({
    queryKey: ['raw', event.event_id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      let cursor: string | null = null;
      for (let page = 0; page < mostPages; page += 1) {
        const answer: Awaited<ReturnType<typeof rawPage>> = await rawPage(shipmentId, event, cursor, signal);
        const found = answer.data.find(({ event_id }) => event_id === event.event_id);
        if (found !== undefined) return { raw: found.raw ?? null, truncated: found.raw_truncated === true };
        cursor = answer.page.next_cursor;
        if (cursor === null) break;
      }
      return { raw: null, truncated: false };
    },
  });
}

function rawPage(shipmentId: string, event: Event, cursor: string | null, signal: AbortSignal) {
  return answerOf(
    listShipmentEvents(
      {
        shipmentId,
        include: ['raw'],
        code: [event.code as never],
        classifier: [event.classifier as never],
        limit: 100,
        ...(event.container === null ? {} : { container: [event.container] }),
        ...(cursor === null ? {} : { cursor }),
      },
      { signal },
    ),
  );
}

/** The address of the record for programs, without the dashboard's own path. */
export function recordPath(shipmentId: string): string {
  return `/v1/shipments/${shipmentId}`;
}

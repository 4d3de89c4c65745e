import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { call, readJson, send } from '../../api/call.ts';
import { isOfShipment, onChanges } from '../../api/change-feed.ts';
import { problemOf } from '../../api/problem-error.ts';
import { queryClient } from '../../api/query-client.ts';

/** Interval at which an open page looks for refreshes that changed nothing. An unchanged record costs a 304. */
const refetchMs = 15_000;

export type Loaded = { shipment: WireShipment; etag: string | null };

/** `asOf`: a moment in the past, ISO 8601, whose record is read instead of the current one. */
export function shipmentQuery(shipmentId: string, asOf: string | null = null) {
  const queryKey = asOf === null ? ['shipment', shipmentId] : ['shipment', shipmentId, asOf];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Loaded> => {
      const known = queryClient.getQueryData<Loaded>(queryKey);
      const params = { shipment_id: shipmentId };
      const response = await send(
        'getShipment',
        { params, query: asOf === null ? {} : { as_of: asOf } },
        { signal, ...(known?.etag ? { ifNoneMatch: known.etag } : {}) },
      );
      if (response.status === 304 && known !== undefined) return known;
      const body = readJson(await response.text());
      if (!response.ok) throw problemOf(response.status, body, response.headers);
      return { shipment: body as WireShipment, etag: response.headers.get('etag') };
    },
  });
}

/** One shipment, updated by the feed, and polled slowly while its page is open: the feed omits refreshes without changes. */
export function useShipment(shipmentId: string, asOf: string | null = null) {
  useEffect(
    () =>
      onChanges(({ changes, gap }) => {
        if (gap || changes.some((change) => isOfShipment(change) && change.data.shipment.shipment_id === shipmentId))
          queryClient.invalidateQueries({ queryKey: ['shipment', shipmentId] });
      }),
    [shipmentId],
  );
  // A failed first load is not polled: each retry would replace the error by the skeleton.
  return useQuery({
    ...shipmentQuery(shipmentId, asOf),
    refetchInterval: ({ state }) => (state.data === undefined || asOf !== null ? false : refetchMs),
  });
}

/** The last refreshes, fetched again after each refresh. */
export function useRefreshes({ shipment_id: shipmentId, tracking }: Pick<WireShipment, 'shipment_id' | 'tracking'>) {
  return useQuery({
    queryKey: ['refreshes', shipmentId, tracking?.last_refreshed_at],
    queryFn: ({ signal }) => call('listShipmentRefreshes', { params: { shipment_id: shipmentId } }, { signal }),
    placeholderData: (previous) => previous,
  });
}

const maxPages = 10;

/**
 * The carrier's original data for an event. It is read from the history, which is filtered by code and container but
 * not by id.
 */
export function useRaw(shipmentId: string, event: WireEvent) {
  return useQuery({
    queryKey: ['raw', event.event_id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      let cursor: string | null = null;
      for (let page = 0; page < maxPages; page += 1) {
        const history: Awaited<ReturnType<typeof rawPage>> = await rawPage(shipmentId, event, cursor, signal);
        const found = history.data.find(({ event_id }) => event_id === event.event_id);
        if (found !== undefined) return { raw: found.raw ?? null, truncated: found.raw_truncated === true };
        cursor = history.page.next_cursor;
        if (cursor === null) break;
      }
      return { raw: null, truncated: false };
    },
  });
}

function rawPage(shipmentId: string, event: WireEvent, cursor: string | null, signal: AbortSignal) {
  return call(
    'listShipmentEvents',
    {
      params: { shipment_id: shipmentId },
      query: {
        include: ['raw'],
        code: [event.code as never],
        classifier: [event.classifier as never],
        limit: 100,
        ...(event.container === null ? {} : { container: [event.container] }),
        ...(cursor === null ? {} : { cursor }),
      },
    },
    { signal },
  );
}

/** The path of the record in the API. */
export function recordPath(shipmentId: string): string {
  return `/v1/shipments/${shipmentId}`;
}

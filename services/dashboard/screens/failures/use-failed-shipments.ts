import { useInfiniteQuery } from '@tanstack/react-query';
import type { TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';
import { call } from '../../api/call.ts';
import type { FailedShipment, FailureGroup } from './group-failures.ts';

const pageSize = 20;
const refetchMs = 15_000;

/** The shipments of one group, page by page. */
export function useFailedShipments({ state, reason }: FailureGroup, isNarrowed: boolean) {
  return useInfiniteQuery({
    queryKey: ['failures', state, reason, isNarrowed],
    queryFn: async ({ pageParam, signal }) => {
      const list = await call(
        'listShipments',
        {
          query: {
            tracking_state: [state as TrackingState],
            ...(reason === null ? {} : { tracking_reason: [reason as TrackingReason] }),
            ...(isNarrowed ? { needs_attention: true } : {}),
            fields: [
              'shipment_id',
              'transport_mode',
              'carrier',
              'identifiers',
              'reference',
              'created_at',
              'tracking',
              'latest_event',
            ],
            limit: pageSize,
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
        },
        { signal },
      );
      return list as typeof list & { data: FailedShipment[] };
    },
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor ?? undefined,
    refetchInterval: refetchMs,
  });
}

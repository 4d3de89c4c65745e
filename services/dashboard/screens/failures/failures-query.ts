import { infiniteQueryOptions } from '@tanstack/react-query';
import { listShipments } from '../../api/landfall-client.ts';
import { answerOf } from '../../api/request.ts';
import type { FailedShipment } from './group-failures.ts';

const pageSize = 100;
const renewMs = 15_000;

/** Everything that is not followed as it should be, a page of the list at a time. */
export const failuresQuery = infiniteQueryOptions({
  queryKey: ['failures'],
  queryFn: async ({ pageParam }) => {
    const answer = await answerOf(
      listShipments({
        trackingState: ['awaiting_carrier', 'degraded', 'failed'],
        fields: ['shipment_id', 'transport_mode', 'carrier', 'identifiers', 'reference', 'created_at', 'tracking'],
        limit: pageSize,
        ...(pageParam === '' ? { includeTotal: true } : { cursor: pageParam }),
      }),
    );
    return answer as typeof answer & { data: FailedShipment[] };
  },
  initialPageParam: '',
  getNextPageParam: ({ page }) => page.next_cursor ?? undefined,
  refetchInterval: renewMs,
});

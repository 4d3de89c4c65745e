import { useMutation } from '@tanstack/react-query';
import type { ClockKind } from '#shared/domain/events/stated-free-time.ts';
import { call } from '../../../api/call.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { shipmentQuery } from '../use-shipment.ts';
import { type ManualDay, manualDaysOf, withDay } from './manual-days.ts';

const maxTries = 3;

/** Sets the last free day of one clock, or removes it with `day` null. The days of other clocks stay as they are. */
export function useFreeDays(shipmentId: string) {
  return useMutation({
    mutationFn: async (change: { container: string; kind: ClockKind; day: string | null }) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await replaceDays(shipmentId, (days) => withDay(days, change));
        } catch (error) {
          // The record changed between reading and writing: a refresh is enough for that.
          if (!(error instanceof ProblemError) || error.status !== 412 || tries === maxTries) throw error;
        }
      }
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['shipment', shipmentId] }),
  });
}

/** The API replaces the whole list, so that the one it is made from has to be the current one. */
async function replaceDays(shipmentId: string, change: (days: ManualDay[]) => ManualDay[]) {
  const { shipment, etag } = await queryClient.fetchQuery({ ...shipmentQuery(shipmentId), staleTime: 0 });
  const days = change(manualDaysOf(shipment));
  return call(
    'updateShipment',
    { params: { shipment_id: shipmentId }, body: { last_free_days: days } as never },
    etag === null ? {} : { ifMatch: etag },
  );
}

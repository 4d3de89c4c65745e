import { queryOptions } from '@tanstack/react-query';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Appearance of the account's pages and the default content of new links. */
export const shareSettingsQuery = queryOptions({
  queryKey: ['share-settings'],
  queryFn: () => call('getShareSettings', {}, ofAccount),
});

/** The links to one shipment. */
export function sharesQuery(shipmentId: string) {
  return queryOptions({
    queryKey: ['shares', shipmentId],
    queryFn: async () => (await call('listShares', { params: { shipment_id: shipmentId } })).data,
  });
}

export function reloadShares(shipmentId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['shares', shipmentId] });
}

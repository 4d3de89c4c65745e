import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

const renewMs = 15_000;

export const carriersQuery = queryOptions({
  queryKey: ['carriers'],
  queryFn: async () => (await call('listCarriers')).data,
  refetchInterval: renewMs,
});

export const carrierQuery = (carrierCode: string) =>
  queryOptions({
    queryKey: ['carrier', carrierCode],
    queryFn: () => call('getCarrier', { params: { carrier_code: carrierCode } }),
    refetchInterval: renewMs,
  });

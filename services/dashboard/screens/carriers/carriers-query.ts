import { queryOptions } from '@tanstack/react-query';
import { getCarrier, listCarriers } from '../../api/landfall-client.ts';
import { answerOf } from '../../api/request.ts';

const renewMs = 15_000;

export const carriersQuery = queryOptions({
  queryKey: ['carriers'],
  queryFn: async () => (await answerOf(listCarriers({}))).data,
  refetchInterval: renewMs,
});

export const carrierQuery = (carrierCode: string) =>
  queryOptions({
    queryKey: ['carrier', carrierCode],
    queryFn: () => answerOf(getCarrier({ carrierCode })),
    refetchInterval: renewMs,
  });

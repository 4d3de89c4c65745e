import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '#shared/contract/operations.ts';
import { call, chosen } from '../../api/call.ts';

/** Of the signed-in member, in the chosen account and mode. */
const keyOf = (name: string) => ['alerts', name, chosen.account, chosen.mode] as const;

export const alertKeys = { all: ['alerts'] as const };

export const alertsQuery = () =>
  queryOptions({
    queryKey: keyOf('list'),
    queryFn: async ({ signal }) => (await call('listAlerts', {}, { signal })).data,
  });

export const preferencesQuery = () =>
  queryOptions({
    queryKey: keyOf('preferences'),
    queryFn: ({ signal }) => call('getAlertPreferences', {}, { signal }),
  });

export const messagesQuery = () =>
  queryOptions({
    queryKey: keyOf('messages'),
    queryFn: ({ signal }) => call('listAlertMessages', { query: { limit: 25 } }, { signal }),
    refetchInterval: 10_000,
  });

export const messageQuery = (messageId: string, offset: number) =>
  queryOptions({
    queryKey: [...keyOf('message'), messageId, offset],
    queryFn: ({ signal }) =>
      call('getAlertMessage', { params: { message_id: messageId }, query: { offset } }, { signal }),
  });

/** Changes the member's preferences. */
export function useChangePreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InputOf<'changeAlertPreferences'>['body']) => call('changeAlertPreferences', { body }),
    onSuccess: (changed) => client.setQueryData(preferencesQuery().queryKey, changed),
  });
}

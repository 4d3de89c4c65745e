import { queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '#shared/contract/operations.ts';
import { call, ofAccount } from './call.ts';
import { queryClient } from './query-client.ts';

/** A member of the account by name. */
export type Person = AnswerOf<'listPeople'>['data'][number];

/** Lists the people whom notes can mention and shipments be assigned to. Switching the account reloads the page. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: async ({ signal }) => (await call('listPeople', {}, { ...ofAccount, signal })).data,
  staleTime: 60_000,
});

/** The name of a member, or a word for one that has not been read. */
export function memberName(memberId: string): string {
  const people = queryClient.getQueryData<Person[]>(peopleQuery.queryKey);
  return people?.find(({ member_id: id }) => id === memberId)?.name ?? 'Member';
}

/** People under distinct labels: those with the same name get the end of their ids. */
export function labelled(people: readonly Person[]): { memberId: string; label: string }[] {
  const counts = new Map<string, number>();
  for (const { name } of people) counts.set(name, (counts.get(name) ?? 0) + 1);
  return people.map(({ member_id: memberId, name }) => ({
    memberId,
    label: (counts.get(name) ?? 0) > 1 ? `${name} (${memberId.slice(-4)})` : name,
  }));
}

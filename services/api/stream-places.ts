import { LandfallError } from '#shared/domain/errors.ts';

/** How many streams may be open in one process. */
export type StreamLimits = {
  process: number;
  account: number;
  /** Of one key, or of one user of the dashboard. */
  holder: number;
};

export type Places = {
  /** Returns what gives the place back, once. Throws LandfallError `rate_limited`. */
  take: (accountId: string, holder: string) => () => void;
};

const retryAfterS = 5;

export function openPlaces(limits: StreamLimits): Places {
  const taken = new Map<string, number>();
  const boundsOf = (accountId: string, holder: string) => [
    { name: 'process', max: limits.process, of: 'on this server' },
    { name: `account ${accountId}`, max: limits.account, of: 'of this account' },
    {
      name: `${accountId} ${holder}`,
      max: limits.holder,
      of: holder.startsWith('key') ? 'of this key' : 'of this user',
    },
  ];
  return {
    take: (accountId, holder) => {
      const bounds = boundsOf(accountId, holder);
      for (const { name, max, of } of bounds)
        if ((taken.get(name) ?? 0) >= max)
          throw new LandfallError('rate_limited', `Too many open streams ${of} (limit ${max}). Close one first.`, {
            retryAfterS,
          });
      for (const { name } of bounds) taken.set(name, (taken.get(name) ?? 0) + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        for (const { name } of bounds) {
          const left = (taken.get(name) ?? 1) - 1;
          if (left === 0) taken.delete(name);
          else taken.set(name, left);
        }
      };
    },
  };
}

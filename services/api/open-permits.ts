import type { LandfallError } from '#shared/domain/errors.ts';

/** Limits on the long-lived operations that one process keeps open. */
export type PermitLimits = {
  process: number;
  account: number;
  /** Of one key, or of one user of the dashboard. */
  holder: number;
};

export type Permits = {
  /** Returns what gives the permit back, once. Throws what `refuse` returns. */
  take: (accountId: string, holder: string) => () => void;
};

/** `refuse`: the error for a permit that is not free: `of this account`, with its limit. */
export function openPermits(limits: PermitLimits, refuse: (of: string, max: number) => LandfallError): Permits {
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
      for (const { name, max, of } of bounds) if ((taken.get(name) ?? 0) >= max) throw refuse(of, max);
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

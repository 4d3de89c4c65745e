import { LandfallError } from '#shared/domain/errors.ts';

/** Memory that one reader of a file holds. */
export type MemoryShare = {
  /**
   * Takes more. Throws LandfallError `account_busy` or `unavailable` if it is not free: then nothing more is taken.
   * Nothing is taken while nobody holds the share.
   */
  grow: (bytes: number) => void;
  /** Gives back a part of what was taken. */
  shrink: (bytes: number) => void;
  /** Holds the share until the returned function is called. The last of them gives everything back. */
  hold: () => () => void;
};

export type MemoryBudget = { open: (accountId: string) => MemoryShare };

export type MemoryLimits = { process: number; account: number };

/**
 * In bytes, beside some 240 MB of a process without work. An account's share holds the largest file of each kind: a
 * workbook of 20 MiB with 48 MiB of text, or EDI messages of 8 MiB.
 */
const defaultLimits: MemoryLimits = { process: 112 * 1024 ** 2, account: 96 * 1024 ** 2 };
const retryAfterS = 5;

/**
 * Bounds what files hold in memory while they are read: each of them is small enough, and many at once end a process at
 * its heap limit, with the requests of every account.
 */
export function openMemoryBudget(limits: MemoryLimits = defaultLimits): MemoryBudget {
  let taken = 0;
  const takenBy = new Map<string, number>();
  const move = (accountId: string, bytes: number): void => {
    taken += bytes;
    const left = (takenBy.get(accountId) ?? 0) + bytes;
    if (left === 0) takenBy.delete(accountId);
    else takenBy.set(accountId, left);
  };
  return {
    open: (accountId) => {
      let own = 0;
      let holders = 0;
      return {
        grow: (bytes) => {
          if (holders === 0) return;
          if ((takenBy.get(accountId) ?? 0) + bytes > limits.account) throw accountBusy();
          if (taken + bytes > limits.process)
            throw new LandfallError('unavailable', 'Too many large files are being read. Retry in 5 s.', {
              retryAfterS,
            });
          own += bytes;
          move(accountId, bytes);
        },
        shrink: (bytes) => {
          const freed = Math.min(bytes, own);
          own -= freed;
          move(accountId, -freed);
        },
        hold: () => {
          holders += 1;
          let isHeld = true;
          return () => {
            if (!isHeld) return;
            isHeld = false;
            holders -= 1;
            if (holders > 0) return;
            move(accountId, -own);
            own = 0;
          };
        },
      };
    },
  };
}

function accountBusy(): LandfallError {
  const detail = 'Large files of this account are being read. Send them one after the other, and retry in 5 s.';
  return new LandfallError('account_busy', detail, { retryAfterS });
}

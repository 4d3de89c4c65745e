import { expect, test } from 'vitest';
import { openMemoryBudget } from '#services/api/open-memory-budget.ts';

const busy = expect.objectContaining({ code: 'account_busy', retryAfterS: 5 });
const full = expect.objectContaining({ code: 'unavailable', retryAfterS: 5 });

/** Shares that somebody holds, as of requests that are being read. */
function sharesOf(accounts: readonly string[]) {
  const budget = openMemoryBudget({ process: 100, account: 60 });
  const open = (account: string) => {
    const share = budget.open(account);
    return { ...share, release: share.hold() };
  };
  return { open, shares: accounts.map(open) };
}

test('bounds the memory of one account, and of all accounts', () => {
  const [first, second, third] = sharesOf(['a', 'a', 'b']).shares;
  first?.grow(40);
  expect(() => second?.grow(30)).toThrow(busy);
  second?.grow(20);
  third?.grow(40);
  expect(() => third?.grow(1)).toThrow(full);
});

test('returns the memory of a file once, and none for a refused file', () => {
  const { open, shares } = sharesOf(['a', 'a']);
  const [first, second] = shares;
  first?.grow(60);
  expect(() => second?.grow(60)).toThrow(busy);
  second?.release();
  first?.release();
  first?.release();
  open('a').grow(60);
  expect(() => open('a').grow(1)).toThrow(busy);
});

test('keeps the memory of a file until the last holder has ended, also if the client has gone', () => {
  const { open, shares } = sharesOf(['a']);
  const [read] = shares;
  read?.grow(40);
  const handled = read?.hold();
  read?.release();
  read?.grow(20);
  expect(() => open('a').grow(1)).toThrow(busy);
  handled?.();
  expect(() => open('a').grow(60)).not.toThrow();
});

test('takes nothing for a request that nobody holds', () => {
  const { open, shares } = sharesOf(['a']);
  const [ended] = shares;
  ended?.release();
  ended?.grow(60);
  expect(() => open('a').grow(60)).not.toThrow();
});

test('gives back a part, and never more than was taken', () => {
  const { open, shares } = sharesOf(['a']);
  const [read] = shares;
  read?.grow(60);
  read?.shrink(20);
  expect(() => open('a').grow(21)).toThrow(busy);
  const other = open('a');
  other.grow(20);
  read?.shrink(1000);
  expect(() => open('a').grow(41)).toThrow(busy);
  read?.release();
  other.release();
  expect(() => open('a').grow(60)).not.toThrow();
});

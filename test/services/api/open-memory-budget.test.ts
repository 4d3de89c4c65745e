import { expect, test } from 'vitest';
import { openMemoryBudget } from '#services/api/open-memory-budget.ts';

const busy = expect.objectContaining({ code: 'account_busy', retryAfterS: 5 });
const full = expect.objectContaining({ code: 'unavailable', retryAfterS: 5 });

test('bounds what one account holds, and what all of them hold', () => {
  const budget = openMemoryBudget({ process: 100, account: 60 });
  const [first, second, third] = [budget.open('a'), budget.open('a'), budget.open('b')];
  first.grow(40);
  expect(() => second.grow(30)).toThrow(busy);
  second.grow(20);
  third.grow(40);
  expect(() => third.grow(1)).toThrow(full);
});

test('gives back what a file held, once, and nothing of a refused one', () => {
  const budget = openMemoryBudget({ process: 100, account: 60 });
  const [first, second] = [budget.open('a'), budget.open('a')];
  first.grow(60);
  expect(() => second.grow(60)).toThrow(busy);
  second.release();
  first.release();
  first.release();
  const third = budget.open('a');
  third.grow(60);
  expect(() => budget.open('a').grow(1)).toThrow(busy);
});

test('takes nothing for a file whose request has ended', () => {
  const budget = openMemoryBudget({ process: 100, account: 60 });
  const ended = budget.open('a');
  ended.release();
  ended.grow(60);
  expect(() => budget.open('a').grow(60)).not.toThrow();
});

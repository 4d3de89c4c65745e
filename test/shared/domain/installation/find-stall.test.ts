import { expect, it } from 'vitest';
import { findStall } from '#shared/domain/installation/find-stall.ts';

const due = { dueOldestAgeS: 300, circuit: 'closed' as const, budgetLeft: 20 };

it('is the time for which shipments have been due while no refresh completed', () => {
  expect(findStall({ completedAgeS: 75, connectors: [due] })).toBe(75);
  expect(findStall({ completedAgeS: 600, connectors: [due] })).toBe(300);
  expect(findStall({ completedAgeS: 75, connectors: [{ ...due, budgetLeft: null }] })).toBe(75);
});

it('is null while refreshes complete, nothing is due, or no worker runs', () => {
  expect(findStall({ completedAgeS: 20, connectors: [due] })).toBeNull();
  expect(findStall({ completedAgeS: 600, connectors: [{ ...due, dueOldestAgeS: 5 }] })).toBeNull();
  expect(findStall({ completedAgeS: 600, connectors: [] })).toBeNull();
  expect(findStall({ completedAgeS: null, connectors: [due] })).toBeNull();
});

it('leaves out connectors that wait for their carrier or their budget', () => {
  const waiting = [
    { ...due, circuit: 'open' as const },
    { ...due, budgetLeft: 0 },
  ];
  expect(findStall({ completedAgeS: 600, connectors: waiting })).toBeNull();
  expect(findStall({ completedAgeS: 600, connectors: [...waiting, due] })).toBe(300);
});

import type { Result, Row } from '../row.ts';
import { compareSides, openSides, type Work } from './lists.ts';

const works: readonly Work[] = [
  { name: 'all', path: () => '/v1/shipments/counts' },
  { name: 'one status', path: () => '/v1/shipments/counts?status=in_transit' },
  { name: 'exceptions', path: () => '/v1/shipments/counts?has_exception=true' },
  { name: 'a number', path: ({ sample }) => `/v1/shipments/counts?identifier=${sample.number}` },
];

/** The stored counts, and the counts of one number, among a million shipments and among ten thousand. */
export const countsRow: Row = {
  name: 'counts',
  measure: async (bench) => {
    const sides = await openSides(bench);
    const results: Result[] = [];
    for (const work of works) results.push(...(await compareSides(bench, work, sides)));
    return results;
  },
};

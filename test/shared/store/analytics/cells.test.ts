import { expect, it } from 'vitest';
import { recountCells } from '#shared/store/analytics/cells.ts';
import type { Tx } from '#shared/store/with-account.ts';

it('counts many days in statements of at most 100, and each day once', async () => {
  const counted: Record<string, { carrier: string; day: string }[][]> = {};
  const query = async ({ name, values }: { name: string; values: [string, boolean, string] }) => {
    counted[name] = [...(counted[name] ?? []), JSON.parse(values[2])];
    return { rows: [] };
  };
  const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
  const days = Array.from({ length: 700 }, (_, index) => ({
    carrier: index % 2 === 0 ? 'MAEU' : 'HLCU',
    arrivedDay: index % 7 === 0 ? null : dayOf(index % 350),
    registeredDay: dayOf(index % 50),
  }));
  await recountCells({ query } as never as Tx, { accountId: 'account', test: false }, days);
  const cellsOf = (of: (typeof days)[number][], day: 'arrivedDay' | 'registeredDay') =>
    new Set(of.flatMap((one) => (one[day] === null ? [] : [`${one.carrier} ${one[day]}`])));
  for (const [kind, day, statements] of [
    ['arrival', 'arrivedDay', 3],
    ['registration', 'registeredDay', 1],
  ] as const) {
    expect(counted[`clear-${kind}-cells`]).toEqual(counted[`count-${kind}-cells`]);
    const parts = counted[`count-${kind}-cells`] ?? [];
    expect([parts.length, Math.max(...parts.map((part) => part.length)) <= 100]).toEqual([statements, true]);
    const cells = parts.flat().map((cell) => `${cell.carrier} ${cell.day}`);
    expect(cells.toSorted()).toEqual([...cellsOf(days, day)].sort());
  }
});

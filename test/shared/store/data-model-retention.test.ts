import { expect, it } from 'vitest';
import { coreDefaults } from '#shared/core/core-context.ts';
import { undeliveredKeptDays } from '#shared/domain/webhooks/delivery.ts';
import { retentionRules } from '#shared/store/removal/retention-rules.ts';
import { fileText } from '#test/support/repository.ts';

/** The last cell of each row of the page's tables, by the tables that its first cell names. */
const kept = new Map(
  fileText('docs/reference/data-model.md')
    .split('\n')
    .filter((line) => /^\| `\w+`/.test(line))
    .flatMap((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      return [...(cells[1] ?? '').matchAll(/`(\w+)`/g)].map(([, table = '']) => [table, cells.at(-2) ?? ''] as const);
    }),
);

it.each(retentionRules)('documents how long $name are kept', ({ table, days, hours }) => {
  const periods = { ...coreDefaults, undeliveredKeptDays };
  // The 7 days of the log are the default of a variable: `WEBHOOK_LOG_DAYS` (7).
  const period = new RegExp(hours === undefined ? `\\b${days?.(periods)}\\)? ?(days|;)` : `\\b${hours(periods)} hours`);
  expect(kept.get(table)).toMatch(period);
});

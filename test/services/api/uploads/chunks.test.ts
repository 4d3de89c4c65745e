import { expect, test } from 'vitest';
import { chunksOf } from '#services/api/uploads/open-upload.ts';
import type { RawRow } from '#shared/domain/registration/import.ts';

test('bounds a chunk by its size in the store, also for rows of empty cells', async () => {
  const content = [...Array<string>(60_000).fill(''), 'x'];
  async function* rows(): AsyncGenerator<RawRow[]> {
    for (let line = 1; line <= 20; line++) yield [{ line, content, problem: null }];
  }
  let count = 0;
  for await (const chunk of chunksOf(rows())) {
    count += chunk.rows.length;
    expect(JSON.stringify(chunk.rows).length).toBeLessThan(1.5 * 1024 ** 2);
  }
  expect(count).toBe(20);
});

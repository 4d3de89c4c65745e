import type { Page } from 'playwright-core';
import { runBulkActions } from '#shared/core/bulk/run-bulk-actions.ts';
import type { TestApi } from '#test/support/api/api.ts';

/** Runs the actions on many shipments that were started, as a worker does, until the page shows this result. */
export async function workOnBulk(api: TestApi, page: Page, result: string): Promise<void> {
  const isShown = page.getByText(result).waitFor();
  const ended = { value: false };
  const stop = () => {
    ended.value = true;
  };
  isShown.then(stop, stop);
  while (!ended.value) {
    await runBulkActions(api.ctx.core, { signal: new AbortController().signal });
    await page.waitForTimeout(100);
  }
  await isShown;
}

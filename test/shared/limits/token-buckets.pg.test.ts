import { openStore } from '#shared/store/open-store.ts';
import { openTokenTable } from '#shared/store/system/token-buckets.ts';
import { openTestCore } from '#test/support/core-context.ts';
import { describeTokenBuckets } from './token-bucket-suite.ts';

describeTokenBuckets('Postgres', async () => {
  const core = await openTestCore();
  const other = await openStore({
    databaseUrl: core.serviceUrl,
    apiPoolSize: 1,
    systemPoolSize: 3,
    applicationName: 'landfall-test-other',
    onPoolError: () => {},
  });
  return [
    { takeTokens: openTokenTable(core.store), close: async () => {} },
    {
      takeTokens: openTokenTable(other),
      close: async () => {
        await other.close();
        await core.close();
      },
    },
  ];
});

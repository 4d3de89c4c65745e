import { testDatabase } from '#test/support/stores/postgres.ts';
import { describeQueue } from './queue-suite.ts';

describeQueue('Postgres', async () => {
  const database = await testDatabase();
  return { redisUrl: null, databaseUrl: database.serviceUrl, close: () => database.drop() };
});

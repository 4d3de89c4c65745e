import pg from 'pg';
import { describeDrills } from './drill-suite.ts';

describeDrills('Postgres', {
  redisUrl: () => null,
  emptyQueue: async (landfall) => {
    const client = new pg.Client({ connectionString: landfall.core.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables
       where schemaname = 'landfall_queue' and tablename not like '%migration%'`,
    );
    await client.query(`truncate ${rows.map((row) => row.table).join(', ')} cascade`);
    await client.end();
  },
});

import pg from 'pg';
import type { World } from './world.ts';

/** Runs statements on a connection that ends afterwards. */
export async function onDatabase<Result>(
  { databaseUrl }: Pick<World, 'databaseUrl'>,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'drill' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

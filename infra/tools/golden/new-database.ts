import pg from 'pg';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { prepareDatabase } from '#infra/prepare-database.ts';

/** Creates a database on this server, hands it to `before`, and migrates it unless `schema` is false. */
export async function newDatabase(
  serverUrl: string,
  name: string,
  before: (ownerUrl: string) => Promise<void>,
  { schema = true } = {},
): Promise<{ ownerUrl: string; serviceUrl: string }> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await before(url.href);
  const serviceUrl = serviceUrlOf(url.href);
  if (schema) await prepareDatabase({ ownerUrl: url.href, databaseUrl: serviceUrl });
  return { ownerUrl: url.href, serviceUrl };
}

import pg from 'pg';
import { expect, it } from 'vitest';
import { fleets } from '#infra/tools/drills/carrier-fleets.ts';
import { request } from '#test/support/api/http.ts';
import { openInstallation } from '#test/support/installation.ts';
import { until } from '#test/support/until.ts';

const maxConnections = 25;
const clients = 8;
const shipmentsPerCarrier = 3;
const processes = ['^landfall-api', '^landfall-worker', '^landfall-queue', '^landfall-traces'];

it('needs at most 25 database connections for an API and a worker with every carrier under load', async () => {
  const landfall = await openInstallation({ redisUrl: null, env: { SHUTDOWN_TIMEOUT_MS: '5000' } });
  const observer = new pg.Client({ connectionString: landfall.core.databaseUrl });
  await observer.connect();
  try {
    const { url } = landfall.api;
    const send = (path: string, body?: object) =>
      request(`${url}${path}`, { key: landfall.key, ...(body === undefined ? {} : { body }) });
    const registrations = Array.from({ length: shipmentsPerCarrier }, (_, index) =>
      fleets.map(({ mode, carrier, key, number }) => ({
        transport_mode: mode,
        carrier,
        identifiers: { [key]: number(index) },
      })),
    ).flat();

    const maximum = { connections: 0, byApplication: {} as Record<string, number> };
    const refreshedConnectors = async (): Promise<number> => {
      const { rows } = await observer.query<{ application: string; count: number }>(
        `select split_part(application_name, ' ', 1) as application, count(*)::integer as count from pg_stat_activity
         where datname = current_database() and application_name ~ any($1) group by 1`,
        [processes],
      );
      const connections = rows.reduce((sum, { count }) => sum + count, 0);
      if (connections > maximum.connections) {
        maximum.connections = connections;
        maximum.byApplication = Object.fromEntries(rows.map(({ application, count }) => [application, count]));
      }
      const refreshed = await observer.query(
        'select distinct connector from landfall.polling where last_refreshed_at is not null',
      );
      return refreshed.rowCount ?? 0;
    };

    let isLoaded = true;
    const load = Promise.all(
      Array.from({ length: clients }, async () => {
        for (let body = registrations.pop(); isLoaded; body = registrations.pop()) {
          const { status, body: answer } =
            body === undefined ? await send('/v1/shipments?limit=50') : await send('/v1/shipments', body);
          expect([200, 201], JSON.stringify(answer)).toContain(status);
          if (body !== undefined) await send(`/v1/shipments/${answer.shipment_id}`);
        }
      }),
    );
    const connectors = new Set(fleets.map(({ connector }) => connector)).size;
    await until(refreshedConnectors, (refreshed) => refreshed === connectors && registrations.length === 0);
    isLoaded = false;
    await load;
    process.stdout.write(`${JSON.stringify(maximum)}\n`);
    expect(maximum.connections, JSON.stringify(maximum)).toBeLessThanOrEqual(maxConnections);
    // The load was real: more than the connections that an idle installation keeps.
    expect(maximum.connections).toBeGreaterThan(12);
  } finally {
    await observer.end();
    await landfall.close();
  }
});

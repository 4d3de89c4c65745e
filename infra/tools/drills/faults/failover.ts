import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { until } from '#test/support/until.ts';
import { byLength, type Drill, type Field, type Figures } from '../drill.ts';
import { openStandby } from '../worlds/standby.ts';
import { backends } from '../worlds/world.ts';
import { load } from './processes.ts';
import { untilReadiness } from './readiness.ts';

/** PostgreSQL that ends and has a successor. */
export const failoverDrills: readonly Drill[] = [
  {
    name: 'failover',
    what: 'PostgreSQL killed, its address on the standby, which is promoted later',
    shapes: ['fleet'],
    backends,
    inTests: null,
    needsProxies: true,
    run: failOver,
  },
];

async function failOver({ world, checker, length }: Field): Promise<Figures> {
  if (world.stores === null) throw new Error('this drill needs proxies');
  const standby = await openStandby(world);
  const { close } = world;
  world.close = async () => {
    const left = await close();
    await standby.close();
    return left;
  };
  await load(length, { short: 2, long: 20 });
  await world.stores.killPostgres();
  world.stores.postgres.lead(serviceUrlOfStandby(world.databaseUrl, standby.databaseUrl));
  // Its address leads to a server that takes no writes: everything says so.
  const apiMs = await untilReadiness(world.apiUrls, /database read-only/);
  const workerMs = await untilReadiness(world.workerUrls, /the database has been read-only/);
  await load(length, { short: 2, long: 20 });
  const { outcomes } = checker.ledger;
  const refused = outcomes['503'] ?? 0;
  if (refused === 0) checker.ledger.find('answer', 'no registration was refused by a read-only database');
  await standby.promote();
  const promotedAt = performance.now();
  const acknowledged = checker.ledger.acknowledgedAt.length;
  await until(
    async () => checker.ledger.acknowledgedAt.length,
    (count) => count > acknowledged + byLength(length, { short: 1, long: 10 }),
  );
  const writesMs = Math.round(performance.now() - promotedAt);
  await world.untilUp();
  world.databaseUrl = standby.databaseUrl;
  return { apiMs, workerMs, writesMs, refused };
}

/** The standby has the same logins. */
function serviceUrlOfStandby(primaryUrl: string, standbyUrl: string): string {
  const url = new URL(serviceUrlOf(primaryUrl));
  url.port = new URL(standbyUrl).port;
  return url.href;
}

import { until } from '#test/support/until.ts';
import { onDatabase } from './worlds/on-database.ts';
import type { World } from './worlds/world.ts';

/** Only the clock is faked: the leases of lost jobs, and the pauses after failed refreshes, have expired. */
export async function expireLeases(world: World): Promise<void> {
  const expire = () =>
    onDatabase(world, (client) =>
      client.query(
        `update landfall.polling
         set lease_until = now() - interval '1 s', next_refresh_at = least(next_refresh_at, now())
         where next_refresh_at is not null`,
      ),
    ).then(
      () => true,
      () => false,
    );
  // PostgreSQL may still be recovering.
  await until(expire, (isDone) => isDone);
}

import pg from 'pg';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { refresh } from '#test/support/carriers/refreshed-shipment.ts';
import type { TestCore } from '#test/support/core-context.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import { baseMs, hourMs } from './moments.ts';
import type { Story } from './story.ts';

/** `registered`: hours from now. */
export type Seeded = Story & { uuid: string; id: string; registered: number };

const concurrency = 6;

/**
 * Registers every story's shipment, records the carrier's readings in order, and then moves the records into the past.
 */
export async function seedStories(
  core: Pick<TestCore, 'ctx' | 'databaseUrl'>,
  caller: Caller,
  stories: readonly Story[],
): Promise<Seeded[]> {
  const seeded: Seeded[] = [];
  const waiting = [...stories.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      seeded[next[0]] = await seedStory(core, caller, next[1]);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const placed = seeded.map((story, index) => ({ ...story, registered: index - 60 * 24 }));
  await backdate(core.databaseUrl, placed);
  return placed;
}

async function seedStory(core: Pick<TestCore, 'ctx' | 'databaseUrl'>, caller: Caller, story: Story): Promise<Seeded> {
  const { shipment, outcome } = await registerShipment(core.ctx, caller, oceanRegistration(story.registration));
  if (outcome !== 'created') throw new Error(`${story.name} has the number of another shipment`);
  for (const result of story.refreshes)
    await refresh(core.ctx, { accountId: caller.accountId, shipmentId: shipment.id }, result);
  return { ...story, uuid: shipment.id, id: toShipmentId(shipment.id), registered: 0 };
}

/**
 * Moves the records into the past, which no write path can do. In the order of the stories, the first is the oldest.
 */
async function backdate(databaseUrl: string, seeded: readonly Seeded[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const ago = (hours: number) => new Date(baseMs - hours * hourMs).toISOString();
  await client.connect();
  try {
    await client.query(
      `update landfall.shipments s set created_at = aged.created_at, updated_at = aged.updated_at
       from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as aged (id, created_at, updated_at) where s.id = aged.id`,
      [
        seeded.map(({ uuid }) => uuid),
        seeded.map(({ registered }) => ago(-registered)),
        seeded.map(({ changedFor }) => ago(changedFor)),
      ],
    );
    await client.query(
      `update landfall.shipment_search w set created_at = s.created_at
       from landfall.shipments s where s.account_id = w.account_id and s.id = w.shipment_id and s.id = any($1)`,
      [seeded.map(({ uuid }) => uuid)],
    );
    await client.query('update landfall.shipments set archived_at = now() where id = any($1)', [
      seeded.filter(({ isArchived }) => isArchived).map(({ uuid }) => uuid),
    ]);
    const stale = seeded.filter(({ staleFor }) => staleFor !== null);
    await client.query(
      `update landfall.polling p set last_succeeded_at = aged.succeeded_at, stale_at = aged.succeeded_at + interval '1 hour'
       from unnest($1::uuid[], $2::timestamptz[]) as aged (id, succeeded_at) where p.shipment_id = aged.id`,
      [stale.map(({ uuid }) => uuid), stale.map(({ staleFor }) => ago(staleFor ?? 0))],
    );
  } finally {
    await client.end();
  }
}

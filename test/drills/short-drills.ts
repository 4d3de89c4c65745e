import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testBackends } from '#infra/tools/drills/drill.ts';
import { drills } from '#infra/tools/drills/drill-catalogue.ts';
import { expireLeases } from '#infra/tools/drills/expire-leases.ts';
import { type DrillResult, performDrill } from '#infra/tools/drills/perform-drill.ts';
import { openWorld } from '#infra/tools/drills/worlds/open-world.ts';
import type { Shape, World } from '#infra/tools/drills/worlds/world.ts';
import { scaled } from '#test/support/run-scale.ts';

const voyageS = 4;

/**
 * Half a minute or more each, so that `npm test` leaves them to `npm run drills`. That nothing outlives a killed
 * supervisor is also what `test/e2e/process-tree` looks at; a terminated npm is how each world of one machine ends.
 */
const takesLong = [
  'all-due-at-once',
  'backup-while-writing',
  'carrier-dead',
  'clock-wrong',
  'npm-terminated',
  'poison-answers',
  'postgres-killed',
  'rolling-restart',
  'supervisor-killed',
  'terminated',
];
const isChosen = (name: string) => scaled({ short: !takesLong.includes(name), full: true });

/** The short forms of the drills that `npm test` runs in this shape, in one installation. */
export function describeShortDrills(shape: Shape): void {
  const backend = testBackends[shape];
  const chosen = drills.filter(({ name, inTests }) => inTests === shape && isChosen(name));
  const blocked = new Map(chosen.map(({ name, blockedBy }) => [name, blockedBy?.() ?? null]));
  const possible = chosen.filter(({ name }) => blocked.get(name) === null);

  describe(`drills in short, ${shape}, queue on ${backend}`, () => {
    let world: World;
    /** By drill. They settle together: a voyage takes longer than a fault. */
    const settling = new Map<string, () => Promise<DrillResult>>();

    beforeAll(async () => {
      const needsSmallDisk = possible.some((drill) => drill.needsSmallDisk);
      world = await openWorld({ shape, backend, voyageS }, needsSmallDisk ? { needsSmallDisk } : {});
    });

    afterAll(async () => {
      await world?.close();
    });

    for (const { name, what } of chosen) {
      const reason = blocked.get(name);
      if (reason !== null) it.skip(`${name}: ${what}: skipped, ${reason}`);
    }

    it.each(possible)('refreshes again after $name: $what', async (drill) => {
      const { settle } = await performDrill(world, drill, 'short');
      settling.set(drill.name, settle);
    });

    it('lets every lease of a lost job expire', () => expireLeases(world));

    it.each(possible)('loses, doubles and reverts no change through $name', async ({ name }) => {
      const result = await settling.get(name)?.();
      expect(result?.findings).toEqual([]);
      expect(result?.acknowledged).toBeGreaterThan(0);
    });

    it('leaves no process behind', async () => {
      expect(await world.close()).toEqual([]);
    });
  });
}

import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { reportCarrierHealth } from '#shared/core/carriers/report-carrier-health.ts';
import { measureStall } from '#shared/core/installation/measure-stall.ts';
import { bySystem, newShipment } from '#test/support/carriers/carrier-refreshes.ts';
import { openTestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

it('measures how long shipments have been due while no worker completed a refresh', async () => {
  const core = await openTestCore({}, ownDatabase);
  onTestFinished(() => core.close());
  const { id } = await newShipment(core);
  await bySystem(
    core,
    `update landfall.polling set lease_until = null, next_refresh_at = now() - interval '300 s' where shipment_id = $1`,
    [id],
  );
  const report = (completedAgeS: number) => ({ loopDelayMs: 10, completedAgeS, health: [], served: [] });
  expect(await measureStall(core.ctx)).toBeGreaterThanOrEqual(300);
  expect(await measureStall(core.ctx, 2)).toBeNull();
  const [stuck, working] = [randomUUID(), randomUUID()];
  await reportCarrierHealth(core.ctx, stuck, report(120));
  const stalledS = await measureStall(core.ctx);
  expect(stalledS).toBeGreaterThanOrEqual(120);
  expect(stalledS).toBeLessThan(300);
  expect(await measureStall(core.ctx, 90)).toBe(90);
  await reportCarrierHealth(core.ctx, working, report(2));
  expect(await measureStall(core.ctx)).toBeNull();
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { lastTestStep } from '#shared/domain/test-journeys/test-journeys.ts';
import type { Json } from '#test/support/api/api.ts';
import { request } from '#test/support/api/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { until } from '#test/support/until.ts';

/** Tests the flow of a developer with a test key, on one queue backend. No carrier and no simulator is called. */
export function describeTestMode(backend: string, redisUrl: () => string | null): void {
  describe(`test mode with real processes, queue on ${backend}`, () => {
    let landfall: Installation;
    let key: string;

    beforeAll(async () => {
      landfall = await openInstallation({ redisUrl: redisUrl(), env: { SIMULATOR: 'off' } });
      key = (await createApiKey(landfall.core.ctx, landfall.accountId, { name: 'test mode', test: true })).secret;
    });

    afterAll(() => landfall?.close());

    async function register(number: string): Promise<Json> {
      const answer = await request(`${landfall.api.url}/v1/shipments`, {
        key,
        body: { transport_mode: 'parcel', carrier: 'ups', identifiers: { tracking_number: number } },
      });
      expect(answer.status).toBe(201);
      return answer.body;
    }

    const seen = (record: Json, satisfies: (now: Json) => boolean): Promise<Json> =>
      until(
        async () => (await request(`${landfall.api.url}/v1/shipments/${record.shipment_id}`, { key })).body,
        satisfies,
      );

    it('shows the scenario of each test number', async () => {
      const delivered = await seen(await register('TEST-DELIVERED'), (now) => now.status === 'delivered');
      expect(delivered).toMatchObject({ test: true, tracking: { source: 'test' } });
      const held = await seen(await register('TEST-CUSTOMS-HOLD'), (now) => now.has_exception);
      expect(held).toMatchObject({ status: 'arrived', exceptions: [{ code: 'customs_hold', resolved_at: null }] });
      const unknown = await seen(await register('TEST-NOT-FOUND'), (now) => now.tracking.state === 'awaiting_carrier');
      expect(unknown).toMatchObject({ status: 'pending', tracking: { reason: 'carrier_not_found_yet' } });
      const down = await seen(await register('TEST-CARRIER-DOWN'), (now) => now.tracking.state === 'degraded');
      expect(down).toMatchObject({ status: 'pending', tracking: { reason: 'carrier_unreachable' } });
    });

    it('advances a journey to its end step by step', async () => {
      const journey = await seen(await register('TEST-JOURNEY'), (now) => now.tracking.last_succeeded_at !== null);
      const happened = (now: Json): number => now.events.filter((event: Json) => event.classifier === 'actual').length;
      const last = lastTestStep('TEST-JOURNEY', 'parcel');
      for (let step = 1; step <= last; step++) {
        const answer = await request(`${landfall.api.url}/v1/test/shipments/${journey.shipment_id}/advance`, {
          method: 'POST',
          key,
        });
        expect(answer.status).toBe(202);
        await seen(journey, (now) => happened(now) === step);
      }
      expect(await seen(journey, (now) => now.status === 'delivered')).toMatchObject({
        events_count: expect.any(Number),
      });
      const after = await request(`${landfall.api.url}/v1/test/shipments/${journey.shipment_id}/advance`, {
        method: 'POST',
        key,
      });
      expect(after).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    });
  });
}

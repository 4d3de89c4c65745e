import type { CarrierFetch, CarrierResponse } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import { shipments } from '../contract-carrier.ts';
import { freightSubject } from '../freight/simulated-carrier.ts';
import type { Fixture } from './read-varied.ts';

/** A journey takes as long as a real one, so that its times are hours and days apart. */
const voyageS = 30 * 86_400;
/** Shares of the journey that is over when the carrier is asked. */
const shares: readonly number[] = scaled<readonly number[]>({ short: [], full: [0.1, 0.4, 0.7, 1.1] });

/**
 * The simulator's answers of each connector, early in a journey to after its end. They are recorded, and repeated. In
 * short none: opening the simulator takes longer than reading the others.
 */
export async function simulatedFixtures(): Promise<Fixture[]> {
  const fixtures: Fixture[] = [];
  for (const connector of shares.length === 0 ? [] : connectorCodes) {
    const { clock, carrier, control, close } = openSimulatedCarrier(connectors[connector], {
      seed: 'variations',
      voyageS,
    });
    const { mode, identifiers, number, ...shipment } = shipments[connector];
    const subject = freightSubject(mode, identifiers, { carrier: shipment.carrier });
    const startMs = clock.ms;
    await control('first-seen', { reference: number, at: startMs });
    for (const share of shares) {
      clock.ms = startMs + share * voyageS * 1000;
      const recorded = new Map<string, CarrierResponse>();
      const fetch: CarrierFetch = async (url, request) => {
        const answer = await carrier.fetch(url, request);
        recorded.set(keyOf(url, request), answer);
        return answer;
      };
      await connectors[connector].fetch({ ...carrier, fetch }, [subject], AbortSignal.timeout(patienceMs));
      fixtures.push({
        connector,
        name: `simulated, ${Math.round(share * 100)} % of the journey`,
        subject,
        settings: carrier.settings,
        nowMs: clock.ms,
        fetch: async (url, request) =>
          recorded.get(keyOf(url, request)) ?? { status: 404, headers: new Headers(), text: '{}' },
      });
    }
    await close();
  }
  return fixtures;
}

function keyOf(url: string, { method = 'GET', body = '' }: { method?: string; body?: string }): string {
  return `${method} ${url} ${body}`;
}

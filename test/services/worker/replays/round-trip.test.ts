import { afterEach, expect, it } from 'vitest';
import { voyageStart } from '#infra/tools/simulator/voyages/clock.ts';
import { planVoyage } from '#infra/tools/simulator/voyages/voyage.ts';
import type { CarrierSettings } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { assignLegRoles } from '#shared/domain/journey/leg-roles.ts';
import { selfSignedCertificate } from '#test/support/api/self-signed-certificate.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';
import { patienceMs } from '#test/support/until.ts';
import { subject } from '../carriers/dcsa/fake-carrier.ts';

const voyageS = 50;

let close = async (): Promise<void> => undefined;
afterEach(() => close());

function openLine(connector: ConnectorCode, seed: string, settings: Partial<CarrierSettings> = {}) {
  const line = openSimulatedCarrier(connectors[connector], { seed, voyageS, settings });
  close = line.close;
  return line;
}

const lines = [
  ['maersk', 'MAEU', 'MAEU'],
  ['hapag-lloyd', 'HLCU', 'HLCU'],
  ['cma-cgm', 'CMDU', 'CMDU'],
  ['cma-cgm', 'CMDU', 'APLU'],
  ['msc', 'MSCU', 'MEDU'],
  ['one', 'ONEY', 'ONEY'],
  ['yang-ming', 'YMLU', 'YMLU'],
  ['evergreen', 'EGLV', 'EGLV'],
  ['hmm', 'HDMU', 'HDMU'],
] as const;

it.each(lines)(
  'composes the journey that the simulator played from the events of %s (%s, B/Ls with %s)',
  async (connector, scac, prefix) => {
    for (const [index, seed] of ['one', 'two', 'three', 'four', 'five'].entries()) {
      const { clock, carrier } = openLine(connector, seed);
      const bare = `${80_000_001 + index * 104_729}${index % 5}`;
      const about = subject({ mbl: `${prefix}${bare}` }, prefix);
      const firstSeenMs = clock.ms;
      let stored: TrackingEvent[] = [];
      for (const passedMs of [0, 8_000, 21_000, 37_000, 51_000]) {
        clock.ms = firstSeenMs + passedMs;
        const refresh = (await connectors[connector].fetch(carrier, [about], AbortSignal.timeout(patienceMs))).get(
          about.shipmentId,
        );
        if (refresh?.outcome !== 'found') {
          // A line without shipment events returns nothing before the voyage is planned.
          expect([passedMs, refresh]).toMatchObject([0, { outcome: 'not_found' }]);
          continue;
        }
        stored = mergeReading(stored, refresh.reading, clock.ms).events;
      }
      const voyage = planVoyage(seed, scac, connector === 'hmm' ? 'booking' : 'bl', bare);
      const startMs = voyageStart(voyage, true, firstSeenMs);
      const calls = voyage.milestones.filter(
        ({ subject: { transportEventTypeCode }, withdrawnMs }) =>
          transportEventTypeCode !== undefined && withdrawnMs === undefined,
      );
      const [departure, ...others] = calls;
      const arrival = others.at(-1);
      const journey = composeJourney({ events: stored, transportMode: 'ocean' }, clock.ms);
      const instant = (ms = 0) => new Date(startMs + ms).toISOString();
      expect(journey).toMatchObject({
        status: 'delivered',
        origin: { unlocode: departure?.subject.transportCall?.UNLocationCode },
        destination: { unlocode: arrival?.subject.transportCall?.UNLocationCode },
        departure: { actual: { at: instant(departure?.actualMs) } },
        arrival: { actual: { at: instant(arrival?.actualMs) } },
      });
      expect(journey.containers.map(({ number }) => number).sort()).toEqual([...voyage.identifiers.containers].sort());
      // A planned call at an omitted port stays in the journey: carriers withdraw plans without an event.
      const leftOut = voyage.scenarios.includes('port omission') ? 1 : 0;
      expect(
        journey.legs.filter(({ mode }) => mode === 'ocean').length - voyage.transshipments - 1,
      ).toBeLessThanOrEqual(leftOut);
      const transshipped = new Set(
        assignLegRoles(stored)
          .filter(({ legRole }) => legRole === 'transshipment')
          .map(({ location }) => location?.unlocode),
      );
      expect(transshipped.size - voyage.transshipments).toBeLessThanOrEqual(leftOut);
      expect(transshipped.size).toBeGreaterThanOrEqual(voyage.transshipments);
      await close();
    }
  },
);

it.each([
  ['msc', 'MEDU', { apiKey: null, scope: 'app/.default', ...selfSignedCertificate() }, 'found'],
  ['msc', 'MEDU', { apiKey: null, scope: 'app/.default', ...selfSignedCertificate(), clientId: 'wrong' }, 'error'],
  ['msc', 'MEDU', { apiKey: 'wrong' }, 'error'],
  ['cma-cgm', 'CMDU', { clientId: null }, 'found'],
  ['cma-cgm', 'CMDU', { clientSecret: 'wrong' }, 'error'],
  ['one', 'ONEY', { clientSecret: 'wrong' }, 'error'],
  ['evergreen', 'EGLV', { clientSecret: 'wrong' }, 'error'],
  ['hmm', 'HDMU', { apiKey: 'wrong' }, 'error'],
] as const)(
  'reads with the other kind of credentials and rejects wrong ones: %s (%s)',
  async (connector, prefix, changes, outcome) => {
    const { carrier, clock } = openLine(connector, 'credentials', changes);
    const about = subject({ mbl: `${prefix}80000002` }, prefix);
    const refresh = async () =>
      (await connectors[connector].fetch(carrier, [about], AbortSignal.timeout(patienceMs))).get(about.shipmentId);
    await refresh();
    clock.ms += 30_000;
    expect(await refresh()).toMatchObject(
      outcome === 'found' ? { outcome } : { outcome, reason: 'carrier_auth_failed' },
    );
  },
);

import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { containerCheckDigit, imoCheckDigit } from '#infra/tools/simulator/voyages/check-digits.ts';
import { isFast, virtualNow, voyageStart } from '#infra/tools/simulator/voyages/clock.ts';
import type { DcsaEvent } from '#infra/tools/simulator/voyages/event.ts';
import { eventsAt } from '#infra/tools/simulator/voyages/events-at.ts';
import { lines } from '#infra/tools/simulator/voyages/fleet.ts';
import { dayMs } from '#infra/tools/simulator/voyages/itinerary.ts';
import { localTime } from '#infra/tools/simulator/voyages/local-time.ts';
import { allPorts, distanceKm } from '#infra/tools/simulator/voyages/ports.ts';
import { planVoyage, type Voyage } from '#infra/tools/simulator/voyages/voyage.ts';

const firstSeenMs = Date.parse('2026-03-20T12:00:00Z');
const voyages: Voyage[] = Array.from({ length: 50 }, (_, index) =>
  planVoyage(`seed-${index}`, lines[index % lines.length]?.scac ?? 'MAEU', 'bl', `7${index}1234560`),
);

function eventTime(event: DcsaEvent | undefined): number {
  return Date.parse(event?.eventDateTime ?? 'never');
}

function allEvents(voyage: Voyage, share = 1): DcsaEvent[] {
  const startMs = voyageStart(voyage, true, firstSeenMs);
  return eventsAt(voyage, startMs, startMs + voyage.durationMs * share);
}

describe('voyages', () => {
  it('are the same for the same seed and differ for another', () => {
    const plan = (seed: string) => JSON.stringify(allEvents(planVoyage(seed, 'MAEU', 'bl', '123456780')));
    expect(plan('one')).toBe(plan('one'));
    expect(plan('one')).not.toBe(plan('two'));
  });

  it('take 30 to 50 days, direct or with one or two transshipments, some with a customs hold', () => {
    for (const voyage of voyages) {
      expect(voyage.durationMs / dayMs).toBeGreaterThan(30);
      expect(voyage.durationMs / dayMs).toBeLessThan(50);
      expect(voyage.startFraction).toBeGreaterThan(0);
      expect(voyage.startFraction).toBeLessThan(1);
    }
    expect(new Set(voyages.map((voyage) => voyage.transshipments))).toEqual(new Set([0, 1, 2]));
    const held = voyages.filter((voyage) => allEvents(voyage).some((event) => event.shipmentEventTypeCode === 'HOLD'));
    expect(held.length).toBeGreaterThan(5);
    expect(held.length).toBeLessThan(30);
  });

  it('keep every container in the order of a real journey', () => {
    for (const voyage of voyages) {
      const actual = allEvents(voyage).filter((event) => event.eventClassifierCode === 'ACT');
      const timeOf = (code: string) => eventTime(actual.find((event) => event.transportEventTypeCode === code));
      for (const container of voyage.identifiers.containers) {
        const moves = actual
          .filter(
            (event) =>
              event.equipmentReference === container && !['INSP', 'RSEA'].includes(event.equipmentEventTypeCode ?? ''),
          )
          .sort((one, other) => eventTime(one) - eventTime(other))
          .map((event) => `${event.equipmentEventTypeCode} ${event.emptyIndicatorCode}`);
        const atSea = Array.from({ length: voyage.transshipments + 1 }, () => ['LOAD LADEN', 'DISC LADEN']).flat();
        expect(moves).toEqual([
          'GTOT EMPTY',
          'STUF LADEN',
          'GTIN LADEN',
          ...atSea,
          'GTOT LADEN',
          'DROP LADEN',
          'GTIN EMPTY',
        ]);
        const loaded = eventTime(
          actual.find((event) => event.equipmentReference === container && event.equipmentEventTypeCode === 'LOAD'),
        );
        expect(loaded).toBeLessThan(timeOf('DEPA'));
      }
      for (const event of actual.filter((event) => event.equipmentEventTypeCode === 'DISC')) {
        const call = event.transportCall?.transportCallID;
        const arrival = actual.find(
          (other) => other.transportEventTypeCode === 'ARRI' && other.transportCall?.transportCallID === call,
        );
        expect(eventTime(event)).toBeGreaterThan(eventTime(arrival));
      }
    }
  });

  it('never publish an actual event early, and never publish the future', () => {
    for (const voyage of voyages) {
      for (const share of [0, 0.2, 0.5, 0.8, 1]) {
        const momentMs = voyageStart(voyage, true, firstSeenMs) + voyage.durationMs * share;
        for (const event of allEvents(voyage, share)) {
          const createdMs = Date.parse(event.eventCreatedDateTime);
          expect(createdMs).toBeLessThanOrEqual(momentMs);
          if (event.eventType === 'SHIPMENT') expect(event.eventDateTime).toBe(event.eventCreatedDateTime);
          else if (event.eventClassifierCode === 'ACT') expect(eventTime(event)).toBeLessThan(createdMs);
          else expect(eventTime(event)).toBeGreaterThan(createdMs);
        }
      }
    }
  });

  it('revise the last arrival one to six times, and withdraw a container’s plans after the actual event', () => {
    for (const voyage of voyages) {
      const events = allEvents(voyage);
      expect(new Set(events.map((event) => event.eventID)).size).toBe(events.length);
      const arrivals = events.filter((event) => event.transportEventTypeCode === 'ARRI');
      const last = arrivals.filter(
        (event) => event.transportCall?.transportCallID === arrivals.at(-1)?.transportCall?.transportCallID,
      );
      const estimates = last.filter((event) => event.eventClassifierCode === 'EST');
      expect(last.filter((event) => event.eventClassifierCode === 'PLN')).toHaveLength(1);
      expect(estimates.length).toBeGreaterThanOrEqual(1);
      expect(estimates.length).toBeLessThanOrEqual(6);
      for (const [index, estimate] of estimates.entries())
        expect(estimate.eventDateTime).not.toBe(estimates[index - 1]?.eventDateTime);
      expect(Math.abs(eventTime(estimates.at(-1)) - eventTime(last.at(-1)))).toBeLessThan(6 * 3_600_000);
      expect(events.filter((event) => event.eventType === 'EQUIPMENT' && event.eventClassifierCode !== 'ACT')).toEqual(
        [],
      );
      expect(
        allEvents(voyage, 0.3).some((event) => event.eventType === 'EQUIPMENT' && event.eventClassifierCode === 'PLN'),
      ).toBe(true);
    }
  });

  it('have valid check digits and no number with 404', () => {
    for (const voyage of voyages) {
      for (const container of voyage.identifiers.containers) {
        expect(container).toMatch(/^[A-Z]{4}\d{7}$/);
        expect(container).not.toContain('404');
        expect(containerCheckDigit(container.slice(0, 10))).toBe(Number(container.at(-1)));
      }
    }
    for (const { imo } of lines.flatMap((line) => line.vessels))
      expect(imoCheckDigit(imo.slice(0, 6))).toBe(Number(imo.at(-1)));
    expect(containerCheckDigit('CSQU305438')).toBe(3);
    expect(imoCheckDigit('907472')).toBe(9);
  });
});

describe('the clock of a voyage', () => {
  it('completes a fast voyage at the first request and never runs ahead', () => {
    const voyage = voyages[0] as Voyage;
    const startMs = voyageStart(voyage, true, firstSeenMs);
    const at = (seconds: number) => virtualNow(voyage, true, firstSeenMs, 50, firstSeenMs + seconds * 1000);
    expect(eventsAt(voyage, startMs, at(0)).map((event) => event.shipmentEventTypeCode)).toContain('CONF');
    expect(
      eventsAt(voyage, startMs, at(0)).some(
        (event) => event.equipmentEventTypeCode && event.eventClassifierCode === 'ACT',
      ),
    ).toBe(false);
    expect(at(50)).toBe(firstSeenMs);
    expect(eventsAt(voyage, startMs, at(51)).at(-1)?.emptyIndicatorCode).toBe('EMPTY');
    expect(at(1e9)).toBe(firstSeenMs + 1e12);
  });

  it('recognizes fast numbers by their last digit', () => {
    expect(['MAEU123456780', '4', 'MSKU1234564X'].map(isFast)).toEqual([true, true, true]);
    expect(['MAEU123456785', '9', 'ABC'].map(isFast)).toEqual([false, false, false]);
  });

  it('formats local time with the offset of that day', () => {
    expect(localTime(Date.parse('2026-07-01T10:00:00Z'), 'Europe/Amsterdam')).toBe('2026-07-01T12:00:00+02:00');
    expect(localTime(Date.parse('2026-01-01T10:00:00Z'), 'Europe/Amsterdam')).toBe('2026-01-01T11:00:00+01:00');
    expect(localTime(Date.parse('2026-01-01T20:00:00Z'), 'Asia/Kolkata')).toBe('2026-01-02T01:30:00+05:30');
    expect(localTime(Date.parse('2026-01-01T03:00:00Z'), 'America/New_York')).toBe('2025-12-31T22:00:00-05:00');
    expect(localTime(Date.parse('2026-01-01T03:00:00Z'), 'Europe/London')).toBe('2026-01-01T03:00:00+00:00');
  });
});

describe('arrivals', () => {
  it('are late by two days or more in about a fifth of the voyages', () => {
    const count = 200;
    const late = Array.from({ length: count }, (_, index) =>
      planVoyage('late', 'MAEU', 'bl', `MAEU${700_000_000 + index}`),
    ).filter(({ milestones, arrivalMs }) => {
      const arrival = milestones.findLast(({ plan, actualMs }) => plan !== null && actualMs === arrivalMs);
      return arrival?.plan && arrivalMs - arrival.plan.timeMs >= 2 * dayMs;
    }).length;
    expect(late / count).toBeGreaterThan(0.1);
    expect(late / count).toBeLessThan(0.35);
  });
});

describe('the ports', () => {
  it('have the same place and timezone as their UN/LOCODE', () => {
    type Known = Record<string, { coordinates: [number, number]; timezone: string }>;
    const known: Known = createRequire(import.meta.url)('sea-ports').JSON;
    const summerMs = Date.parse('2026-07-01T00:00:00Z');
    for (const port of allPorts) {
      const [longitude = 0, latitude = 0] = known[port.unlocode]?.coordinates ?? [];
      expect(distanceKm(port, { ...port, latitude, longitude }), port.unlocode).toBeLessThan(130);
      expect(localTime(summerMs, port.zone), port.unlocode).toBe(
        localTime(summerMs, known[port.unlocode]?.timezone ?? 'UTC'),
      );
      expect(port.facility.length).toBeLessThanOrEqual(6);
    }
  });
});

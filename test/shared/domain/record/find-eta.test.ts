import { describe, expect, it } from 'vitest';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { hourMs, startMs, trackingEvent } from '../journey/journey-events.ts';

const journeyOf = (transportMode: TransportMode, ...sketches: Omit<Parameters<typeof trackingEvent>[0], 'id'>[]) =>
  composeJourney(
    { events: sketches.map((sketch, n) => trackingEvent({ ...sketch, id: String(n) })), transportMode },
    startMs + 100 * hourMs,
  );
const hourOf = (journey: ReturnType<typeof journeyOf>) => {
  return journey.eta === null ? null : (Date.parse(journey.eta.time.at) - startMs) / hourMs;
};

const departed = { code: 'departed', hour: 1, port: 'CNSHA' } as const;
const planned = { code: 'arrived', hour: 200, port: 'NLRTM', classifier: 'planned' } as const;
const estimated = { ...planned, hour: 210, classifier: 'estimated' } as const;
const toTheDoor = { code: 'delivered', hour: 300, port: 'DEDUI', classifier: 'estimated' } as const;

describe('the ETA', () => {
  it('is the estimated one, otherwise the planned one, for any delivery', () => {
    expect(hourOf(journeyOf('ocean', departed, planned, estimated, toTheDoor))).toBe(210);
    expect(hourOf(journeyOf('ocean', departed, planned, toTheDoor))).toBe(200);
  });

  it('is the expected delivery if no arrival is reported: parcels and trucks', () => {
    expect(hourOf(journeyOf('parcel', { code: 'picked_up', hour: 1, port: 'USMEM' }, toTheDoor))).toBe(300);
    expect(hourOf(journeyOf('road', toTheDoor))).toBe(300);
  });

  it('is the delivery after an unpromised arrival', () => {
    const arrived = { code: 'arrived', hour: 20, port: 'NLRTM' } as const;
    expect(journeyOf('air', departed, arrived, toTheDoor).eta?.kind).toBe('delivery');
    expect(hourOf(journeyOf('air', departed, arrived, toTheDoor))).toBe(300);
  });

  it('is unknown without an expected arrival', () => {
    expect(hourOf(journeyOf('ocean', departed))).toBeNull();
    expect(hourOf(journeyOf('ocean'))).toBeNull();
  });
});

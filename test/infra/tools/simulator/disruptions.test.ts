import { expect, it } from 'vitest';
import type { DcsaEvent } from '#infra/tools/simulator/voyages/event.ts';
import { eventsAt } from '#infra/tools/simulator/voyages/events-at.ts';
import { planVoyage, type Voyage } from '#infra/tools/simulator/voyages/voyage.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const voyages = Array.from({ length: 300 }, (_, index) => planVoyage('disruptions', 'MAEU', 'bl', `7${index}1234560`));
const having = (scenario: string) => voyages.filter(({ scenarios }) => scenarios.includes(scenario));
const published = (voyage: Voyage, ms: number) => eventsAt(voyage, startMs, startMs + ms);
const sailings = (events: readonly DcsaEvent[]) => events.filter(({ eventType }) => eventType === 'TRANSPORT');
const changeOf = ({ milestones }: Voyage) =>
  milestones.find(({ withdrawnMs }) => withdrawnMs !== undefined)?.withdrawnMs ?? 0;

it('produces every scenario, and none too often', () => {
  for (const scenario of [
    'rolled',
    'port omission',
    'inspection',
    'containers apart',
    'customs hold',
    'two transshipments',
  ]) {
    expect([scenario, having(scenario).length > 5 && having(scenario).length < 150]).toEqual([scenario, true]);
  }
  for (let slips = 1; slips <= 6; slips += 1) expect(having(`ETA slips: ${slips}`).length).toBeGreaterThan(0);
});

it.each(['rolled', 'port omission'])(
  '%s: keeps the old plan until the change and publishes only the new plan afterwards',
  (scenario) => {
    for (const voyage of having(scenario)) {
      const atMs = changeOf(voyage);
      const callsBefore = new Set(
        sailings(published(voyage, atMs - 1)).map(({ transportCall }) => transportCall?.transportCallID),
      );
      const after = sailings(published(voyage, atMs));
      const callsAfter = new Set(after.map(({ transportCall }) => transportCall?.transportCallID));
      const gone = [...callsBefore].filter((call) => !callsAfter.has(call));
      expect(gone.length).toBeGreaterThan(0);
      expect([...callsAfter].filter((call) => !callsBefore.has(call)).length).toBeGreaterThan(0);
      // No actual event ever appears for a withdrawn call.
      const whole = published(voyage, voyage.durationMs);
      expect(whole.filter(({ transportCall }) => gone.includes(transportCall?.transportCallID))).toEqual([]);
      expect(callsAfter.size).toBe(2 * (voyage.transshipments + 1) - voyage.transshipments + extraCalls(after));
    }
  },
);

/** At a hub two vessels call, each with its own transport call. */
function extraCalls(events: readonly DcsaEvent[]): number {
  const byPort = Map.groupBy(events, ({ transportCall }) => transportCall?.UNLocationCode);
  return [...byPort.values()].reduce(
    (sum, ofPort) => sum + new Set(ofPort.map(({ transportCall }) => transportCall?.transportCallID)).size - 1,
    0,
  );
}

it('confirms a rolled booking again and names the new vessel', () => {
  for (const voyage of having('rolled')) {
    const confirmed = published(voyage, voyage.durationMs).filter(
      ({ shipmentEventTypeCode }) => shipmentEventTypeCode === 'CONF',
    );
    expect(confirmed.map(({ reason }) => reason ?? '')).toEqual([
      '',
      expect.stringMatching(/^Rolled to [A-Z ]+ \d+W$/),
    ]);
  }
});

it('reseals a container that customs inspected, and moves it after the others', () => {
  for (const voyage of having('inspection')) {
    const events = published(voyage, voyage.durationMs);
    const inspected = events.find(({ equipmentEventTypeCode }) => equipmentEventTypeCode === 'INSP');
    expect(events.find(({ equipmentEventTypeCode }) => equipmentEventTypeCode === 'RSEA')).toMatchObject({
      equipmentReference: inspected?.equipmentReference,
      seals: [{ sealSource: 'CUS' }],
    });
    const held = events.find(({ shipmentEventTypeCode }) => shipmentEventTypeCode === 'HOLD');
    expect(Date.parse(inspected?.eventDateTime ?? '')).toBeGreaterThan(Date.parse(held?.eventDateTime ?? ''));
  }
});

it('keeps separated containers at different stages for at least a day', () => {
  for (const voyage of having('containers apart')) {
    const out = published(voyage, voyage.durationMs).filter(
      ({ equipmentEventTypeCode, emptyIndicatorCode }) =>
        equipmentEventTypeCode === 'GTOT' && emptyIndicatorCode === 'LADEN',
    );
    const times = out.map(({ eventDateTime }) => Date.parse(eventDateTime));
    if (times.length > 1) expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(3_600_000);
  }
});

it('uses only codes of the standard', () => {
  const known = new Set('LOAD DISC GTIN GTOT STUF STRP PICK DROP INSP RSEA RMVD'.split(' '));
  for (const voyage of voyages) {
    for (const { equipmentEventTypeCode, emptyIndicatorCode, transportCall, eventType } of published(
      voyage,
      voyage.durationMs,
    )) {
      if (eventType !== 'EQUIPMENT') continue;
      expect(known.has(equipmentEventTypeCode ?? '')).toBe(true);
      expect([emptyIndicatorCode !== undefined, transportCall?.transportCallID !== undefined]).toEqual([true, true]);
    }
  }
});

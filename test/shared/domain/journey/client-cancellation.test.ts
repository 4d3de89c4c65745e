import { expect, it } from 'vitest';
import { clientCancellation } from '#shared/domain/journey/client-cancellation.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';

const nowIso = '2026-11-21T16:00:30.250Z';
const nowMs = Date.parse(nowIso);

it('is an actual cancelling event of the client, which no longer counts once voided', () => {
  const event = clientCancellation([], { id: 'e1', nowIso });
  const journey = (events: (typeof event)[]) => composeJourney({ events, transportMode: 'ocean' }, nowMs);
  expect(journey([event])).toMatchObject({ status: 'cancelled', statusEvidence: { eventId: 'e1', source: 'client' } });
  expect(journey([{ ...event, voidedAt: nowIso }])).toMatchObject({ status: 'pending', eventsCount: 1 });
});

it('is a separate event in the same minute after the first was reverted', () => {
  const first = { ...clientCancellation([], { id: 'e1', nowIso }), voidedAt: nowIso };
  const second = clientCancellation([first], { id: 'e2', nowIso });
  expect(second.dedupeKey).not.toBe(first.dedupeKey);
  expect(composeJourney({ events: [first, second], transportMode: 'ocean' }, nowMs)).toMatchObject({
    status: 'cancelled',
    eventsCount: 2,
  });
});

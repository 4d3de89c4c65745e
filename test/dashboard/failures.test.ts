import { describe, expect, test } from 'vitest';
import { ProblemError } from '#services/dashboard/api/problem-error.ts';
import { failureWords, remedyWords } from '#services/dashboard/screens/failures/failure-words.ts';
import { type FailedShipment, groupFailures } from '#services/dashboard/screens/failures/group-failures.ts';
import { runForAll, tallyWords } from '#services/dashboard/screens/failures/run-for-all.ts';
import { trackingReasons } from '#shared/domain/shipments/shipment.ts';

const shipment = (state: string, reason: string | null) =>
  ({ carrier: 'MAEU', tracking: { state, reason } }) as FailedShipment;
const problem = (code: string, status = 409) =>
  new ProblemError({ code, status, detail: `no: ${code}`, requestId: null });

describe('failures in groups', () => {
  test('every shipment stands in exactly one, by state and reason; what needs somebody here comes first', () => {
    const groups = groupFailures([
      shipment('degraded', 'carrier_unreachable'),
      shipment('failed', 'invalid_identifier'),
      shipment('degraded', 'carrier_unreachable'),
      shipment('failed', 'carrier_unreachable'),
      shipment('awaiting_carrier', null),
    ]);
    expect(groups.map(({ key, shipments }) => [key, shipments.length])).toEqual([
      ['failed invalid_identifier', 1],
      ['awaiting_carrier', 1],
      ['failed carrier_unreachable', 1],
      ['degraded carrier_unreachable', 2],
    ]);
  });

  test('every reason has its own words, an unknown one has words too', () => {
    const titles = trackingReasons.map((reason) => failureWords(reason).title);
    expect(new Set(titles).size).toBe(trackingReasons.length);
    expect(failureWords('learnt_later').title).toBe('Not followed');
  });

  test('what is not asked any more is followed again, the rest asked now', () => {
    expect([remedyWords('ask', 'failed'), remedyWords('ask', 'degraded')]).toEqual(['Follow again', 'Ask now']);
  });
});

describe('one button for many', () => {
  const ids = Array.from({ length: 9 }, (_, index) => String(index));
  const quietly = { onProgress: () => {}, wait: async () => {} };

  test('asks for each once, and one refusal stops no other', async () => {
    const asked: string[] = [];
    const tally = await runForAll(
      ids,
      async (id) => {
        asked.push(id);
        if (id === '3') throw problem('shipment_not_found', 404);
        if (id === '4') throw problem('refresh_too_soon', 429);
      },
      quietly,
    );
    expect(asked.toSorted()).toEqual(ids);
    expect(tally).toMatchObject({ done: 7, skipped: 1, of: 9 });
    const words = tallyWords(tally, { doing: 'Asking', done: 'will be asked now' });
    expect(words).toBe(
      '7 will be asked now. 1 left: asked for less than 10 minutes ago, or under way already. 1 refused: no: shipment_not_found.',
    );
  });

  test('waits out a limit on requests, and gives up at last', async () => {
    const turns = new Map<string, number>();
    const tally = await runForAll(
      ['soon', 'never'],
      async (id) => {
        const turn = (turns.get(id) ?? 0) + 1;
        turns.set(id, turn);
        if (id === 'never' || turn < 3) throw problem('rate_limited', 429);
      },
      quietly,
    );
    expect(tally.done).toBe(1);
    expect(tally.refused.size).toBe(1);
  });
});

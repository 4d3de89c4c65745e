import { bareEvent } from '#services/worker/carriers/reading/bare-event.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { ReadEvent, StatedFacts } from '#shared/domain/events/event.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';

type Sketch = Partial<ReadEvent> & Pick<ReadEvent, 'code'> & { local: string };

/** One refresh as a worker does it: claimed, begun and recorded. `shipmentId` is a UUID. */
export async function refresh(
  ctx: CoreContext,
  subject: { accountId: string; shipmentId: string },
  result: FetchResult,
  traceId: string | null = null,
): Promise<void> {
  const rows = await withSystem(ctx.store, async (tx) => {
    const claimed = await tx.query<{ epoch: number }>(
      `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s'
       where shipment_id = $1
       returning epoch`,
      [subject.shipmentId],
    );
    return claimed.rows;
  });
  const [claim] = await beginRefreshes(ctx, [{ ...subject, epoch: rows[0]?.epoch ?? -1 }]);
  if (claim === undefined) throw new Error('the claim is not live');
  const { stale } = await recordRefresh(ctx, claim, result, traceId);
  if (stale) throw new Error('the refresh came too late');
}

/** The result of a fetch from a carrier that has these events. */
export function found(...sketches: Sketch[]): FetchResult {
  const events = sketches.map(({ local, ...sketch }) =>
    bareEvent({ ...boxEvent, raw: { said: sketch.code }, ...sketch, time: utcTime(local) }),
  );
  return {
    outcome: 'found',
    reading: { events, unreadable: [], source: 'simulator:dcsa:maersk' },
    httpStatus: 200,
    durationMs: 12,
  };
}

/** The same result of a carrier that also states these facts. */
export function stating(facts: StatedFacts, result: FetchResult): FetchResult {
  if (result.outcome !== 'found') throw new Error('only a reading can state facts');
  return { ...result, reading: { ...result.reading, facts } };
}

export const carrierDown = {
  outcome: 'error',
  httpStatus: 503,
  durationMs: 31,
  reason: 'carrier_unreachable',
  permanent: false,
  retryAfterMs: null,
  detail: '503',
  source: 'simulator:dcsa:maersk',
} as const satisfies FetchResult;

function utcTime(local: string): ReadEvent['time'] {
  return { at: `${local}:00.000Z`, local, timezone: 'UTC', zoneSource: 'assumed_utc', precision: 'minute' };
}

const boxEvent = {
  classifier: 'actual',
  location: null,
  container: 'CSQU3054383',
  isoType: '45G1',
  mode: 'ocean',
  empty: false,
} as const;

import { createYield } from '#shared/async/yield-event-loop.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { assessFreeTime } from '#shared/domain/free-time/assess-free-time.ts';
import { shownFreeTime } from '#shared/domain/free-time/shown-free-time.ts';
import type { FreeTimeRules, FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { openClockStates } from '#shared/domain/lists/filter.ts';
import type { Clock, ClockState } from '#shared/domain/record/free-time.ts';
import type { Journey, Shipment } from '#shared/domain/record/shipment.ts';
import { isTrackingEnded as isEnded } from '#shared/domain/refresh/cadence.ts';
import {
  type ListPage,
  type ListPosition,
  type PageRequest,
  readShipmentPage,
} from '#shared/store/lists/shipment-list.ts';
import { readTime, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { checkSentTerms } from './check-sent-terms.ts';
import { freeTimeRules } from './free-time-rules.ts';

/** The parts of a clock that a preview compares. */
type ShownClock = Pick<Clock, 'state' | 'lastFreeDay' | 'cost'>;

export type TermsPreview = {
  assessed: number;
  more: boolean;
  /** Containers with a clock that changes. */
  changed: number;
  /** Number of clocks by state. */
  before: Record<string, number>;
  after: Record<string, number>;
  /** The first ones. Null: there is no clock of this kind. */
  changes: {
    shipmentId: string;
    container: string;
    kind: Clock['kind'];
    before: ShownClock | null;
    after: ShownClock | null;
  }[];
};

/** Assessing one takes 0.05 ms, with 50 containers and 2,000 terms 7 ms. */
const maxAssessed = 2000;
const maxMs = 3000;
const shipmentsPerPage = 100;
const maxChanges = 50;

/**
 * Computes the effect of unsaved terms on the newest shipments with an open clock, without storing it: as many as can
 * be assessed in `maxMs`. Reads page by page, each in a transaction of its own. Throws LandfallError
 * `validation_failed` with the mistakes of all rows.
 */
export async function previewFreeTimeTerms(
  ctx: CoreContext,
  { accountId, test }: Caller,
  sent: readonly FreeTimeTerm[],
): Promise<TermsPreview> {
  const rules = await freeTimeRules(ctx, checkSentTerms(sent));
  const preview: TermsPreview = { assessed: 0, more: false, changed: 0, before: {}, after: {}, changes: [] };
  const scope = { accountId, test, filter: { freeTime: [...openClockStates] } };
  const yieldIfDue = createYield();
  const endMs = performance.now() + maxMs;
  let after: ListPosition | null = null;
  do {
    const page: PageRequest = { sort: '-created_at', limit: shipmentsPerPage, after, withEvents: false };
    const read: ListPage & { nowMs: number } = await withAccountReads(ctx.store, accountId, async (tx) => ({
      ...(await readShipmentPage(tx, scope, page)),
      nowMs: (await readTime(tx)).getTime(),
    }));
    for (const shipment of read.shipments) {
      addShipment(preview, shipment, { rules, nowMs: read.nowMs });
      await yieldIfDue();
    }
    after = read.next;
    preview.more = after !== null;
  } while (after !== null && preview.assessed < maxAssessed && performance.now() < endMs);
  return preview;
}

function addShipment(
  preview: TermsPreview,
  shipment: Shipment,
  { rules, nowMs }: { rules: FreeTimeRules; nowMs: number },
): void {
  preview.assessed += 1;
  const { journey, carrier, manualFreeDays: manual = [] } = shipment;
  const isTrackingEnded = isEnded(shipment.tracking.state);
  const assessed = assessFreeTime(journey, { carrier, rules, manual, isTrackingEnded }, nowMs);
  const [before, after] = [clocksOf(journey), clocksOf(assessed)];
  for (const { clock } of before.values()) count(preview.before, clock.state);
  for (const { clock } of after.values()) count(preview.after, clock.state);
  const changed = new Set<string>();
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)];
    const one = old ?? now;
    if (one === undefined || isSame(old?.clock, now?.clock)) continue;
    const { container, clock } = one;
    changed.add(container);
    if (preview.changes.length === maxChanges) continue;
    preview.changes.push({
      shipmentId: shipment.id,
      container,
      kind: clock.kind,
      before: old?.clock ?? null,
      after: now?.clock ?? null,
    });
  }
  preview.changed += changed.size;
}

function clocksOf({ containers }: Pick<Journey, 'containers'>): Map<string, { container: string; clock: Clock }> {
  return new Map(
    containers.flatMap((container) =>
      shownFreeTime(container).clocks.map((clock, place, clocks) => [
        // Terms may add the clock of a terminal that the container has left: it comes before the present one.
        `${container.number} ${clock.kind} ${clocks.slice(place).filter(({ kind }) => kind === clock.kind).length}`,
        { container: container.number, clock },
      ]),
    ),
  );
}

function count(states: Record<string, number>, state: ClockState): void {
  states[state] = (states[state] ?? 0) + 1;
}

function isSame(left: ShownClock | undefined, right: ShownClock | undefined): boolean {
  return textOf(left) === textOf(right);
}

function textOf(clock: ShownClock | undefined): string | null {
  if (clock === undefined) return null;
  const { state, lastFreeDay, cost } = clock;
  return [state, lastFreeDay, cost?.amount, cost?.currency, cost?.isFloor].join(' ');
}

import { dayMs, hourMs } from '../voyages/itinerary.ts';
import { localTime } from '../voyages/local-time.ts';
import type { Milestone } from '../voyages/milestones.ts';
import { createRandom } from '../voyages/random.ts';
import type { Voyage } from '../voyages/voyage.ts';
import type { Published } from './play.ts';

/** Calendar days between the discharge and the last free day. */
const freeDays = 4;

/**
 * Returns the rows of the last port's terminal about the containers of a voyage: holds, the last free day, releases,
 * availability, a fee after the last free day, and the gate-out. The carrier publishes none of the former.
 */
export function terminalRows(voyage: Voyage, startMs: number): Published[] {
  return voyage.identifiers.containers.flatMap((container) => visitRows(voyage, { container, startMs }));
}

function visitRows(voyage: Voyage, { container, startMs }: { container: string; startMs: number }): Published[] {
  const discharge = lastOf(voyage, `DISC-`, container);
  const gateOut = voyage.milestones.find(({ id }) => id === `GTOT-LADEN-${container}`);
  const call = discharge?.subject.transportCall;
  if (discharge === undefined || gateOut === undefined || call === undefined) return [];
  const { zone, actualMs: dischargedMs } = discharge;
  const stayMs = gateOut.actualMs - dischargedMs;
  const random = createRandom(voyage.key, 'terminal', container);
  const after = (share: number) => Math.round((dischargedMs + share * stayMs) / 60_000) * 60_000;
  const location = { unlocode: call.UNLocationCode, facility: call.facilityCode };
  const row = (what: string, atMs: number, said: object): Published => ({
    atMs,
    id: `${container}-${what}`,
    body: {
      source_name: 'demo-terminal',
      shipment: { container, transport_mode: 'ocean' },
      container,
      time: { at: localTime(startMs + atMs, zone) },
      location,
      ...said,
    },
  });
  const lastFreeDay = localTime(startMs + dischargedMs + freeDays * dayMs, zone).slice(0, 10);
  const hold = (type: string, status: string, detail: string) => ({ type, status, detail });
  const lateMs = dischargedMs + (freeDays + 1) * dayMs + hourMs;
  return [
    row('held', dischargedMs + 600_000, {
      holds: [hold('customs', 'active', 'Entry not filed'), hold('freight', 'active', 'Freight charges unpaid')],
      last_free_days: [{ by: 'terminal', kind: 'demurrage', day: lastFreeDay }],
      available: false,
    }),
    row('freight-released', after(random.between(0.2, 0.4)), { holds: [hold('freight', 'released', 'Paid')] }),
    row('customs-released', after(random.between(0.5, 0.6)), {
      holds: [hold('customs', 'released', 'Entry accepted')],
    }),
    row('available', after(random.between(0.65, 0.75)), { code: 'available_for_pickup', available: true }),
    ...(lateMs < gateOut.actualMs
      ? [row('fee', lateMs, { fees: [{ type: 'Demurrage', amount: random.whole(90, 240), currency: 'USD' }] })]
      : []),
    row('gate-out', gateOut.actualMs + 120_000, {
      code: 'gate_out_full',
      time: { at: localTime(startMs + gateOut.actualMs, zone) },
    }),
  ];
}

function lastOf({ milestones }: Voyage, prefix: string, container: string): Milestone | undefined {
  return milestones
    .filter(({ id }) => id.startsWith(prefix) && id.endsWith(`-${container}`))
    .toSorted((one, other) => one.actualMs - other.actualMs)
    .at(-1);
}

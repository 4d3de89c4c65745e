import { createAlert } from '#shared/core/alerts/alerts.ts';
import { changePreferences } from '#shared/core/alerts/preferences.ts';
import { saveView } from '#shared/core/alerts/saved-views.ts';
import type { Timing } from '#shared/domain/alerts/alert.ts';
import type { Shipment, Status } from '#shared/domain/record/shipment.ts';
import { type AlertWorld, openAlertWorld, type Person, type Written } from '#test/support/alerts/alert-world.ts';

const tags = ['red', 'green', 'blue', 'gold'];
const statuses: readonly Status[] = ['booked', 'in_transit', 'arrived', 'delivered'];
const types = ['tags', 'tags', 'tags', 'status', 'status', 'eta', 'event'] as const;

/** The drill's own state of a shipment. */
type Model = { tags: string[]; status: Status; etaMs: number };
type ModelView = { tags: string[] | null; statuses: Status[] | null };
type ModelAlert = {
  person: number;
  view: ModelView;
  enters: boolean;
  leaves: boolean;
  reaches: Status[];
  etaHours: number | null;
  timing: Timing;
};

/** A member of the drill with the zone of their digests. */
export type FleetPerson = Person & { zone: string };
/** `notified`: the members to notify, and the timings of the alerts that say so. */
export type FleetChange = { notified: Map<number, Set<Timing>> };

export type AlertFleet = {
  world: AlertWorld;
  people: FleetPerson[];
  changes: FleetChange[];
  /** Writes changes in one transaction. */
  write: (count: number) => Promise<void>;
};

/** Members with views and alerts, and changes of which the drill decides by rules of its own whom they concern. */
export async function openAlertFleet(
  size: { people: number; views: number; shipments: number },
  { zones, timings, random }: { zones: readonly string[]; timings: readonly Timing[]; random: () => number },
): Promise<AlertFleet> {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const some = <Value>(values: readonly Value[]) => values.filter(() => random() < 0.4);
  const world = await openAlertWorld();
  const people: FleetPerson[] = [];
  for (let index = 0; index < size.people; index += 1) {
    const person = await world.addPerson({ name: `Person ${index}`, role: 'member' });
    const zone = zones[index % zones.length] as string;
    await changePreferences(world.core.ctx, person.caller, { timeZone: zone });
    people.push({ ...person, zone });
  }
  const shipments: Shipment[] = [];
  for (let index = 0; index < size.shipments; index += 1) shipments.push(await world.register());
  // Nothing but the drill changes them.
  await world.core.store.system.query('update landfall.polling set next_refresh_at = null, stale_at = null');
  await world.core.store.system.query('update landfall.shipments set attention_at = null, free_time_at = null');
  await world.sequence();

  const alerts: ModelAlert[] = [];
  for (let index = 0; index < size.views; index += 1) {
    const person = index % size.people;
    const owner = people[person] as FleetPerson;
    const view: ModelView = {
      tags: random() < 0.8 ? [pick(tags), ...some(tags)] : null,
      statuses: random() < 0.5 ? [pick(statuses), ...some(statuses)] : null,
    };
    const isShared = random() < 0.2;
    const saved = await saveView(world.core.ctx, owner.caller, {
      name: `View ${index}`,
      shared: isShared,
      search: {},
      filter: { ...(view.tags && { tag: view.tags }), ...(view.statuses && { status: view.statuses }) },
      sort: '-created_at',
    });
    // A shared view is followed by another member as well.
    for (const follower of isShared ? [person, (person + 1) % size.people] : [person]) {
      const alert: ModelAlert = {
        person: follower,
        view,
        enters: random() < 0.7,
        leaves: random() < 0.4,
        reaches: random() < 0.3 ? [pick(statuses)] : [],
        etaHours: random() < 0.3 ? 24 : null,
        timing: pick(timings),
      };
      if (!alert.enters && !alert.leaves && alert.reaches.length === 0 && alert.etaHours === null) alert.enters = true;
      alerts.push(alert);
      await createAlert(world.core.ctx, (people[follower] as FleetPerson).caller, {
        viewId: saved.id,
        shipmentId: null,
        rules: {
          ...(alert.enters && { enters: true }),
          ...(alert.leaves && { leaves: true }),
          ...(alert.reaches.length > 0 && { statuses: alert.reaches }),
          ...(alert.etaHours !== null && { etaMovedHours: alert.etaHours }),
        },
        channels: ['email'],
        timing: alert.timing,
        paused: false,
      });
    }
  }

  const models = new Map<string, Model>(
    shipments.map(({ id }) => [id, { tags: [], status: 'pending', etaMs: Date.parse('2027-05-01T00:00:00Z') }]),
  );
  const changes: FleetChange[] = [];
  const next = (): Written => {
    const shipment = pick(shipments);
    const before = models.get(shipment.id) as Model;
    const kind = pick(types);
    const after: Model = {
      tags: kind === 'tags' ? some(tags) : before.tags,
      status: kind === 'status' ? pick(statuses) : before.status,
      etaMs: kind === 'eta' ? before.etaMs + (Math.floor(random() * 20) - 10) * 6 * 3_600_000 : before.etaMs,
    };
    models.set(shipment.id, after);
    const notified = new Map<number, Set<Timing>>();
    for (const alert of alerts) {
      if (!concerns(alert, { before, after, isEta: kind === 'eta' })) continue;
      notified.set(alert.person, (notified.get(alert.person) ?? new Set()).add(alert.timing));
    }
    changes.push({ notified });
    const time = (ms: number) => {
      const at = new Date(ms).toISOString();
      return { at, local: at.slice(0, 19), timezone: 'UTC', precision: 'minute' } as never;
    };
    return {
      shipment,
      type: {
        tags: 'shipment.updated',
        status: 'shipment.status_changed',
        eta: 'shipment.eta_changed',
        event: 'shipment.event_added',
      }[kind] as Written['type'],
      changes: kind === 'eta' ? { eta: [time(before.etaMs), time(after.etaMs)] } : {},
      ...(kind === 'event' ? {} : { now: { tags: after.tags, journey: { status: after.status } } }),
    };
  };
  return {
    world,
    people,
    changes,
    write: (count) => world.write(Array.from({ length: count }, next)),
  };
}

/** The drill's own reading of the rules. */
function concerns(
  { view, enters, leaves, reaches, etaHours }: ModelAlert,
  { before, after, isEta }: { before: Model; after: Model; isEta: boolean },
): boolean {
  const contains = ({ tags: own, status }: Model) =>
    (view.tags === null || view.tags.some((tag) => own.includes(tag))) &&
    (view.statuses === null || view.statuses.includes(status));
  const [was, is] = [contains(before), contains(after)];
  if ((enters && !was && is) || (leaves && was && !is)) return true;
  if (!was && !is) return false;
  if (before.status !== after.status && reaches.includes(after.status)) return true;
  return isEta && etaHours !== null && Math.abs(after.etaMs - before.etaMs) >= etaHours * 3_600_000;
}

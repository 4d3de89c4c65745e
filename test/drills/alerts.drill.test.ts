import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AlertFleet, openAlertFleet } from '#infra/tools/drills/alert-fleet.ts';
import { getAlertMessage } from '#shared/core/alerts/read-messages.ts';
import type { Timing } from '#shared/domain/alerts/alert.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { type MailCatcher, openMailCatcher } from '#test/support/alerts/mail-catcher.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { type RunningService, startService } from '#test/support/processes.ts';
import { scaled } from '#test/support/run-scale.ts';
import { until } from '#test/support/until.ts';

const shiftClock = fileURLToPath(new URL('../../infra/tools/drills/worlds/shift-clock.mjs', import.meta.url));

/**
 * Digests of what happens between 12:05 and 12:30 UTC on Saturday, 27 March 2027, by hand: clocks in Berlin go forward
 * on Sunday at 01:00 UTC; New York (UTC−4) and Sydney (UTC+11) have changed before or change later; Kolkata is UTC+5:30.
 */
const digests: Record<string, Record<Exclude<Timing, 'at_once'>, string>> = {
  'Europe/Berlin': { hourly: '2027-03-27T13:00', daily: '2027-03-28T05:00', weekdays: '2027-03-29T05:00' },
  'America/New_York': { hourly: '2027-03-27T13:00', daily: '2027-03-28T11:00', weekdays: '2027-03-29T11:00' },
  'Asia/Kolkata': { hourly: '2027-03-27T12:30', daily: '2027-03-28T01:30', weekdays: '2027-03-29T01:30' },
  'Australia/Sydney': { hourly: '2027-03-27T13:00', daily: '2027-03-27T20:00', weekdays: '2027-03-28T20:00' },
};
const startsAt = '2027-03-27T12:05:00Z';

/** `clocks`: the clock of the workers, step by step. What is due by a step arrives in it, and nothing else. */
const plan = scaled({
  short: {
    size: { people: 4, views: 12, shipments: 6 },
    zones: ['Europe/Berlin'],
    timings: ['at_once', 'daily'] as Timing[],
    changes: 200,
    parts: 4,
    kills: 1,
    workers: 1,
    waitsForLeases: false,
    clocks: ['2027-03-27T12:29:00Z', '2027-03-28T04:59:30Z', '2027-03-28T05:00:30Z'],
  },
  full: {
    size: { people: 20, views: 200, shipments: 40 },
    zones: Object.keys(digests),
    timings: ['at_once', 'at_once', 'hourly', 'daily', 'weekdays'] as Timing[],
    changes: 10_000,
    parts: 200,
    kills: 20,
    workers: 2,
    waitsForLeases: true,
    clocks: [
      '2027-03-27T12:29:00Z',
      '2027-03-27T12:30:30Z',
      '2027-03-27T13:00:30Z',
      '2027-03-27T20:00:30Z',
      '2027-03-28T01:30:30Z',
      '2027-03-28T04:59:00Z',
      '2027-03-28T05:00:30Z',
      '2027-03-28T11:00:30Z',
      '2027-03-28T20:00:30Z',
      '2027-03-29T01:30:30Z',
      '2027-03-29T05:00:30Z',
      '2027-03-29T11:00:30Z',
    ],
  },
});

/** Of one worker. */
const messagesUnderWay = 10;

describe('alerts while workers die', () => {
  let catcher: MailCatcher;
  let fleet: AlertFleet;
  const workers: RunningService[] = [];

  beforeAll(async () => {
    catcher = await openMailCatcher({ answerAfterMs: 30 });
    fleet = await openAlertFleet(plan.size, { ...plan, random: seeded(20_270_327) });
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await fleet?.world.close();
    await catcher?.close();
  });

  const start = async (clock: string, runsForMs = Number.POSITIVE_INFINITY): Promise<void> => {
    workers.push(
      await startService('worker', {
        DATABASE_URL: fleet.world.core.serviceUrl,
        CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
        SMTP_URL: catcher.url,
        MAIL_FROM: 'Landfall <landfall@example.com>',
        NODE_OPTIONS: `--import ${shiftClock}`,
        DRILL_CLOCK_OFFSET_MS: String(Date.parse(clock) - Date.now()),
        DRILL_CLOCK_STOPS_AT_MS: String(Date.parse(clock) + runsForMs),
        SIMULATOR: 'off',
        TRACE_STORE: 'off',
        PORT: '0',
        WORKER_HEALTH_PORT: '0',
      }),
    );
  };

  it('notifies each member of exactly the changes that concern them, once, at once and in digests, across a change of clocks', async () => {
    const random = seeded(7);
    const deaths: { atMs: number; sent: Set<string> }[] = [];
    const kill = async (): Promise<void> => {
      await workers.shift()?.kill();
      deaths.push({ atMs: performance.now(), sent: await readSent(fleet) });
    };
    for (let count = 0; count < plan.workers; count += 1) await start(startsAt);
    for (let part = 1; part <= plan.parts; part += 1) {
      await fleet.write(plan.changes / plan.parts);
      if (part % Math.ceil(plan.parts / plan.kills) !== 0) continue;
      // Somewhere between the evaluating of a page and the answer of the mail server.
      const before = catcher.mails.length;
      if (part === plan.parts)
        await until(
          async () => catcher.mails.length,
          (count) => count > before || before > 0,
        );
      await sleep(random() * 1500);
      await kill();
      if (!plan.waitsForLeases) await expireLeases(fleet);
      await start(startsAt);
    }
    expect(deaths.length).toBeGreaterThanOrEqual(plan.kills);

    /** When a mail arrived, as the step of the workers' clock. */
    const arrivals: { step: string; from: number }[] = [{ step: startsAt, from: 0 }];
    await until(
      () => countWaiting(fleet, startsAt),
      (count) => count === 0,
    );
    for (const step of plan.clocks) {
      await Promise.all(workers.splice(0).map((worker) => worker.kill()));
      if (!plan.waitsForLeases) await expireLeases(fleet);
      arrivals.push({ step, from: catcher.mails.length });
      // However busy the machine is, the clock stays before what is due next.
      await start(step, 20_000);
      await until(
        () => countWaiting(fleet, step),
        (count) => count === 0,
      );
    }

    const { rows } = await fleet.world.core.store.system.query<{ id: string }>(
      `select id from landfall.changes where type <> 'shipment.created' order by write_order`,
    );
    expect(rows).toHaveLength(fleet.changes.length);
    const numberOf = new Map(rows.map(({ id }, index) => [id, index]));

    const reported = fleet.people.map(() => [] as { change: number; step: string; isDigest: boolean }[]);
    const known = new Set<string>();
    for (const [index, { messageId, to, mail }] of catcher.mails.entries()) {
      if (known.has(messageId)) continue;
      known.add(messageId);
      const person = fleet.people.findIndex(({ email }) => email === to);
      const step = arrivals.findLast(({ from }) => index >= from)?.step ?? '';
      const id = decodeTypeId('msg', /\/alerts\/messages\/(msg_[0-9a-z]{26})/.exec(mail.text ?? '')?.[1] ?? '') ?? '';
      const caller = fleet.people[person]?.caller;
      if (caller === undefined) throw new Error(`a mail to a stranger: ${to}`);
      const listed = [...(mail.text ?? '').matchAll(/#(chg_[0-9a-z]{26})/g)].map(([, change]) => change ?? '');
      const changes = listed.length > 0 ? listed : await readFlood(fleet, { person, id });
      for (const change of changes)
        reported[person]?.push({
          change: numberOf.get(decodeTypeId('chg', change) ?? '') ?? -1,
          step,
          isDigest: mail.subject?.includes('igest:') === true,
        });
    }

    for (const [person, own] of reported.entries()) {
      const expected = fleet.changes.flatMap(({ notified }, change) => (notified.has(person) ? [change] : []));
      expect(
        own.map(({ change }) => change).toSorted((a, b) => a - b),
        `person ${person}`,
      ).toEqual(expected);
      const zone = fleet.people[person]?.zone ?? '';
      for (const { change, step, isDigest } of own) {
        const timings = fleet.changes[change]?.notified.get(person) ?? new Set();
        const due = dueOf(zone, timings);
        expect({ change, isDigest }).toEqual({ change, isDigest: due !== null });
        if (due !== null) expect({ change, step }).toEqual({ change, step: stepAt(due) });
      }
      const messages = new Set(
        catcher.mails
          .filter(({ to, mail }) => to === fleet.people[person]?.email && mail.subject?.includes('igest:') !== true)
          .map(({ messageId }) => messageId),
      );
      // A flood becomes few messages: ten, and one for each ten minutes.
      expect(messages.size).toBeLessThanOrEqual(12);
    }
    expect(reported.flat().length).toBeGreaterThan(plan.changes / 10);
    for (const { atMs, sent } of deaths)
      expect(catcher.mails.filter((mail) => mail.atMs > atMs && sent.has(mail.messageId))).toEqual([]);
    expect(catcher.mails.length - known.size).toBeLessThanOrEqual(deaths.length * messagesUnderWay);
    process.stdout.write(
      `alerts: ${reported.flat().length} updates in ${known.size} messages, ${catcher.mails.length - known.size} repeated, ${deaths.length} kills\n`,
    );
  });
});

/** When the soonest digest of these timings comes. Null: it is sent at once. */
function dueOf(zone: string, timings: ReadonlySet<Timing>): string | null {
  if (timings.has('at_once')) return null;
  const dues = [...timings].map((timing) => digests[zone]?.[timing as Exclude<Timing, 'at_once'>] ?? '');
  return dues.toSorted()[0] ?? null;
}

/** The first step of the clock at or after a time. */
function stepAt(due: string): string {
  return plan.clocks.find((clock) => Date.parse(clock) >= Date.parse(`${due}:00Z`)) ?? 'never';
}

async function readSent({ world }: AlertFleet): Promise<Set<string>> {
  const { rows } = await world.core.store.system.query<{ id: string }>(
    `select id from landfall.alert_messages where state = 'sent'`,
  );
  return new Set(rows.map(({ id }) => `<alert-${id}@example.com>`));
}

/** Leases of a dead worker last up to 90 seconds. */
async function expireLeases({ world }: AlertFleet): Promise<void> {
  const { system } = world.core.store;
  await system.query('update landfall.alert_cursors set lease_until = now() where lease_until is not null');
  await system.query('update landfall.alert_messages set lease_until = now() where lease_until is not null');
}

/** Counts the open work at a time: changes without sequence or evaluation, due mailboxes, messages. */
async function countWaiting({ world }: AlertFleet, clock: string): Promise<number> {
  const { rows } = await world.core.store.system.query<{ count: number }>(
    `
    select (
      (select count(*) from landfall.changes where sequence is null)
      + (
        select count(*) from landfall.alert_cursors as c join landfall.account_feeds as f using (account_id)
        where c.sequence < f.given
      )
      + (select count(*) from landfall.alert_mailboxes where due_at <= $1)
      + (select count(*) from landfall.alert_messages where state = 'waiting')
    )::integer as count`,
    [clock],
  );
  return rows[0]?.count ?? 0;
}

/** Everything that a message without a list reports, page by page. */
async function readFlood(
  { world, people }: AlertFleet,
  { person, id }: { person: number; id: string },
): Promise<string[]> {
  const found: string[] = [];
  const caller = people[person]?.caller;
  if (caller === undefined) return found;
  for (let offset = 0; ; offset += 200) {
    const { entries } = await getAlertMessage(world.core.ctx, caller, { id, offset, limit: 200 });
    found.push(...entries.map(({ path }) => path.split('#')[1] ?? ''));
    if (entries.length < 200) return found;
  }
}

/** Mulberry32: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { evaluateAlerts, readViewFilter } from '#services/worker/alerts/evaluate-alerts.ts';
import { changeAlert, createAlert, listAlerts } from '#shared/core/alerts/alerts.ts';
import { claimAlertFeeds, releaseAlertFeeds } from '#shared/core/alerts/claim-feeds.ts';
import { evaluateNextPage } from '#shared/core/alerts/evaluate-feed.ts';
import { changePreferences, removeChannel, setChannel } from '#shared/core/alerts/preferences.ts';
import { getAlertMessage, listAlertMessages, measureAlerts } from '#shared/core/alerts/read-messages.ts';
import { changeView, saveView } from '#shared/core/alerts/saved-views.ts';
import { sweepTimedRules } from '#shared/core/alerts/sweep-timed-rules.ts';
import { readUnsubscribing, unsubscribe } from '#shared/core/alerts/unsubscribe.ts';
import { removeMember } from '#shared/core/members/members.ts';
import { notifyOwners } from '#shared/core/notices/notify-owners.ts';
import type { AlertRules } from '#shared/domain/alerts/alert.ts';
import type { OutgoingMessage } from '#shared/domain/alerts/outgoing.ts';
import { type AlertWorld, openAlertWorld, type Person } from '#test/support/alerts/alert-world.ts';
import { sendAlerts } from '#test/support/alerts/send-alerts.ts';

let world: AlertWorld;
let clockMs = Date.parse('2027-01-05T09:00:00Z');
const sent: OutgoingMessage[] = [];
const signal = new AbortController().signal;

beforeAll(async () => {
  world = await openAlertWorld({ now: () => new Date(clockMs) });
});
afterAll(() => world.close());

/** Evaluates what was written, lets time pass, and sends. Returns the mails to a person. */
async function notify(person: Person, passMs = 60_000): Promise<OutgoingMessage[]> {
  await world.sequence();
  while (await evaluateAlerts({ core: world.core.ctx, signal }, null));
  clockMs += passMs;
  const from = sent.length;
  const mailer = {
    send: async (message: OutgoingMessage) => {
      sent.push(message);
      return { outcome: 'sent' as const };
    },
    close: () => undefined,
  };
  const sender = { compose: () => ({ headers: {}, body: '' }), send: () => Promise.reject(new Error('no webhooks')) };
  while (await sendAlerts({ core: world.core.ctx, mailer, sender }, signal));
  return sent.slice(from).filter(({ recipient }) => recipient.email === person.email);
}

const linesOf = (mails: readonly OutgoingMessage[]) =>
  mails.flatMap(({ entries }) => entries.flatMap(({ facts }) => facts.lines));

async function alertOn(person: Person, filter: Record<string, unknown>, rules: AlertRules, name = `view ${clockMs}`) {
  clockMs += 1;
  const view = await saveView(world.core.ctx, person.caller, {
    name,
    shared: false,
    search: {},
    filter,
    sort: '-created_at',
  });
  const alert = await createAlert(world.core.ctx, person.caller, {
    viewId: view.id,
    shipmentId: null,
    rules,
    channels: ['email'],
    timing: 'at_once',
    paused: false,
  });
  return { view, alert };
}

describe('alerts of a saved view', () => {
  it('reports each entry and each exit of a shipment once, and no other change', async () => {
    const person = await world.addPerson();
    const shipment = await world.register();
    await notify(person);
    await alertOn(person, { tag: ['red'] }, { enters: true, leaves: true }, 'Red ones');
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: ['red'] } }]);
    expect(linesOf(await notify(person))).toEqual(['Entered “Red ones”']);
    await world.write([
      { shipment, type: 'shipment.updated', now: { tags: ['red', 'big'] } },
      { shipment, type: 'shipment.event_added' },
    ]);
    expect(await notify(person)).toEqual([]);
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: [] } }]);
    expect(linesOf(await notify(person))).toEqual(['Left “Red ones”']);
  });

  it('reports a change once, however many views it enters', async () => {
    const person = await world.addPerson();
    const shipment = await world.register();
    await notify(person);
    for (const name of ['One', 'Two', 'Three']) await alertOn(person, { tag: ['blue'] }, { enters: true }, name);
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: ['blue'] } }]);
    const mails = await notify(person);
    expect(mails.map(({ count }) => count)).toEqual([1]);
    expect(linesOf(mails)).toEqual(['Entered “One”', 'Entered “Two”', 'Entered “Three”']);
  });

  it('decides by the record if the snapshot of a change does not suffice', async () => {
    const person = await world.addPerson();
    const shipment = await world.register({ metadata: { buyer: 'acme' } });
    const other = await world.register({ metadata: { buyer: 'other' } });
    await notify(person);
    await alertOn(person, { metadata: { buyer: ['acme'] }, tag: ['m'] }, { enters: true }, 'Acme');
    await world.write([
      { shipment, type: 'shipment.updated', now: { tags: ['m'] } },
      { shipment: other, type: 'shipment.updated', now: { tags: ['m'] } },
    ]);
    expect(linesOf(await notify(person))).toEqual(['Entered “Acme”']);
  });

  it('reads the snapshot before from the change itself when the feed has forgotten the one before', async () => {
    const person = await world.addPerson();
    const shipment = await world.register({ tags: ['kept'] });
    await notify(person);
    await alertOn(person, { tag: ['kept'], status: ['booked'] }, { enters: true, statuses: ['booked'] }, 'Booked');
    await world.core.store.system.query('delete from landfall.changes where shipment_id = $1', [shipment.id]);
    await world.write([
      {
        shipment,
        type: 'shipment.status_changed',
        changes: { status: ['pending', 'booked'] },
        now: { journey: { status: 'booked' } },
      },
    ]);
    expect(linesOf(await notify(person))).toEqual(['Entered “Booked”', 'Status: Booked']);
    await world.core.store.system.query('delete from landfall.changes where shipment_id = $1', [shipment.id]);
    await world.write([
      { shipment, type: 'shipment.updated', changes: { needsAttention: [false, true] }, now: { needsAttention: true } },
    ]);
    expect(await notify(person)).toEqual([]);
  });

  it('refuses an update of a followed view that alerts could not follow', async () => {
    const person = await world.addPerson();
    const { view } = await alertOn(person, { tag: ['x'] }, { enters: true }, 'Followed');
    const daily = { search: { eta: 'today' }, filter: null, sort: 'eta' } as const;
    const refusal = { code: 'invalid_state' };
    await expect(changeView(world.core.ctx, person.caller, { id: view.id, update: daily })).rejects.toMatchObject(
      refusal,
    );
    const again = { name: 'Followed', shared: false, ...daily };
    await expect(saveView(world.core.ctx, person.caller, again)).rejects.toMatchObject(refusal);
    expect(await saveView(world.core.ctx, person.caller, { ...again, name: 'Other' })).toMatchObject({ filter: null });
  });

  it('reports nothing while paused, and only later changes afterwards', async () => {
    const person = await world.addPerson();
    const shipment = await world.register();
    await notify(person);
    const { alert } = await alertOn(person, { tag: ['p'] }, { enters: true });
    await changeAlert(world.core.ctx, person.caller, { id: alert.id, update: { paused: true } });
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: ['p'] } }]);
    await world.sequence();
    await changeAlert(world.core.ctx, person.caller, { id: alert.id, update: { paused: false } });
    expect(await notify(person)).toEqual([]);
  });

  it('ends alerts of others when a view is no longer shared, and all of them with the member', async () => {
    const owner = await world.addPerson();
    const other = await world.addPerson();
    const view = await saveView(world.core.ctx, owner.caller, {
      name: 'Shared',
      shared: true,
      search: {},
      filter: { tag: ['x'] },
      sort: 'eta',
    });
    const settings = { rules: { enters: true }, channels: ['email'], timing: 'at_once', paused: false } as const;
    const follow = (person: Person) =>
      createAlert(world.core.ctx, person.caller, { ...settings, viewId: view.id, shipmentId: null });
    await follow(other);
    await follow(owner);
    await changeView(world.core.ctx, owner.caller, { id: view.id, update: { shared: false } });
    const own = (person: Person) => listAlerts(world.core.ctx, person.caller, { viewId: null, shipmentId: null });
    expect(await own(other)).toEqual([]);
    expect(await own(owner)).toHaveLength(1);
    await expect(follow(other)).rejects.toMatchObject({ code: 'view_not_found' });
    await removeMember(world.core.ctx, other.caller, { userId: owner.userId, revokeKeys: false });
    expect(await own(owner)).toEqual([]);
  });
});

describe('evaluateNextPage', () => {
  it('ends a page that takes too long at the current change, and reports the rest with the next', async () => {
    const person = await world.addPerson();
    const shipments = await Promise.all(Array.from({ length: 4 }, () => world.register()));
    await notify(person);
    await alertOn(person, { tag: ['slow'] }, { enters: true }, 'Slow');
    await world.write(shipments.map((shipment) => ({ shipment, type: 'shipment.updated', now: { tags: ['slow'] } })));
    await world.sequence();
    const claims = await claimAlertFeeds(world.core.ctx, [world.caller.accountId], 1);
    const [claim] = claims;
    if (claim === undefined) throw new Error('nothing to evaluate');
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 2000));
    const hasMore = await evaluateNextPage(world.core.ctx, claim, readViewFilter);
    clock.mockRestore();
    expect(hasMore).toBe(true);
    const { rows } = await world.core.store.system.query<{ count: number }>(
      'select count(*)::integer as count from landfall.alert_entries where user_id = $1',
      [person.userId],
    );
    expect(rows[0]?.count).toBeGreaterThan(0);
    expect(rows[0]?.count).toBeLessThan(4);
    await releaseAlertFeeds(world.core.ctx, claims);
    expect((await notify(person)).map(({ count }) => count)).toEqual([4]);
  });
});

describe('rules of one shipment', () => {
  it('reports a reached status, a moved ETA and an exception, and no smaller moves', async () => {
    const person = await world.addPerson();
    const shipment = await world.register();
    await notify(person);
    await createAlert(world.core.ctx, person.caller, {
      viewId: null,
      shipmentId: shipment.id,
      rules: { statuses: ['arrived'], etaMovedHours: 24, exception: true },
      channels: ['email'],
      timing: 'at_once',
      paused: false,
    });
    const at = (iso: string) => ({ at: iso, local: iso.slice(0, 19), timezone: 'UTC', precision: 'minute' }) as never;
    const [first, second, third] = [at('2027-02-01T10:00:00Z'), at('2027-02-02T09:00:00Z'), at('2027-02-05T09:00:00Z')];
    await world.write([
      { shipment, type: 'shipment.eta_changed', changes: { eta: [first, second] }, now: {} },
      { shipment, type: 'shipment.eta_changed', changes: { eta: [second, third] }, now: {} },
      { shipment, type: 'shipment.status_changed', now: { journey: { status: 'arrived' } } },
      { shipment, type: 'shipment.delivered' },
      {
        shipment,
        type: 'shipment.exception_opened',
        changes: { exception: [null, { message: 'Held by customs', container: 'MSKU1234565' } as never] },
      },
    ]);
    expect(linesOf(await notify(person))).toEqual([
      'ETA moved from 2 Feb 09:00 to 5 Feb 09:00 (+3 d)',
      'Status: Arrived',
      'Exception: Held by customs (MSKU1234565)',
    ]);
  });
});

describe('rules of time', () => {
  it('reports once when a failure, a silence or the end of free time has come to its time', async () => {
    const person = await world.addPerson();
    const shipment = await world.register({ tags: ['timed'] });
    await world.core.store.system.query('update landfall.shipments set created_at = $2 where id = $1', [
      shipment.id,
      new Date(clockMs).toISOString(),
    ]);
    await alertOn(person, { tag: ['timed'] }, { failingHours: 6, silentDays: 2, freeTimeDays: 3 }, 'Timed');
    const day = new Date(clockMs + 4 * 86_400_000).toISOString().slice(0, 10);
    await world.core.store.system.query('update landfall.shipments set last_free_day = $2 where id = $1', [
      shipment.id,
      day,
    ]);
    await world.write([{ shipment, type: 'shipment.tracking_state_changed', now: { tracking: { state: 'failed' } } }]);
    await notify(person);
    await world.core.store.system.query('update landfall.alert_failing set since = $1', [
      new Date(clockMs).toISOString(),
    ]);
    const linesAfter = async (hours: number) => {
      clockMs += hours * 3_600_000;
      while ((await sweepTimedRules(world.core.ctx, readViewFilter)) > 0);
      return linesOf(await notify(person));
    };
    expect(await linesAfter(5)).toEqual([]);
    expect(await linesAfter(1.1)).toEqual(['Tracking has failed for 6 hours']);
    expect((await linesAfter(24))[0]).toMatch(/^Free time ends: the last free day is /);
    expect(await linesAfter(20)).toEqual(['No new event for 2 days']);
    expect(await linesAfter(240)).toEqual([]);
  });
});

it('evaluates timed rules of other feeds when those of one fail, and shows changes that are not evaluated', async () => {
  const person = await world.addPerson();
  const shipment = await world.register();
  const system = world.core.store.system;
  await alertOn(person, { tag: ['a'] }, { silentDays: 2 });
  const live = { ...person, caller: { ...person.caller, test: false } };
  const { alert } = await alertOn(live, { tag: ['b'] }, { silentDays: 2 });
  await system.query(`update landfall.alerts set rules = '{"silentDays":1000000000000}' where id = $1`, [alert.id]);
  await system.query(`update landfall.alert_cursors set swept_at = '2020-01-01' where not test`);
  clockMs += 120_000;
  await sweepTimedRules(world.core.ctx, readViewFilter);
  const { rows } = await system.query<{ test: boolean; at: Date }>(
    'select test, swept_at as at from landfall.alert_cursors where account_id = $1 order by test',
    [world.caller.accountId],
  );
  expect(rows.map(({ at }) => at.getTime() === clockMs)).toEqual([false, true]);
  await system.query('delete from landfall.alerts where id = $1', [alert.id]);

  await world.write([{ shipment, type: 'shipment.event_added' }]);
  await system.query(`update landfall.changes set created_at = now() - interval '1 hour' where shipment_id = $1`, [
    shipment.id,
  ]);
  await world.sequence();
  expect((await measureAlerts(world.core.ctx)).oldestUnsentAgeS).toBeGreaterThan(3500);
  await notify(person);
  expect((await measureAlerts(world.core.ctx)).oldestUnsentAgeS).toBeLessThan(3500);
});

it('counts a failure from its last beginning, also when one page shows the end of the one before', async () => {
  const person = await world.addPerson();
  const shipment = await world.register({ tags: ['flaky'] });
  await alertOn(person, { tag: ['flaky'] }, { failingHours: 6 }, 'Flaky');
  const system = world.core.store.system;
  const to = (state: 'failed' | 'active') =>
    ({ shipment, type: 'shipment.tracking_state_changed', now: { tracking: { state } } }) as const;
  await world.write([to('failed')]);
  await notify(person);
  await system.query(`update landfall.alert_failing set since = '2020-01-01' where shipment_id = $1`, [shipment.id]);
  await world.write([to('active'), to('failed')]);
  await notify(person);
  const { rows } = await system.query<{ since: Date }>(
    'select since from landfall.alert_failing where shipment_id = $1',
    [shipment.id],
  );
  expect(rows.map(({ since }) => since.getUTCFullYear() > 2020)).toEqual([true]);
});

describe('messages', () => {
  it('stores the answer of a mail server, and drops a mail without any entries left', async () => {
    const person = await world.addPerson();
    const shipment = await world.register();
    await notify(person);
    await alertOn(person, { tag: ['gone'] }, { enters: true }, 'Gone');
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: ['gone'] } }]);
    await world.sequence();
    while (await evaluateAlerts({ core: world.core.ctx, signal }, null));
    clockMs += 60_000;
    const mailer = {
      send: async () => ({ outcome: 'failed' as const, error: 'SMTP: 451 \u0000 later\r\n' }),
      close: () => undefined,
    };
    await sendAlerts({ core: world.core.ctx, mailer, sender: {} as never }, signal);
    const state = async () =>
      (await listAlertMessages(world.core.ctx, person.caller, { before: null, limit: 10 })).messages;
    expect(await state()).toMatchObject([{ state: 'waiting', tries: 1, error: 'SMTP: 451 later' }]);
    const system = world.core.store.system;
    await system.query('delete from landfall.alert_entries where shipment_id = $1', [shipment.id]);
    await system.query(`update landfall.alert_messages set next_try_at = now() where user_id = $1`, [person.userId]);
    expect(await notify(person)).toEqual([]);
    expect(await state()).toMatchObject([{ state: 'dropped', error: 'removed' }]);
  });

  it('lets a member pause an alert whose channel has no address any more', async () => {
    const person = await world.addPerson();
    await setChannel(world.core.ctx, person.caller, { kind: 'slack', url: 'http://127.0.0.1:9/x' });
    const { alert } = await alertOn(person, { tag: ['s'] }, { enters: true }, 'By Slack');
    const change = (update: Parameters<typeof changeAlert>[2]['update']) =>
      changeAlert(world.core.ctx, person.caller, { id: alert.id, update });
    await change({ channels: ['slack'] });
    await removeChannel(world.core.ctx, person.caller, 'slack');
    expect(await change({ paused: true })).toMatchObject({ paused: true });
    await expect(change({ paused: false })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('makes one message of too many changes, with a count and a link to all of them, and holds the next one', async () => {
    const person = await world.addPerson();
    const shipments = await Promise.all(Array.from({ length: 30 }, () => world.register()));
    await notify(person);
    await alertOn(person, { tag: ['flood'] }, { enters: true }, 'Flood');
    const flood = (tags: string[]) =>
      world.write(shipments.map((shipment) => ({ shipment, type: 'shipment.updated', now: { tags } })));
    await flood(['flood']);
    const [mail, ...others] = await notify(person);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ count: 30 });
    const [message] = (await listAlertMessages(world.core.ctx, person.caller, { before: null, limit: 10 })).messages;
    const record = await getAlertMessage(world.core.ctx, person.caller, {
      id: message?.id ?? '',
      offset: 0,
      limit: 100,
    });
    expect(record.entries).toHaveLength(30);
    await flood([]);
    await flood(['flood']);
    expect(await notify(person)).toEqual([]);
    expect((await notify(person, 11 * 60_000)).map(({ count }) => count)).toEqual([30]);
  });

  it('sends a digest at the hour of the member, and waits through quiet hours', async () => {
    const person = await world.addPerson();
    await changePreferences(world.core.ctx, person.caller, {
      timeZone: 'Europe/Berlin',
      quiet: { from: 22, to: 6 },
    });
    const [one, two] = await Promise.all([world.register(), world.register()]);
    await notify(person);
    clockMs = Date.parse('2027-03-27T22:30:00Z');
    const { alert } = await alertOn(person, { tag: ['d'] }, { enters: true }, 'Digest');
    await world.write([{ shipment: one, type: 'shipment.updated', now: { tags: ['d'] } }]);
    expect(await notify(person)).toEqual([]);
    await changeAlert(world.core.ctx, person.caller, { id: alert.id, update: { timing: 'weekdays' } });
    await world.write([{ shipment: two, type: 'shipment.updated', now: { tags: ['d'] } }]);
    await notify(person);
    const sentAt = async (iso: string) => {
      clockMs = Date.parse(iso);
      return (await notify(person, 0)).map(({ timing, count }) => `${timing} ${count}`);
    };
    // Clocks go forward in the night to Sunday, 28 March 2027: 06:00 is 04:00 UTC, and Monday 07:00 is 05:00 UTC.
    expect(await sentAt('2027-03-28T03:59:00Z')).toEqual([]);
    expect(await sentAt('2027-03-28T04:00:10Z')).toEqual(['at_once 1']);
    expect(await sentAt('2027-03-29T04:59:59Z')).toEqual([]);
    expect(await sentAt('2027-03-29T05:00:00Z')).toEqual(['weekdays 1']);
  });

  it('ends mail by the link of a message, for its alerts or for all', async () => {
    const person = await world.addPerson();
    const shipment = await world.register();
    await notify(person);
    await alertOn(person, { tag: ['u'] }, { enters: true, leaves: true }, 'Ended');
    await alertOn(person, { tag: ['v'] }, { enters: true, leaves: true }, 'Kept');
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: ['u'] } }]);
    const [mail] = await notify(person);
    const token = mail?.links.unsubscribe?.split('/').at(-1) ?? '';
    expect(await readUnsubscribing(world.core.ctx, token)).toMatchObject({ alerts: 1, isOff: false });
    const broken = `${token.slice(0, -3)}AAA`;
    expect([
      await readUnsubscribing(world.core.ctx, broken),
      await unsubscribe(world.core.ctx, broken, { all: true }),
    ]).toEqual([null, false]);
    // Changes that wait for the next digest are removed as well.
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: [] } }]);
    await world.sequence();
    while (await evaluateAlerts({ core: world.core.ctx, signal }, null));
    expect(await unsubscribe(world.core.ctx, token, { all: false })).toBe(true);
    expect(await notify(person)).toEqual([]);
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: ['v'] } }]);
    expect(linesOf(await notify(person))).toEqual(['Entered “Kept”']);
    expect(await unsubscribe(world.core.ctx, token, { all: true })).toBe(true);
    await world.write([{ shipment, type: 'shipment.updated', now: { tags: [] } }]);
    expect(await notify(person)).toEqual([]);
  });

  it('notifies each owner once, and no other member', async () => {
    const owner = await world.addPerson();
    const viewer = await world.addPerson({ role: 'viewer' });
    await changePreferences(world.core.ctx, owner.caller, { notices: true });
    await world.core.store.system.query(
      `insert into landfall.alert_notices (account_id, key, kind, test, facts) values ($1, 'k', 'import_finished', false, $2)`,
      [
        world.caller.accountId,
        JSON.stringify({
          title: 'Import finished',
          detail: null,
          lines: ['3 shipments created'],
          path: '/add',
          at: new Date(clockMs).toISOString(),
        }),
      ],
    );
    while ((await notifyOwners(world.core.ctx)) > 0);
    expect(linesOf(await notify(owner))).toEqual(['3 shipments created']);
    while ((await notifyOwners(world.core.ctx)) > 0);
    expect(await notify(owner)).toEqual([]);
    expect(sent.filter(({ recipient }) => recipient.email === viewer.email)).toEqual([]);
  });
});

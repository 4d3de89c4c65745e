import type { Alert, AlertRules, AlertSettings, Channel, StandingAlert, Timing } from '#shared/domain/alerts/alert.ts';
import type { StoredFilter } from '#shared/domain/alerts/saved-view.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type AlertRow = {
  id: string;
  userId: string;
  viewId: string | null;
  shipmentId: string | null;
  viewName: string | null;
  rules: AlertRules;
  channels: Channel[];
  timing: Timing;
  paused: boolean;
  createdAt: string;
  updatedAt: string;
};

/** As stored: the name of a shipment is read apart. */
export type StoredAlert = Omit<Alert, 'subject'> & {
  subject: { kind: 'view'; viewId: string; name: string } | { kind: 'shipment'; shipmentId: string };
};

const columns = `
  a.id, a.user_id, a.view_id, a.shipment_id, v.name as view_name, a.rules, a.channels, a.timing, a.paused_at is not null as paused, a.created_at,
  a.updated_at`;
const tables = `
  landfall.alerts as a
  left join landfall.saved_views as v on v.account_id = a.account_id and v.id = a.view_id`;

type Owner = { userId: string; test: boolean };

/** The alerts of a member, newest first. `viewId`, `shipmentId`: only those of one subject. */
export async function listAlerts(
  tx: Tx,
  accountId: string,
  { userId, test, viewId = null, shipmentId = null }: Owner & { viewId?: string | null; shipmentId?: string | null },
): Promise<StoredAlert[]> {
  const rows = await readRows<AlertRow>(tx, {
    name: 'list-alerts',
    text: `
      select ${columns} from ${tables}
      where a.account_id = $1 and a.user_id = $2 and a.test = $3
        and ($4::uuid is null or a.view_id = $4) and ($5::uuid is null or a.shipment_id = $5)
      order by a.id desc`,
    values: [accountId, userId, test, viewId, shipmentId],
  });
  return rows.map(toAlert);
}

/** Null: the member has no such alert. Locks it until the transaction ends. */
export async function lockAlert(
  tx: Tx,
  accountId: string,
  { id, userId, test }: Owner & { id: string },
): Promise<StoredAlert | null> {
  const rows = await readRows<AlertRow>(tx, {
    name: 'lock-alert',
    text: `
      select ${columns} from ${tables}
      where a.account_id = $1 and a.id = $2 and a.user_id = $3 and a.test = $4
      for no key update of a`,
    values: [accountId, id, userId, test],
  });
  return rows[0] === undefined ? null : toAlert(rows[0]);
}

export async function countAlerts(tx: Tx, accountId: string, { userId, test }: Owner): Promise<number> {
  const rows = await readRows<{ count: number }>(tx, {
    name: 'count-alerts',
    text: `
      select count(*)::integer as count from landfall.alerts
      where account_id = $1 and user_id = $2 and test = $3`,
    values: [accountId, userId, test],
  });
  return rows[0]?.count ?? 0;
}

export async function insertAlert(
  tx: Tx,
  accountId: string,
  alert: AlertSettings & Owner & { viewId: string | null; shipmentId: string | null; fromSequence: number },
): Promise<string> {
  const [row] = await readRows<{ id: string }>(tx, {
    name: 'insert-alert',
    text: `
      insert into landfall.alerts (
        account_id, user_id, test, view_id, shipment_id, rules, channels, timing, paused_at, from_sequence
      )
      values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, case when $9 then now() end, $10)
      returning id`,
    values: [
      accountId,
      alert.userId,
      alert.test,
      alert.viewId,
      alert.shipmentId,
      JSON.stringify(alert.rules),
      alert.channels,
      alert.timing,
      alert.paused,
      alert.fromSequence,
    ],
  });
  if (row === undefined) throw new Error('insert-alert returned no row');
  return row.id;
}

/** `fromSequence` null: it stays. */
export async function updateAlert(
  tx: Tx,
  accountId: string,
  alert: AlertSettings & { id: string; fromSequence: number | null },
): Promise<void> {
  await tx.query({
    name: 'update-alert',
    text: `
      update landfall.alerts
      set rules = $3::jsonb, channels = $4, timing = $5,
        paused_at = case when $6 then coalesce(paused_at, now()) end, from_sequence = coalesce($7, from_sequence),
        updated_at = now()
      where account_id = $1 and id = $2`,
    values: [
      accountId,
      alert.id,
      JSON.stringify(alert.rules),
      alert.channels,
      alert.timing,
      alert.paused,
      alert.fromSequence,
    ],
  });
}

export async function deleteAlert(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-alert',
    text: 'delete from landfall.alerts where account_id = $1 and id = $2',
    values: [accountId, id],
  });
}

type StandingRow = Pick<AlertRow, 'id' | 'userId' | 'rules' | 'channels' | 'timing' | 'viewId' | 'shipmentId'> & {
  fromSequence: number;
  name: string | null;
  filter: StoredFilter | null;
};

/** Every active alert of a mode, oldest first. */
export async function readStandingAlerts(tx: Tx, accountId: string, test: boolean): Promise<StandingAlert[]> {
  const rows = await readRows<StandingRow>(tx, {
    name: 'read-standing-alerts',
    text: `
      select a.id, a.user_id, a.rules, a.channels, a.timing, a.view_id, a.shipment_id, a.from_sequence, v.name, v.filter
      from ${tables}
      where a.account_id = $1 and a.test = $2 and a.paused_at is null
      order by a.id`,
    values: [accountId, test],
  });
  return rows.map((row) => ({
    id: row.id,
    userId: row.userId,
    rules: row.rules,
    channels: row.channels,
    timing: row.timing,
    fromSequence: row.fromSequence,
    subject:
      row.viewId === null
        ? { kind: 'shipment', shipmentId: row.shipmentId ?? '' }
        : { kind: 'view', viewId: row.viewId, name: row.name ?? '', filter: row.filter },
  }));
}

/**
 * E-mail no longer carries these alerts of the member: it is taken from them, those without another channel pause, and
 * mails and digests that wait with nothing from another alert are not sent.
 */
export async function takeMailFrom(
  tx: Tx,
  accountId: string,
  { userId, alertIds }: { userId: string; alertIds: readonly string[] },
): Promise<void> {
  await tx.query({
    name: 'take-mail-from-alerts',
    text: `
      update landfall.alerts
      set channels = array_remove(channels, 'email'),
        paused_at = case when channels <@ '{email}' then coalesce(paused_at, now()) else paused_at end, updated_at = now()
      where account_id = $1 and user_id = $2 and id = any ($3::uuid[])`,
    values: [accountId, userId, alertIds],
  });
  // An entry without alerts is a notice.
  const isWanted = `(
    e.alert_ids = '{}' or exists (
      select from landfall.alerts as a
      where a.account_id = e.account_id and a.id = any (e.alert_ids) and 'email' = any (a.channels)
    )
  )`;
  await tx.query({
    name: 'drop-unwanted-mails',
    text: `
      update landfall.alert_messages as m
      set state = 'dropped', error = 'mail_off', next_try_at = null, lease_until = null
      where m.account_id = $1 and m.user_id = $2 and m.channel = 'email' and m.kind = 'changes' and m.state = 'waiting'
        and not exists (
          select from landfall.alert_entries as e where e.account_id = m.account_id and e.message_id = m.id and ${isWanted}
        )`,
    values: [accountId, userId],
  });
  await tx.query({
    name: 'drop-unwanted-mail-entries',
    text: `
      delete from landfall.alert_entries as e
      where e.account_id = $1 and e.user_id = $2 and e.channel = 'email' and e.message_id is null and not ${isWanted}`,
    values: [accountId, userId],
  });
}

function toAlert(row: AlertRow): StoredAlert {
  return {
    id: row.id,
    rules: row.rules,
    channels: row.channels,
    timing: row.timing,
    paused: row.paused,
    subject:
      row.viewId === null
        ? { kind: 'shipment', shipmentId: row.shipmentId ?? '' }
        : { kind: 'view', viewId: row.viewId, name: row.viewName ?? '' },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

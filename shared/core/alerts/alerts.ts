import {
  type Alert,
  type AlertRules,
  type AlertSettings,
  type Channel,
  maxAlerts,
} from '#shared/domain/alerts/alert.ts';
import { titleOf } from '#shared/domain/alerts/shipment-words.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { beginAlertCursor } from '#shared/store/alerts/alert-cursors.ts';
import { readChannels } from '#shared/store/alerts/alert-preferences.ts';
import {
  countAlerts,
  deleteAlert as deleteStoredAlert,
  insertAlert,
  listAlerts as listStoredAlerts,
  lockAlert,
  type StoredAlert,
  updateAlert as updateStoredAlert,
} from '#shared/store/alerts/alerts.ts';
import { noteFailingNow } from '#shared/store/alerts/timed-rules.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { readShipments } from '#shared/store/tracking/journeys.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { ensurePerson } from './preferences.ts';
import { findView, personOf } from './saved-views.ts';

/** The alerts of the member, newest first. */
export function listAlerts(
  ctx: CoreContext,
  caller: Caller,
  only: { viewId: string | null; shipmentId: string | null },
): Promise<Alert[]> {
  const { accountId, test } = caller;
  const userId = personOf(caller);
  return withAccount(ctx.store, accountId, async (tx) =>
    named(tx, caller, await listStoredAlerts(tx, accountId, { userId, test, ...only })),
  );
}

export type NewAlert = AlertSettings & { viewId: string | null; shipmentId: string | null };

/**
 * Notifies the member from now on. Throws LandfallError `view_not_found`, `shipment_not_found`, `validation_failed` for
 * rules that the subject cannot meet or a channel without an address, or `invalid_state` when the member has as many as
 * they may have.
 */
export function createAlert(ctx: CoreContext, caller: Caller, wanted: NewAlert): Promise<Alert> {
  const { accountId, test } = caller;
  const userId = personOf(caller);
  return withAccount(ctx.store, accountId, async (tx) => {
    await ensurePerson(tx, caller);
    refuseOneTooMany(await countAlerts(tx, accountId, { userId, test }));
    await refuseSubject(tx, caller, wanted);
    await refuseChannels(tx, caller, wanted.channels);
    const fromSequence = await begin(ctx, tx, caller, wanted.rules);
    const id = await insertAlert(tx, accountId, { ...wanted, userId, test, fromSequence });
    await audit(tx, caller, { action: 'created', id, detail: { rules: wanted.rules, channels: wanted.channels } });
    return findAlert(tx, caller, id);
  });
}

/** Changes an alert of the member. After a pause, it reports what happens from now on. Throws the same. */
export function changeAlert(
  ctx: CoreContext,
  caller: Caller,
  { id, update }: { id: string; update: Partial<AlertSettings> },
): Promise<Alert> {
  const { accountId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const before = await lockOwn(tx, caller, id);
    const settings = { ...before, ...update };
    const goesOn = before.paused && !settings.paused;
    // One can always be paused, also when its view or its channel can no longer be used.
    if (goesOn || update.rules !== undefined)
      await refuseSubject(tx, caller, {
        rules: settings.rules,
        viewId: before.subject.kind === 'view' ? before.subject.viewId : null,
        shipmentId: before.subject.kind === 'shipment' ? before.subject.shipmentId : null,
      });
    if (goesOn || update.channels !== undefined) await refuseChannels(tx, caller, settings.channels);
    const fromSequence = goesOn || update.rules !== undefined ? await begin(ctx, tx, caller, settings.rules) : null;
    await updateStoredAlert(tx, accountId, { ...settings, id, fromSequence });
    await audit(tx, caller, { action: 'updated', id, detail: { changed: Object.keys(update) } });
    return findAlert(tx, caller, id);
  });
}

/** Throws LandfallError `alert_not_found`. */
export function deleteAlert(ctx: CoreContext, caller: Caller, id: string): Promise<void> {
  return withAccount(ctx.store, caller.accountId, async (tx) => {
    await lockOwn(tx, caller, id);
    await deleteStoredAlert(tx, caller.accountId, id);
    await audit(tx, caller, { action: 'deleted', id, detail: {} });
  });
}

async function begin(ctx: CoreContext, tx: Tx, { accountId, test }: Caller, rules: AlertRules): Promise<number> {
  const now = ctx.now().toISOString();
  if (rules.failingHours !== undefined) await noteFailingNow(tx, accountId, { test, now });
  return beginAlertCursor(tx, accountId, { test, now });
}

async function findAlert(tx: Tx, caller: Caller, id: string): Promise<Alert> {
  const [alert] = await named(tx, caller, [await lockOwn(tx, caller, id)]);
  if (alert === undefined) throw noSuchAlert();
  return alert;
}

async function lockOwn(tx: Tx, caller: Caller, id: string): Promise<StoredAlert> {
  const { accountId, test } = caller;
  const alert = await lockAlert(tx, accountId, { id, userId: personOf(caller), test });
  if (alert === null) throw noSuchAlert();
  return alert;
}

/** With the number or the reference of each shipment. */
async function named(tx: Tx, { accountId }: Caller, alerts: readonly StoredAlert[]): Promise<Alert[]> {
  const ids = alerts.flatMap(({ subject }) => (subject.kind === 'shipment' ? [subject.shipmentId] : []));
  const shipments = await readShipments(tx, accountId, { ids, withEvents: false });
  return alerts.map((alert) => {
    if (alert.subject.kind === 'view') return { ...alert, subject: alert.subject };
    const shipment = shipments.get(alert.subject.shipmentId);
    return { ...alert, subject: { ...alert.subject, name: shipment === undefined ? 'Shipment' : titleOf(shipment) } };
  });
}

async function refuseSubject(
  tx: Tx,
  caller: Caller,
  { rules, viewId, shipmentId }: Pick<NewAlert, 'rules' | 'viewId' | 'shipmentId'>,
): Promise<void> {
  if (Object.keys(rules).length === 0) throw invalid('/rules', 'Choose at least one rule.');
  if (viewId !== null) {
    const { filter } = await findView(tx, caller, viewId);
    if (filter !== null) return;
    throw invalid('/view_id', "Alerts can't follow a view with a relative date.");
  }
  if (rules.enters === true || rules.leaves === true)
    throw invalid('/rules', 'A shipment enters and leaves views only. Choose other rules for an alert of a shipment.');
  const ids = shipmentId === null ? [] : [shipmentId];
  const found = (await readShipments(tx, caller.accountId, { ids, withEvents: false })).get(shipmentId ?? '');
  if (found === undefined || found.test !== caller.test)
    throw new LandfallError('shipment_not_found', 'Shipment not found.');
}

async function refuseChannels(tx: Tx, caller: Caller, wanted: readonly Channel[]): Promise<void> {
  if (wanted.length === 0) throw invalid('/channels', 'Choose at least one channel.');
  const known = (await readChannels(tx, caller.accountId, [personOf(caller)])).map(({ kind }) => kind as Channel);
  const missing = wanted.filter((channel) => channel !== 'email' && !known.includes(channel));
  if (missing.length > 0) throw invalid('/channels', `Set an address first for ${missing.join(', ')}.`);
}

function invalid(pointer: string, detail: string): LandfallError {
  return new LandfallError('validation_failed', detail, { mistakes: [{ pointer, code: 'invalid_value', detail }] });
}

function refuseOneTooMany(count: number): void {
  if (count < maxAlerts) return;
  throw new LandfallError(
    'invalid_state',
    `You have ${count} alerts, and ${maxAlerts} is the maximum. Delete one that is not needed.`,
  );
}

function noSuchAlert(): LandfallError {
  return new LandfallError('alert_not_found', 'Alert not found.');
}

async function audit(
  tx: Tx,
  caller: Caller,
  { action, id, detail }: { action: string; id: string; detail: Record<string, unknown> },
): Promise<void> {
  await appendAudit(tx, caller.accountId, {
    actor: actorOf(caller),
    action: `alert.${action}`,
    subjectType: 'alert',
    subjectId: id,
    requestId: caller.requestId,
    detail,
  });
}

import type { WireAudit } from '#shared/contract/members/audit-wire.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { momentWords } from '../../parts/time-words.ts';
import { longScopes } from './keys/scope-words.ts';

type Detail = WireAudit['detail'];

const sentences: Record<string, (detail: Detail) => string> = {
  'installation.claimed': ({ email }) => `claimed this installation as ${text(email)}`,
  'invite.created': ({ email, role }) => `invited ${text(email)} as ${text(role)}`,
  'invite.withdrawn': ({ email }) => `withdrew the invitation of ${text(email)}`,
  'invite.accepted': ({ role }) => `joined as ${text(role)}`,
  'member.role_changed': ({ email, from, to }) => `changed ${text(email)} from ${text(from)} to ${text(to)}`,
  'member.removed': ({ email }) => `removed ${text(email)}`,
  'password_reset.created': ({ email }) => `created a password reset link for ${text(email)}`,
  'session.started': ({ address }) => `signed in from ${text(address)}`,
  'session.refused': ({ email, address }) => `refused a wrong password for ${text(email)} from ${text(address)}`,
  'session.ended': ({ address }) => `signed out a session from ${text(address)}`,
  // Without an address, the operator did it.
  'sessions.ended': ({ email, address }) =>
    address === undefined ? `signed out all sessions of ${text(email)}` : 'signed out all other sessions',
  'password.changed': () => 'changed the password',
  'password_reset.used': () => 'reset the password with a link',
  'api_key.created': ({ name, scopes }) =>
    `created the key ${quoted(name)}${Array.isArray(scopes) && scopes.length > 0 ? ` (${longScopes(scopes.map(String))})` : ''}`,
  'api_key.rotated': ({ name, expiresAt }) =>
    `rotated the key ${quoted(name)}${typeof expiresAt === 'string' ? `; the old key expires ${momentWords(expiresAt)}` : ''}`,
  'api_key.revoked': ({ name }) => `revoked the key ${quoted(name)}`,
  'api_key.expiry_set': ({ name, expiresAt }) =>
    `set the expiry of the key ${quoted(name)}${typeof expiresAt === 'string' ? ` to ${momentWords(expiresAt)}` : ''}`,
  'app.connected': ({ app, keyName }) => `connected ${appName(app)} to the key ${quoted(keyName)}`,
  'app.disconnected': ({ app, reason }) => `disconnected ${appName(app)}${endWords[text(reason)] ?? ''}`,
  'app.registered': ({ app }) => `registered ${appName(app)}, at the request of the app`,
  'app.found': ({ app, clientId }) => `registered ${appName(app)}, by the document at ${text(clientId)}`,
  'event.voided': ({ code, source }) => `voided the event ${text(code)} of ${text(source)}`,
  'share.created': ({ has_password: hasPassword }) =>
    `shared a shipment by a public link${hasPassword === true ? ' with a password' : ''}`,
  'share.revoked': () => 'revoked the public link of a shipment',
  'share_settings.changed': () => 'changed the settings of shared pages',
  'carrier_credentials.set': ({ carrier }) => `set the credentials for ${carrierName(carrier)}`,
  'carrier_credentials.verified': ({ carrier }) => `verified credentials for ${carrierName(carrier)}`,
  'carrier_credentials.removed': ({ carrier }) => `removed the credentials for ${carrierName(carrier)}`,
  'carrier_credentials.suspended': () => 'suspended credentials that the carrier rejected',
  'carrier_credentials.resumed': () => 'resumed credentials that the carrier accepts again',
  'shipment.removed': ({ shipment_ids: ids, retention_days: days }) =>
    Array.isArray(ids)
      ? `removed ${ids.length} shipments for good, ${text(days)} days after they closed`
      : 'removed a shipment for good',
  'account.renamed': ({ from, to }) => `renamed the account from ${quoted(from)} to ${quoted(to)}`,
  'shipment.assigned': ({ to }) => (to === null ? 'removed the assignee of a shipment' : 'assigned a shipment'),
  'note.added': () => 'added a note to a shipment',
  'note.edited': () => 'edited a note on a shipment',
  'note.deleted': () => 'deleted a note on a shipment',
  'bulk_action.started': ({ action, undoes, shipments }) =>
    undoes === true
      ? 'undid a bulk action'
      : `started a bulk action (${bulkKind(action)}) on ${typeof shipments === 'number' ? `${shipments} shipments` : 'the shipments of a filter'}`,
  'bulk_action.cancelled': () => 'cancelled a bulk action',
  'bulk_action.stopped': ({ reason }) => `stopped a bulk action${stopWords[text(reason)] ?? ''}`,
  'saved_view.shared': ({ name }) => `shared the view ${quoted(name)}`,
  'saved_view.unshared': ({ name }) => `stopped sharing the view ${quoted(name)}`,
  'saved_view.deleted': ({ name }) => `deleted the shared view ${quoted(name)}`,
  'alert.created': () => 'created an alert',
  'alert.updated': () => 'changed an alert',
  'alert.deleted': () => 'deleted an alert',
  'alert.unsubscribed': () => 'unsubscribed from mails by the link of an alert',
  'alert.channel_set': ({ channel, host }) => `set the address for alerts by ${text(channel)} at ${text(host)}`,
  'alert.channel_removed': ({ channel }) => `removed the address for alerts by ${text(channel)}`,
  'account.retention_changed': ({ to }) =>
    to === null
      ? 'removed the retention period of the account'
      : `set the retention period to ${text(to)} days after a shipment closes`,
  'account.limits_changed': (detail) =>
    `set the limits of each key: ${Object.entries(detail)
      .map(([name, limit]) => `${name} ${text(limit)} per minute`)
      .join(', ')}`,
};

function bulkKind(action: unknown): string {
  return typeof action === 'object' && action !== null && 'kind' in action ? text(action.kind) : '';
}

/** Reasons for stopping a bulk action. */
const stopWords: Readonly<Record<string, string>> = {
  key_revoked: ', because its key was revoked',
  key_expired: ', because its key has expired',
  member_removed: ' of a removed member',
  permission_lost: ' of a member who may no longer change shipments',
};

/** Reasons for the end of an app's access, other than a person's decision. */
const endWords: Readonly<Record<string, string>> = {
  revoked_by_app: ', at the request of the app',
  refresh_token_reused: ': a refresh token was used twice',
  key_ended: ', because its key or its person’s membership has ended',
  member_removed: ' of the removed member',
};

/** Words for an action, to follow the name of the actor. An unknown action is shown as it is. */
export function auditWords({ action, detail }: Pick<WireAudit, 'action' | 'detail'>): string {
  return sentences[action]?.(detail).replace(/ +/g, ' ').trim() ?? action.replaceAll(/[._]/g, ' ');
}

/** Names the actor, by the current name. */
export function actorWords({ actor, actor_name: name }: Pick<WireAudit, 'actor' | 'actor_name'>): string {
  if (actor === 'system') return 'Landfall';
  if (actor.startsWith('key_')) return name === null ? 'A deleted key' : `Key ${name}`;
  return name ?? 'A deleted user';
}

function carrierName(code: unknown): string {
  return findCarrier(text(code))?.name ?? text(code);
}

/** A name that a user chose could read like part of the sentence. */
function quoted(value: unknown): string {
  const name = text(value);
  return name === '' ? '' : `“${name}”`;
}

function appName(value: unknown): string {
  return quoted(value) === '' ? 'an app without a name' : `the app ${quoted(value)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

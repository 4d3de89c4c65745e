import type { WireAudit } from '#shared/contract/people/audit-wire.ts';
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
  'password_reset.created': ({ email }) => `made a link with which ${text(email)} can choose a new password`,
  'password_reset.used': () => 'chose a new password by a link',
  'api_key.created': ({ name, scopes }) =>
    `made the key ${quoted(name)}${Array.isArray(scopes) && scopes.length > 0 ? `, which can ${longScopes(scopes.map(String))}` : ''}`,
  'api_key.rotated': ({ name, expiresAt }) =>
    `rotated the key ${quoted(name)}${typeof expiresAt === 'string' ? `; the old one ends ${momentWords(expiresAt)}` : ''}`,
  'api_key.revoked': ({ name }) => `revoked the key ${quoted(name)}`,
  'carrier_credentials.set': ({ carrier }) => `set the credentials at ${carrierName(carrier)}`,
  'carrier_credentials.removed': ({ carrier }) => `removed the credentials at ${carrierName(carrier)}`,
  'carrier_credentials.suspended': () => 'stopped using credentials that the carrier refused',
  'carrier_credentials.resumed': () => 'uses credentials again that the carrier takes again',
  'account.limits_changed': (detail) =>
    `set the limits of each key: ${Object.entries(detail)
      .map(([name, limit]) => `${name} ${text(limit)} a minute`)
      .join(', ')}`,
};

/** What was done, as the end of a sentence that begins with who; an action that is not known is shown as it is. */
export function auditWords({ action, detail }: Pick<WireAudit, 'action' | 'detail'>): string {
  return sentences[action]?.(detail).replace(/ +/g, ' ').trim() ?? action.replaceAll(/[._]/g, ' ');
}

/** Who did it: by the present name, or what remains of one that is gone. */
export function actorWords({ actor, actor_name: name }: Pick<WireAudit, 'actor' | 'actor_name'>): string {
  if (actor === 'system') return 'Landfall';
  if (actor.startsWith('key_')) return name === null ? 'A key that is gone' : `Key ${name}`;
  return name ?? 'Somebody who is gone';
}

function carrierName(code: unknown): string {
  return findCarrier(text(code))?.name ?? text(code);
}

/** What somebody chose to call it may read like a part of the sentence. */
function quoted(value: unknown): string {
  const name = text(value);
  return name === '' ? '' : `“${name}”`;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

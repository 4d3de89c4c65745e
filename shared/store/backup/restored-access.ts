import type pg from 'pg';
import type { Role } from '#shared/domain/members/role.ts';
import { appendAudit } from '../keys/audit.ts';
import { readRows } from '../read-rows.ts';
import { openOwner } from './open-owner.ts';

export const accessKinds = ['key', 'member', 'invite', 'share', 'webhook', 'subscription'] as const;
export type AccessKind = (typeof accessKinds)[number];

/**
 * Something that opens an account, receives its data or adds to them. `id` is a uuid: for a member, that of the user.
 */
export type Access = {
  kind: AccessKind;
  id: string;
  accountId: string;
  accountName: string;
  /** A key's name and last four characters, an address, a link's label, or a carrier's code. */
  name: string;
  /** Of a member or an invitation. */
  role: Role | null;
  /** Of a key, ISO UTC. Null: it does not expire. */
  expiresAt: string | null;
};

/** An access to end. A member with `roleSince` is given that role instead, and a key with `expiresSince` that expiry. */
export type AccessToEnd = Access & { roleSince: Role | null; expiresSince: string | null };

const columns = 'kind, id, account_id, account_name, name, role, expires_at';
const ofLandfall = `
  select 'key' as kind, k.id, k.account_id, a.name as account_name, format('%s (…%s)', k.name, k.last_four) as name,
    null as role, k.expires_at
  from landfall.api_keys as k join landfall.accounts as a on a.id = k.account_id
  where k.parent_id is null and k.revoked_at is null and coalesce(k.expires_at > now(), true)
  union all
  select 'share', s.id, s.account_id, a.name, coalesce(s.label, 'without a label'), null, null
  from landfall.shares as s join landfall.accounts as a on a.id = s.account_id
  where s.revoked_at is null and coalesce(s.expires_at > now(), true)
  union all
  -- --enable-webhooks enables the endpoints that a restore disabled.
  select 'webhook', w.id, w.account_id, a.name, w.url, null, null
  from landfall.webhook_endpoints as w join landfall.accounts as a on a.id = w.account_id
  where w.enabled or w.disabled_reason = 'restored'
  union all
  select 'subscription', c.id, c.account_id, a.name, c.carrier, null, null
  from landfall.carrier_subscriptions as c join landfall.accounts as a on a.id = c.account_id
  where c.state <> 'ended'`;
const ofAuth = `
  select 'member' as kind, u.id, o.id as account_id, o.name as account_name, u.email as name, m.role,
    null::timestamptz as expires_at
  from auth.members as m join auth.users as u on u.id = m.user_id join auth.organizations as o on o.id = m.organization_id
  union all
  select 'invite', i.id, o.id, o.name, i.email, i.role, null
  from auth.invitations as i join auth.organizations as o on o.id = i.organization_id
  where i.status = 'pending' and i.expires_at > now()`;

/** Every access that is valid in the database. */
export async function readValidAccess(databaseUrl: string): Promise<Access[]> {
  return inTransaction(databaseUrl, async (client) => {
    // The owner sees no row of the tables under row-level security, and the system role not every table of `auth`.
    const people = await readRows<Access>(client, { text: `select ${columns} from (${ofAuth}) as f` });
    await client.query('set local role landfall_system');
    const rows = await readRows<Access>(client, { text: `select ${columns} from (${ofLandfall}) as f` });
    return [...rows, ...people].sort(
      (left, right) =>
        left.accountId.localeCompare(right.accountId) ||
        accessKinds.indexOf(left.kind) - accessKinds.indexOf(right.kind) ||
        left.name.localeCompare(right.name),
    );
  });
}

const statements = {
  key: 'update landfall.api_keys set revoked_at = now() where account_id = $1 and id = $2',
  share: 'update landfall.shares set revoked_at = now() where account_id = $1 and id = $2',
  member: 'delete from auth.members where organization_id = $1 and user_id = $2',
  invite: "update auth.invitations set status = 'canceled' where organization_id = $1 and id = $2",
  webhook: `
    update landfall.webhook_endpoints
    set enabled = false, disabled_at = coalesce(disabled_at, now()), disabled_reason = 'requested'
    where account_id = $1 and id = $2`,
  subscription: `
    update landfall.carrier_subscriptions set state = 'ended', ended_at = now() where account_id = $1 and id = $2`,
} as const;
const changeRole = 'update auth.members set role = $3 where organization_id = $1 and user_id = $2';
const changeExpiry = 'update landfall.api_keys set expires_at = $3 where account_id = $1 and id = $2';

/** Ends these in one transaction, each with a line in the audit log of its account. */
export async function endAccess(databaseUrl: string, ended: readonly AccessToEnd[]): Promise<void> {
  await inTransaction(databaseUrl, async (client) => {
    for (const access of ended) {
      const { kind, accountId, id, roleSince, expiresSince } = access;
      const isOfAuth = kind === 'member' || kind === 'invite';
      await client.query(isOfAuth ? 'reset role' : 'set local role landfall_system');
      if (roleSince !== null) await client.query(changeRole, [accountId, id, roleSince]);
      else if (expiresSince !== null) await client.query(changeExpiry, [accountId, id, expiresSince]);
      else await client.query(statements[kind], [accountId, id]);
      await client.query('set local role landfall_system');
      const line = auditOf(access);
      await appendAudit(client as pg.PoolClient, accountId, { actor: 'system', requestId: null, ...line });
    }
  });
}

function auditOf({ kind, id, name, role, roleSince, expiresSince }: AccessToEnd) {
  const after = { after_restore: true };
  switch (kind) {
    case 'key': {
      const of = { subjectType: 'api_key', subjectId: id };
      if (expiresSince === null) return { action: 'api_key.revoked', ...of, detail: { name, ...after } };
      return { action: 'api_key.expiry_set', ...of, detail: { name, expiresAt: expiresSince, ...after } };
    }
    case 'webhook': {
      const of = { subjectType: 'webhook_endpoint', subjectId: id };
      return { action: 'webhook_endpoint.disabled', ...of, detail: { reason: 'requested', ...after } };
    }
    case 'subscription': {
      const of = { subjectType: 'carrier_subscription', subjectId: id };
      return { action: 'carrier_subscription.ended', ...of, detail: { carrier: name, ...after } };
    }
    case 'share':
      return { action: 'share.revoked', subjectType: 'share', subjectId: id, detail: after };
    case 'invite':
      return { action: 'invite.withdrawn', subjectType: 'invite', subjectId: id, detail: { email: name, ...after } };
    case 'member': {
      const of = { subjectType: 'user', subjectId: id };
      if (roleSince === null) return { action: 'member.removed', ...of, detail: { email: name, ...after } };
      return { action: 'member.role_changed', ...of, detail: { email: name, from: role, to: roleSince, ...after } };
    }
  }
}

async function inTransaction<T>(databaseUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openOwner(databaseUrl);
  try {
    await client.query('begin');
    const result = await run(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

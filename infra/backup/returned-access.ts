import type { Readable } from 'node:stream';
import { isAtLeast, type Role, roles } from '#shared/domain/members/role.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import {
  type Access,
  type AccessKind,
  type AccessToEnd,
  accessKinds,
  readValidAccess,
} from '#shared/store/backup/restored-access.ts';
import { BackupUnreadable } from './backup-file.ts';
import { openBackup } from './read-backup.ts';

/** An access that is still valid can differ in a member's role, a key's expiry or an endpoint's URL. */
type LaterState = { role: Role | null; expiresAt: string | null; url: string | null };

/** Access that was valid at a later time than that of the restored backup. */
export type LaterAccess = { takenAt: string | null; valid: ReadonlyMap<string, LaterState> };

const keyOf = ({ kind, accountId, id }: Pick<Access, 'kind' | 'accountId' | 'id'>) => `${kind} ${accountId} ${id}`;

/** Reads what is valid in a database, such as the one that a restore replaces. */
export async function readAccessOfDatabase(databaseUrl: string): Promise<LaterAccess> {
  const found = await readValidAccess(databaseUrl);
  return { takenAt: null, valid: new Map(found.map((access) => [keyOf(access), stateOf(access)])) };
}

type Row = Readonly<Record<string, string | null>>;

type FoundRow = Pick<Access, 'kind' | 'accountId' | 'id'> & { state: LaterState };

/** Per table of a backup, what its row makes valid. */
const readers: Readonly<Record<string, (row: Row, now: Date) => FoundRow | null>> = {
  api_keys: (row, now) =>
    isOpen(row, now) ? access('key', [row.account_id, row.id], { expiresAt: isoOf(row.expires_at) }) : null,
  shares: (row, now) => (isOpen(row, now) ? access('share', [row.account_id, row.id]) : null),
  members: (row) => access('member', [row.organization_id, row.user_id], { role: readRole(row.role) }),
  invitations: (row, now) =>
    row.status === 'pending' && isOpen(row, now) ? access('invite', [row.organization_id, row.id]) : null,
  webhook_endpoints: (row) =>
    row.enabled === 't' || row.disabled_reason === 'restored'
      ? access('webhook', [row.account_id, row.id], { url: row.url ?? null })
      : null,
  carrier_subscriptions: (row) => (row.state === 'ended' ? null : access('subscription', [row.account_id, row.id])),
};

/** Reads what is valid according to a backup. Throws `BackupUnreadable`. */
export async function readAccessOfBackup(input: Readable, now: Date): Promise<LaterAccess> {
  const backup = await openBackup(input);
  const valid = new Map<string, LaterState>();
  await backup.readTables(async ({ name, columns }, chunks) => {
    const read = readers[name];
    let rows = 0;
    for await (const line of linesOf(chunks)) {
      rows += 1;
      const found = read?.(rowOf(columns, line), now);
      if (found) valid.set(keyOf(found), found.state);
    }
    return rows;
  });
  return { takenAt: backup.header.takenAt, valid };
}

/**
 * Returns the access that is valid in the restored database and was ended by the later time, or had a lower role, an
 * earlier expiry or another address by then.
 */
export function returnedAccess(restored: readonly Access[], { valid }: LaterAccess): AccessToEnd[] {
  return restored.flatMap((found): AccessToEnd[] => {
    const later = valid.get(keyOf(found));
    const ended = { ...found, roleSince: null, expiresSince: null };
    if (later === undefined || (later.url !== null && later.url !== found.name)) return [ended];
    const { role, expiresAt } = later;
    if (role !== null && found.role !== null && !isAtLeast(role, found.role)) return [{ ...ended, roleSince: role }];
    const isLonger = expiresAt !== null && (found.expiresAt === null || isAfter(found.expiresAt, expiresAt));
    return isLonger ? [{ ...ended, expiresSince: expiresAt }] : [];
  });
}

function isAfter(time: string, other: string): boolean {
  return new Date(time) > new Date(other);
}

const prefixes: Readonly<Record<AccessKind, string>> = {
  key: 'key',
  member: 'user',
  invite: 'inv',
  share: 'shr',
  webhook: 'whe',
  subscription: 'csub',
};
const nouns: Readonly<Record<AccessKind, string>> = {
  key: 'API key',
  member: 'member',
  invite: 'invitation',
  share: 'shared page',
  webhook: 'webhook endpoint',
  subscription: 'carrier subscription',
};

/** One line for each: its public id, what it is, and its account. */
export function accessLines(listed: readonly (Access | AccessToEnd)[]): string[] {
  return listed.map((found) => {
    const { kind, id, name, role, accountName } = found;
    const since = 'roleSince' in found && found.roleSince !== null ? `, ${found.roleSince} since` : '';
    const as = role === null ? '' : ` as ${role}${since}`;
    const expiry = 'expiresSince' in found && found.expiresSince !== null ? found.expiresSince : null;
    const until = expiry === null ? '' : `, which expires at ${expiry} since`;
    return `  ${encodeTypeId(prefixes[kind], id)}  ${nouns[kind]} ${name}${as}${until}, account ${accountName}`;
  });
}

/** `3 API keys, 1 member`. */
export function accessCounts(listed: readonly Access[]): string {
  return accessKinds
    .map((kind) => ({ kind, count: listed.filter((found) => found.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${nouns[kind]}${count === 1 ? '' : 's'}`)
    .join(', ');
}

/** The access with these public ids. Throws if one is not valid in the database. */
export function namedAccess(valid: readonly Access[], ids: readonly string[]): AccessToEnd[] {
  return ids.flatMap((publicId) => {
    const named = valid.filter(({ kind, id }) => decodeTypeId(prefixes[kind], publicId) === id);
    if (named.length === 0) throw new Error(`${publicId} is not valid in this database. Nothing was changed.`);
    return named.map((found) => ({ ...found, roleSince: null, expiresSince: null }));
  });
}

function stateOf({ kind, role, expiresAt, name }: Access): LaterState {
  return { role: kind === 'member' ? role : null, expiresAt, url: kind === 'webhook' ? name : null };
}

function access(
  kind: AccessKind,
  [accountId, id]: [account: string | null | undefined, id: string | null | undefined],
  state: Partial<LaterState> = {},
): FoundRow {
  if (accountId == null || id == null) throw new BackupUnreadable('a row lacks its account');
  return { kind, accountId, id, state: { role: null, expiresAt: null, url: null, ...state } };
}

function isOpen({ revoked_at: revokedAt = null, expires_at: expiresAt = null }: Row, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}

function isoOf(time: string | null | undefined): string | null {
  return time == null ? null : new Date(time).toISOString();
}

function readRole(role: string | null | undefined): Role | null {
  return roles.find((known) => known === role) ?? null;
}

/** Lines of `copy` text format. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** The values that are compared have no escapes: ids, times, roles, states, and URLs in their canonical form. */
function rowOf(columns: readonly string[], line: string): Row {
  const values = line.split('\t');
  return Object.fromEntries(
    columns.map((column, index) => [column, values[index] === '\\N' ? null : (values[index] ?? null)]),
  );
}

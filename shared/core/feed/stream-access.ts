import { sessionDays } from '#shared/domain/members/role.ts';
import { findValidSessions } from '#shared/store/auth/find-valid-sessions.ts';
import { findValidKeys } from '#shared/store/system/find-api-key.ts';
import type { CoreContext } from '../core-context.ts';

/** Credential that opened a stream: an API key, or a session of a user in an account. */
export type StreamAccess = { accountId: string } & ({ keyId: string } | { userId: string; sessionId: string });

/** Names the holder of a stream: the key or the user. */
export function holderOf(access: StreamAccess): string {
  return 'keyId' in access ? `key ${access.keyId}` : `user ${access.userId}`;
}

/** Of these, those that are no longer valid. Two statements, however many there are. */
export async function findEndedAccess(ctx: CoreContext, all: readonly StreamAccess[]): Promise<Set<StreamAccess>> {
  const keys = distinct(all, (access) => ('keyId' in access ? `${access.accountId} ${access.keyId}` : null));
  const sessions = distinct(all, (access) =>
    'sessionId' in access ? `${access.accountId} ${access.sessionId}` : null,
  );
  const [validKeys, validSessions] = await Promise.all([
    keys.length === 0 ? new Set<number>() : findValidKeys(ctx.store, keys.map(firstOf<'keyId'>)),
    sessions.length === 0
      ? new Set<number>()
      : findValidSessions(ctx.store, sessions.map(firstOf<'sessionId'>), sessionDays.most),
  ]);
  const endedOf = (groups: StreamAccess[][], valid: Set<number>) => groups.filter((_, place) => !valid.has(place));
  return new Set([...endedOf(keys, validKeys), ...endedOf(sessions, validSessions)].flat());
}

function distinct(all: readonly StreamAccess[], keyOf: (access: StreamAccess) => string | null): StreamAccess[][] {
  const groups = new Map<string, StreamAccess[]>();
  for (const access of all) {
    const key = keyOf(access);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [access]);
    else group.push(access);
  }
  return [...groups.values()];
}

function firstOf<Name extends 'keyId' | 'sessionId'>(
  group: StreamAccess[],
): Extract<StreamAccess, Record<Name, string>> {
  return group[0] as Extract<StreamAccess, Record<Name, string>>;
}

import pg from 'pg';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { type Scope, scopes } from '#shared/domain/caller.ts';
import type { ProofKind } from '#shared/domain/events/event.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { startOauthApi } from '#test/support/oauth/oauth-api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { type WatchedState, watchState } from '#test/support/stores/stored-state.ts';
import { type AccountIds, type Mode, modes, plantAccount } from './account-ids.ts';
import { type Door, withKey, withSession } from './ask-operation.ts';
import { restless } from './rows-of-account.ts';

/** An account with an owner, a key of all scopes for each mode, and one of everything in each mode. */
export type Side = { owner: SignedInMember; ids: Record<Mode, AccountIds>; keys: Record<Mode, string> };

export type World = {
  api: TestApi;
  database: pg.Client;
  /** The rows of the first account. */
  state: WatchedState;
  /** The first account, whose owners run the installation. */
  victim: Side;
  member: SignedInMember;
  viewer: SignedInMember;
  stranger: Side;
  newKey: (options: {
    test: boolean;
    scopes?: readonly Scope[];
    expiresAt?: string;
  }) => ReturnType<typeof createApiKey>;
  headersOf: (side: Side, door: Door, mode: Mode) => Record<string, string>;
  headersOfMember: (member: SignedInMember) => Record<string, string>;
  /** Removes the bulk actions that trials have started: an account can have ten at a time. */
  removeStartedActions: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openWorld(): Promise<World> {
  const api = await startOauthApi({}, { openDatabase: ownDatabase });
  const database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  const newKey = async (accountId: string, options: Parameters<World['newKey']>[0]) =>
    createApiKey(api.ctx.core, accountId, { name: 'probe', scopes, ...options });
  const openSide = async (owner: SignedInMember, memberId: string, proofs: Record<Mode, ProofKind>): Promise<Side> => {
    const ofMode = (mode: Mode) => plantAccount(api, owner, { mode, memberId, proof: proofs[mode] });
    const ids = { live: await ofMode('live'), test: await ofMode('test') };
    const [live, test] = [
      await newKey(owner.accountId, { test: false }),
      await newKey(owner.accountId, { test: true }),
    ];
    return { owner, ids, keys: { live: live.secret, test: test.secret } };
  };
  const owner = await signedIn(api, 'owner', api.accountName);
  const member = await signedIn(api, 'member', api.accountName);
  const viewer = await signedIn(api, 'viewer', api.accountName);
  const other = await signedIn(api, 'owner', 'strangers');
  const victim = await openSide(owner, viewer.userId, { live: 'document', test: 'photo' });
  const stranger = await openSide(other, other.userId, { live: 'signature', test: 'signature' });
  const planted = [victim, stranger].flatMap(({ ids }) =>
    modes.map((mode) => decodeTypeId('blk', ids[mode].bulk_action_id)),
  );
  const state = await watchState(api.databaseUrl, {
    schemas: ['landfall', 'auth'],
    accountId: api.accountId,
    without: restless,
  });
  return {
    ...{ api, database, state, member, viewer, victim, stranger },
    newKey: (options) => newKey(api.accountId, options),
    headersOf: (side, door, mode) =>
      door === 'key' ? withKey(side.keys[mode]) : withSession(side.owner, mode, api.url),
    headersOfMember: (signedInMember) => withSession(signedInMember, 'live', api.url),
    removeStartedActions: async () =>
      void (await database.query('delete from landfall.bulk_actions where id <> all ($1)', [planted])),
    close: async () => {
      await state.close();
      await database.end();
      await api.close();
    },
  };
}

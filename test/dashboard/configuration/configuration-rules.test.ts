import { expect, it } from 'vitest';
import { actorWords, auditWords } from '#services/dashboard/screens/configuration/audit-words.ts';
import {
  accessState,
  accessWords,
  fieldList,
  findAccess,
  trialWords,
} from '#services/dashboard/screens/configuration/carrier-access/access-words.ts';
import { lockedReason } from '#services/dashboard/screens/configuration/members/members.ts';
import { sectionOf } from '#services/dashboard/screens/configuration/sections.ts';
import { findErrors } from '#services/dashboard/screens/developers/error-codes.tsx';
import { readable } from '#services/dashboard/screens/developers/send-live.ts';
import { errorCatalogue } from '#shared/contract/error-catalogue.ts';

const now = Date.parse('2026-04-15T12:00:00Z');
const none = { source: 'none', state: null, fields: [], updated_at: null, suspended_at: null, reason: null };
const own = { ...none, source: 'account', state: 'active', updated_at: '2026-04-02T08:00:00Z' };

it('opens the section of the path, API keys by default, and nothing for an unknown section', () => {
  expect(sectionOf(undefined)).toBe('keys');
  expect(sectionOf('members')).toBe('members');
  expect(sectionOf('nothing')).toBeNull();
});

it('locks only the last owner', () => {
  const members = [
    { id: 'user_1', role: 'owner' },
    { id: 'user_2', role: 'member' },
  ] as const;
  expect(lockedReason(members, 'user_1')).toContain('Last owner');
  expect(lockedReason(members, 'user_2')).toBeNull();
  expect(lockedReason([...members, { id: 'user_3', role: 'owner' }], 'user_1')).toBeNull();
});

it('shows rejected credentials of the account and of the installation as rejected', () => {
  const connection = 'needs_credentials';
  const suspended = { state: 'suspended', suspended_at: '2026-04-14T08:00:00Z', reason: 'carrier_auth_failed' };
  expect(accessState({ connection, credentials: { ...own, ...suspended } })).toBe('rejected');
  expect(accessWords({ connection, credentials: { ...own, ...suspended } }, now)).toMatch(
    /^Yours, rejected since 14 Apr .*: authentication failed$/,
  );
  expect(accessWords({ connection, credentials: { ...own, ...suspended, source: 'instance' } }, now)).toMatch(
    /^Installation, rejected/,
  );
});

it('evaluates stored credentials only by responses since they were set', () => {
  const health = { state: 'healthy', last_success_at: null, last_error_at: null, answered: 0, failed: 0, waiting: 0 };
  const trial = (credentials: typeof own, at: { last_success_at?: string; last_error_at?: string }) =>
    trialWords({ name: 'Maersk', credentials, health: { ...health, ...at } }, now);
  expect(trial(none as never, { last_success_at: '2026-04-15T11:00:00Z' })).toBeNull();
  expect(trial(own, {})).toMatch(/^Not used yet/);
  // Results of earlier credentials, also from a worker that had not loaded the new ones yet.
  expect(trial(own, { last_success_at: '2026-04-01T08:00:00Z', last_error_at: '2026-04-02T08:00:01Z' })).toMatch(
    /^Not used yet/,
  );
  expect(trial(own, { last_success_at: '2026-04-02T08:01:00Z' })).toMatch(
    /^Maersk accepted them\. Last response 2 Apr /,
  );
  expect(trial(own, { last_error_at: '2026-04-02T08:01:00Z' })).toMatch(
    /^Not verified yet\. The last call to Maersk failed at 2 Apr /,
  );
  const rejected = { ...own, state: 'suspended', suspended_at: '2026-04-02T08:01:00Z' as never };
  expect(trial(rejected, { last_success_at: '2026-04-02T08:00:30Z' })).toMatch(/^Maersk rejected them at 2 Apr /);
});

it('distinguishes missing credentials from a missing address and from a missing connector', () => {
  expect(accessState({ connection: 'needs_credentials', credentials: none })).toBe('missing');
  expect(accessState({ connection: 'pushed_only', credentials: none })).toBe('unsupported');
  expect(accessState({ connection: 'needs_address', credentials: none })).toBe('unaddressed');
  expect(accessWords({ connection: 'needs_address', credentials: own }, now)).toBe('Yours, but no address');
});

it('finds carriers by name, code or alias, own credentials first', () => {
  const carriers = [
    { name: 'Evergreen', code: 'EGLV', aliases: [], connection: 'needs_credentials', credentials: none },
    { name: 'Maersk', code: 'MAEU', aliases: ['SUDU'], connection: 'ready', credentials: own },
  ];
  const codes = (search: Parameters<typeof findAccess>[1]) => findAccess(carriers, search).map(({ code }) => code);
  expect(codes({ filter: 'all', q: '' })).toEqual(['MAEU', 'EGLV']);
  expect(codes({ filter: 'all', q: 'sudu' })).toEqual(['MAEU']);
  expect(codes({ filter: 'missing', q: '' })).toEqual(['EGLV']);
});

it('lists fields as a phrase', () => {
  expect(fieldList(['api_key', 'client_id', 'client_secret'])).toBe('API key, client ID and client secret');
  expect(fieldList(['client_id', 'api_key'])).toBe('Client ID and API key');
  expect(fieldList(['api_key'])).toBe('API key');
  expect(fieldList([])).toBe('');
});

it('describes audit entries, including unknown actions', () => {
  expect(
    auditWords({ action: 'member.role_changed', detail: { email: 'a@b.example', from: 'viewer', to: 'member' } }),
  ).toBe('changed a@b.example from viewer to member');
  expect(auditWords({ action: 'carrier_credentials.set', detail: { carrier: 'MAEU' } })).toBe(
    'set the credentials for Maersk',
  );
  const email = 'a@b.example';
  expect(auditWords({ action: 'sessions.ended', detail: { email } })).toBe('signed out all sessions of a@b.example');
  expect(auditWords({ action: 'sessions.ended', detail: { email, address: '192.0.2.1' } })).toBe(
    'signed out all other sessions',
  );
  expect(auditWords({ action: 'robot.danced_twice', detail: {} })).toBe('robot danced twice');
  expect(auditWords({ action: 'api_key.created', detail: {} })).toBe('created the key');
  expect(actorWords({ actor: 'system', actor_name: null })).toBe('Landfall');
  expect(actorWords({ actor: 'key_1', actor_name: 'CI' })).toBe('Key CI');
  expect(actorWords({ actor: 'user_1', actor_name: null })).toBe('A deleted user');
});

it('finds error codes by code or title', () => {
  expect(findErrors(errorCatalogue, 'rate limited').map(([code]) => code)).toContain('rate_limited');
  expect(findErrors(errorCatalogue, '')).toHaveLength(Object.keys(errorCatalogue).length);
  expect(findErrors(errorCatalogue, 'no such thing at all')).toEqual([]);
});

it('truncates a long response at a line end and states the rest', () => {
  const long = JSON.stringify(Array.from({ length: 2000 }, (_, index) => index));
  expect(readable(long).length).toBeLessThan(6100);
  expect(readable(long)).toMatch(/\n… [\d,]+ more characters$/);
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readable('not json')).toBe('not json');
});

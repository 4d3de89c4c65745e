import { expect, it } from 'vitest';
import { actorWords, auditWords } from '#services/dashboard/screens/configuration/audit-words.ts';
import {
  accessState,
  accessWords,
  fieldList,
  findAccess,
  trialWords,
} from '#services/dashboard/screens/configuration/carrier-access/access-words.ts';
import { sectionOf } from '#services/dashboard/screens/configuration/configuration-page.tsx';
import { whyMustStay } from '#services/dashboard/screens/configuration/members/members.ts';
import { findErrors } from '#services/dashboard/screens/developers/error-codes.tsx';
import { shown } from '#services/dashboard/screens/developers/send-live.ts';
import { errorCatalogue } from '#shared/contract/error-catalogue.ts';

const now = Date.parse('2026-04-15T12:00:00Z');
const none = { source: 'none', state: null, fields: [], updated_at: null, suspended_at: null, reason: null };
const own = { ...none, source: 'account', state: 'active', updated_at: '2026-04-02T08:00:00Z' };

it('the address names a section; without one it is the keys, with an unknown one nothing', () => {
  expect(sectionOf(undefined)).toBe('keys');
  expect(sectionOf('members')).toBe('members');
  expect(sectionOf('nothing')).toBeNull();
});

it('the last owner must stay one, and nobody else must', () => {
  const members = [
    { id: 'user_1', role: 'owner' },
    { id: 'user_2', role: 'member' },
  ] as const;
  expect(whyMustStay(members, 'user_1')).toContain('last owner');
  expect(whyMustStay(members, 'user_2')).toBeNull();
  expect(whyMustStay([...members, { id: 'user_3', role: 'owner' }], 'user_1')).toBeNull();
});

it('refused credentials are said to be refused, whoever’s they are', () => {
  const suspended = { state: 'suspended', suspended_at: '2026-04-14T08:00:00Z', reason: 'carrier_auth_failed' };
  expect(accessState({ supported: true, credentials: { ...own, ...suspended } })).toBe('refused');
  expect(accessWords({ supported: true, credentials: { ...own, ...suspended } }, now)).toMatch(
    /^Yours, refused since 14 Apr .*: it did not accept them$/,
  );
  expect(accessWords({ supported: true, credentials: { ...own, ...suspended, source: 'instance' } }, now)).toMatch(
    /^The installation’s, refused/,
  );
});

it('credentials that were stored are said to be accepted or refused only by what the carrier answered since', () => {
  const health = { state: 'healthy', last_success_at: null, last_error_at: null, answered: 0, failed: 0, waiting: 0 };
  const told = (credentials: typeof own, at: { last_success_at?: string; last_error_at?: string }) =>
    trialWords({ name: 'Maersk', credentials, health: { ...health, ...at } }, now);
  expect(told(none as never, { last_success_at: '2026-04-15T11:00:00Z' })).toBeNull();
  expect(told(own, {})).toMatch(/^Not tried yet/);
  // With those before, or with a worker that had not heard of the new ones yet.
  expect(told(own, { last_success_at: '2026-04-01T08:00:00Z', last_error_at: '2026-04-02T08:00:01Z' })).toMatch(
    /^Not tried yet/,
  );
  expect(told(own, { last_success_at: '2026-04-02T08:01:00Z' })).toMatch(/^Maersk accepted them; last answer 2 Apr /);
  expect(told(own, { last_error_at: '2026-04-02T08:01:00Z' })).toMatch(
    /^Not known yet: Maersk gave no usable answer at 2 Apr /,
  );
  const refused = { ...own, state: 'suspended', suspended_at: '2026-04-02T08:01:00Z' as never };
  expect(told(refused, { last_success_at: '2026-04-02T08:00:30Z' })).toMatch(/^Maersk refused them at 2 Apr /);
});

it('a carrier without credentials makes shipments wait, one that cannot be followed does not', () => {
  expect(accessState({ supported: true, credentials: none })).toBe('missing');
  expect(accessState({ supported: false, credentials: none })).toBe('unsupported');
});

it('carriers are found by name, code or alias, one’s own before the rest', () => {
  const carriers = [
    { name: 'Evergreen', code: 'EGLV', aliases: [], supported: true, credentials: none },
    { name: 'Maersk', code: 'MAEU', aliases: ['SUDU'], supported: true, credentials: own },
  ];
  const codes = (search: Parameters<typeof findAccess>[1]) => findAccess(carriers, search).map(({ code }) => code);
  expect(codes({ filter: 'all', q: '' })).toEqual(['MAEU', 'EGLV']);
  expect(codes({ filter: 'all', q: 'sudu' })).toEqual(['MAEU']);
  expect(codes({ filter: 'missing', q: '' })).toEqual(['EGLV']);
});

it('fields are listed as a sentence', () => {
  expect(fieldList(['api_key', 'client_id', 'client_secret'])).toBe('API key, client id and client secret');
  expect(fieldList(['client_id', 'api_key'])).toBe('Client id and API key');
  expect(fieldList(['api_key'])).toBe('API key');
  expect(fieldList([])).toBe('');
});

it('the audit log says who did what, also of actions that this page does not know', () => {
  expect(
    auditWords({ action: 'member.role_changed', detail: { email: 'a@b.example', from: 'viewer', to: 'member' } }),
  ).toBe('changed a@b.example from viewer to member');
  expect(auditWords({ action: 'carrier_credentials.set', detail: { carrier: 'MAEU' } })).toBe(
    'set the credentials at Maersk',
  );
  expect(auditWords({ action: 'robot.danced_twice', detail: {} })).toBe('robot danced twice');
  expect(auditWords({ action: 'api_key.created', detail: {} })).toBe('made the key');
  expect(actorWords({ actor: 'system', actor_name: null })).toBe('Landfall');
  expect(actorWords({ actor: 'key_1', actor_name: 'CI' })).toBe('Key CI');
  expect(actorWords({ actor: 'user_1', actor_name: null })).toBe('Somebody who is gone');
});

it('error codes are found by code or title', () => {
  expect(findErrors(errorCatalogue, 'rate limited').map(([code]) => code)).toContain('rate_limited');
  expect(findErrors(errorCatalogue, '')).toHaveLength(Object.keys(errorCatalogue).length);
  expect(findErrors(errorCatalogue, 'no such thing at all')).toEqual([]);
});

it('a long answer is cut at a line, and says how much is missing', () => {
  const long = JSON.stringify(Array.from({ length: 2000 }, (_, index) => index));
  expect(shown(long).length).toBeLessThan(6100);
  expect(shown(long)).toMatch(/\n… [\d,]+ more characters$/);
  expect(shown('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(shown('not json')).toBe('not json');
});

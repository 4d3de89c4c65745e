import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublicOperation } from '#shared/contract/operation.ts';
import { publicOperations } from '#shared/contract/operations.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { scopes } from '#shared/domain/caller.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { ensureOrganization, insertMember } from '#shared/store/auth/members.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withAuth, withSystem } from '#shared/store/with-account.ts';
import { type Json, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { addressOf, makeThings } from '#test/support/api/one-of-everything.ts';
import { publishedDocument } from '#test/support/api/openapi-checks.ts';
import { plantProof } from '#test/support/carriers/plant-proof.ts';

let api: TestApi;

beforeAll(async () => {
  // Each registration would wait for an unavailable queue.
  api = await startTestApi({ REDIS_URL: '' });
});
afterAll(() => api.close());

const documented = (operation: PublicOperation): Json =>
  (publishedDocument.paths as Json)[operation.path][operation.method.toLowerCase()];
/** An example value that can't exist here: the test creates its own IDs, and cursors come from answers. */
const given = new Set(['cursor', 'If-None-Match', 'after', 'Idempotency-Key']);

describe.each(publicOperations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_name, operation) => {
    it('accepts each example of the document', async () => {
      let account: Account | null = operation.method === 'GET' ? await accountToRead() : null;
      for (const { name, query, body } of requestsOf(operation)) {
        // A change made by one request may block the next.
        if (account === null || operation.method !== 'GET') account = await makeAccount(false);
        const { ids, live, test } = account;
        const key = operation.testKeysOnly === true ? test : live;
        // Only an ended action can be undone.
        if (operation.path.endsWith('/undo'))
          await api.post(addressOf(operation, ids).replace(/undo$/, 'cancel'), {}, { authorization: `Bearer ${key}` });
        const answer = await api.request(`${addressOf(operation, ids)}${query}`, {
          method: operation.method,
          headers: { authorization: `Bearer ${key}`, ...(body === null ? {} : { 'content-type': body.mediaType }) },
          ...(body === null ? {} : { body: body.text }),
        });
        const text = answer.status < 300 ? '' : await answer.text();
        expect([name, Math.trunc(answer.status / 100), text]).toEqual([name, 2, '']);
      }
    });
  },
);

let toRead: Promise<Account> | null = null;

/** One for all operations that change nothing. */
function accountToRead(): Promise<Account> {
  toRead ??= makeAccount(true);
  return toRead;
}

type Account = { ids: ReadonlyMap<string, string>; live: string; test: string };

async function makeAccount(withProof: boolean): Promise<Account> {
  const { accountId } = await withSystem(api.ctx.core.store, (tx) => ensureAccount(tx, randomUUID()));
  const { secret: live } = await createApiKey(api.ctx.core, accountId, { name: 'live', test: false, scopes });
  const { secret: test } = await createApiKey(api.ctx.core, accountId, { name: 'test', test: true, scopes });
  await addExampleMember(accountId);
  const ids = new Map(await makeThings(api, { live, test }));
  if (withProof) {
    const shipmentId = readShipmentId(ids.get('shipment_id') ?? '') ?? '';
    ids.set('proof_id', await plantProof(api.ctx.core, { accountId, shipmentId }, 'document'));
  }
  return { ids, live, test };
}

/** The member whom examples name. */
function addExampleMember(accountId: string): Promise<void> {
  const userId = decodeTypeId('user', 'user_01kahf3m2xfr5tq4d8z9w6c7yb') ?? '';
  return withAuth(api.ctx.core.store, async (tx) => {
    await ensureOrganization(tx, { accountId, name: accountId });
    await tx.query(
      `insert into auth.users (id, name, email) values ($1, 'Anna Berg', 'anna@example.test') on conflict do nothing`,
      [userId],
    );
    await insertMember(tx, accountId, { userId, role: 'member' });
  });
}

type Request = { name: string; query: string; body: { mediaType: string; text: string } | null };

/** Each body without parameters, and each parameter with the first body. */
function requestsOf(operation: PublicOperation): Request[] {
  const bodies = bodiesOf(operation);
  const [first = null] = bodies;
  return [
    ...(bodies.length === 0 ? [{ name: 'nothing but the address', query: '', body: null }] : []),
    ...bodies.map((body) => ({ name: `the body ${body.text.slice(0, 200)}`, query: '', body })),
    ...queriesOf(operation).map((query) => ({ name: query, query, body: first })),
  ];
}

function bodiesOf(operation: PublicOperation): NonNullable<Request['body']>[] {
  const content: Record<string, Json> = documented(operation).requestBody?.content ?? {};
  return Object.entries(content).flatMap(([mediaType, { examples = {} }]) =>
    Object.values<Json>(examples).map(({ value }) => ({
      mediaType,
      text: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  );
}

function queriesOf(operation: PublicOperation): string[] {
  const parameters: Json[] = documented(operation).parameters ?? [];
  return parameters
    .filter((parameter) => parameter.in === 'query' && !given.has(parameter.name))
    .flatMap(({ name, schema, examples }) => {
      const values: Json[] = [
        ...(schema.examples ?? []),
        ...Object.values<Json>(examples ?? {}).map(({ value }) => value),
      ];
      return values.map((value) =>
        typeof value === 'object' && !Array.isArray(value)
          ? `?${Object.entries(value).map(([key, one]) => `${name}[${key}]=${encodeURIComponent(String(one))}`)[0]}`
          : `?${name}=${encodeURIComponent([value].flat().join(','))}`,
      );
    });
}

it('gives every body an example', () => {
  const without = publicOperations.filter(
    (operation) => operation.body !== undefined && bodiesOf(operation).length === 0,
  );
  expect(without.filter(({ body }) => body?.required !== false).map(({ id }) => id)).toEqual([]);
});

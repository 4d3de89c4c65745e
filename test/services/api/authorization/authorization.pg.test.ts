import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { type Scope, scopes } from '#shared/domain/caller.ts';
import { apiKeyBody, formatApiKey } from '#shared/domain/keys/api-key.ts';
import { scopesOfRole } from '#shared/domain/members/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { Json } from '#test/support/api/api.ts';
import { type AccountIds, idKindOf, type Mode, modes, sharedValues, unknownId } from './account-ids.ts';
import { type Answer, ask, comparable, type Route, routes, withKey } from './ask-operation.ts';
import { idFieldsOf, idFieldsOfSchema, placeholdersOf } from './id-fields.ts';
import { openWorld, type World } from './open-world.ts';
import { operationRows, type RequestPart } from './operation-rows.ts';
import { rowsOfAccount } from './rows-of-account.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ofKeys = routes.filter(({ door }) => door === 'key');
const ofSessions = routes.filter(({ door }) => door === 'session');

const chooseFrom = (ids: AccountIds) => (_field: string, kind: string) =>
  sharedValues[kind] ?? String(ids[kind as keyof AccountIds]);
const chooseUnknown = (_field: string, kind: string) =>
  sharedValues[kind] ?? (kind === 'app_request' ? 'none' : unknownId(kind));

/** The modes in which a route serves anyone. */
function modesOf({ operation }: Route): readonly Mode[] {
  if (operation.access === 'session') return modes;
  return operation.testKeysOnly === true ? ['test'] : operation.liveKeysOnly === true ? ['live'] : modes;
}

/** Runs a check for each, a few at a time, and returns what it found wrong. */
async function wrongOf<Subject>(
  subjects: readonly Subject[],
  check: (subject: Subject) => Promise<readonly string[]>,
): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = [...subjects];
  const work = async () => {
    for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift())
      wrong.push(...(await check(subject)));
  };
  await Promise.all([work(), work(), work()]);
  return wrong;
}

/** Compares an answer with the status and code that it must have. */
function unlike(answer: Answer, status: number, code: string | null, about: string): string[] {
  const isAs = answer.status === status && answer.code === code;
  return isAs ? [] : [`${about}: ${answer.status} ${answer.code}, not ${status} ${code}`];
}

/** Expects that nothing is wrong, and that no row of the first account has changed. */
async function expectNothingChanged(findWrong: () => Promise<string[]>): Promise<void> {
  const before = await rowsOfAccount(world.api, world.database, world.state);
  expect(await findWrong()).toEqual([]);
  expect(await rowsOfAccount(world.api, world.database, world.state)).toEqual(before);
}

describe('the registry', () => {
  it('has a row for each scope, role and field that takes an id', () => {
    for (const { id, operation, row, requests } of routes) {
      const registered = operation.access === 'session' ? operation.role : (operation.scope ?? 'any key');
      expect(registered, id).toBe(row.needs);
      const parts = [{ path: operation.path }, ...requests];
      const named = parts.flatMap((part) => Object.entries(part).flatMap(([at, value]) => placeholdersOf(value, at)));
      for (const [, kind] of named) if (sharedValues[kind] === undefined && kind !== 'app_request') idKindOf(kind);
      const fields = named.map(([field]) => field);
      for (const field of idFieldsOf(operation)) expect(fields, `the row of ${id}`).toContain(field);
    }
  });

  it('describes every route, and every operation has a route', () => {
    const served = routesOf(world.api.app.printRoutes({ commonPrefix: false }))
      .filter(({ path, method }) => /^\/(v1|dashboard\/api)(\/|$)/.test(path) && method !== 'HEAD')
      .map(({ method, path }) => `${method} ${path}`);
    const described = routes.map(
      ({ operation, address }) => `${operation.method} ${address.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    // The same as /v1/mcp, with the token of a connected app.
    expect(served.toSorted()).toEqual([...described, 'POST /v1/mcp/oauth'].toSorted());
  });
});

describe('without permission', () => {
  it('rejects malformed, unknown, revoked and expired keys', async () => {
    const keysOf = async (test: boolean) => {
      const [revoked, expired] = [
        await world.newKey({ test }),
        await world.newKey({ test, expiresAt: '2020-01-01T00:00:00.000Z' }),
      ];
      const caller = { accountId: world.api.accountId, keyId: null, scopes, test: false, requestId: 'req_test' };
      await revokeApiKey(world.api.ctx.core, { ...caller, idempotency: null }, revoked.id);
      const unknown = formatApiKey(
        apiKeyBody((count) => crypto.getRandomValues(new Uint8Array(count))),
        test,
      );
      return [
        [{}, 'missing_api_key'],
        [withKey('svc_live_short'), 'invalid_api_key'],
        [withKey(unknown), 'invalid_api_key'],
        [withKey(revoked.secret), 'revoked_api_key'],
        [withKey(expired.secret), 'expired_api_key'],
        // Neither is the session of an owner.
        [world.headersOf(world.victim, 'session', 'live'), 'missing_api_key'],
      ] as const;
    };
    const keys = { live: await keysOf(false), test: await keysOf(true) };
    await expectNothingChanged(() =>
      wrongOf(ofKeys, async (route) => {
        const mode = modesOf(route)[0] ?? 'live';
        const choose = chooseFrom(world.victim.ids[mode]);
        const wrong: string[] = [];
        for (const [headers, code] of keys[mode])
          wrong.push(...unlike(await ask(world.api.url, route, { headers, choose }), 401, code, route.title));
        return wrong;
      }),
    );
  });

  it('rejects a key without the scope, and names the scope', async () => {
    const keysOf = async (test: boolean) => {
      const lacking: (Scope | null)[] = [null, ...scopes];
      const made = lacking.map(async (lacked) => {
        const given = lacked === null ? [] : scopes.filter((scope) => scope !== lacked);
        return [lacked, (await world.newKey({ test, scopes: given })).secret] as const;
      });
      return new Map(await Promise.all(made));
    };
    const keys = { live: await keysOf(false), test: await keysOf(true) };
    await expectNothingChanged(() =>
      wrongOf(ofKeys, async (route) => {
        const { needs } = route.row;
        if (needs === 'any key') return [];
        const mode = modesOf(route)[0] ?? 'live';
        const wrong: string[] = [];
        for (const lacked of [null, needs as Scope]) {
          const headers = withKey(keys[mode].get(lacked) ?? '');
          const answer = await ask(world.api.url, route, { headers, choose: chooseFrom(world.victim.ids[mode]) });
          wrong.push(...unlike(answer, 403, 'insufficient_scope', route.title));
          if (!answer.detail.includes(needs)) wrong.push(`${route.title}: ${answer.detail}`);
        }
        return wrong;
      }),
    );
  });

  it('rejects a key of the other mode where an operation has one mode', async () => {
    const ofOneMode = ofKeys.filter((route) => modesOf(route).length === 1);
    expect(ofOneMode.length).toBeGreaterThan(3);
    await expectNothingChanged(() =>
      wrongOf(ofOneMode, async (route) => {
        const other = modesOf(route)[0] === 'live' ? 'test' : 'live';
        const headers = withKey(world.victim.keys[other]);
        const answer = await ask(world.api.url, route, { headers, choose: chooseFrom(world.victim.ids[other]) });
        return unlike(answer, 403, `${other}_key_not_allowed`, route.title);
      }),
    );
  });

  it('requires a key for undescribed routes such as HEAD', async () => {
    const { api, newKey } = world;
    const others = routesOf(api.app.printRoutes({ commonPrefix: false })).filter(
      ({ path, method }) => path.startsWith('/v1') && method === 'HEAD',
    );
    expect(others.length).toBeGreaterThan(0);
    const headers = withKey((await newKey({ test: false, scopes: [] })).secret);
    for (const { method, path } of others) {
      const of = ofKeys.find(
        ({ operation, address }) => operation.method === 'GET' && address.replaceAll(/\{(\w+)\}/g, ':$1') === path,
      );
      expect((await fetch(api.url + path, { method })).status, path).toBe(401);
      expect((await fetch(api.url + path, { method, headers })).status, path).toBe(
        of?.row.needs === 'any key' ? 200 : 403,
      );
    }
  });

  it('rejects requests to the dashboard without a session, also with a key of all scopes', async () => {
    await expectNothingChanged(() =>
      wrongOf(ofSessions, async (route) => {
        if (route.row.needs === 'anyone') return [];
        const wrong: string[] = [];
        for (const headers of [{}, withKey(world.victim.keys.live)]) {
          const sent = { 'sec-fetch-site': 'same-origin', origin: world.api.url, ...headers };
          const answer = await ask(world.api.url, route, { headers: sent, choose: chooseFrom(world.victim.ids.live) });
          wrong.push(...unlike(answer, 401, 'not_signed_in', route.title));
        }
        return wrong;
      }),
    );
  });

  it('rejects requests from another site, and changes without an Origin, even with a session', async () => {
    const { origin: _origin, 'sec-fetch-site': _site, ...session } = world.headersOf(world.victim, 'session', 'live');
    const ofAny = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    const ofChanges = [
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { 'sec-fetch-site': 'same-site' },
    ];
    await expectNothingChanged(() =>
      wrongOf(ofSessions, async (route) => {
        const wrong: string[] = [];
        for (const site of [...ofAny, ...(route.operation.method === 'GET' ? [] : ofChanges)]) {
          const headers = { ...session, ...site };
          const answer = await ask(world.api.url, route, { headers, choose: chooseFrom(world.victim.ids.live) });
          wrong.push(...unlike(answer, 403, 'origin_not_allowed', `${route.title} ${JSON.stringify(site)}`));
        }
        return wrong;
      }),
    );
  });

  it('rejects a role below the one that an operation needs', async () => {
    const { viewer, member, stranger } = world;
    const isAllowed = ({ row: { needs } }: Route, role: 'viewer' | 'member'): boolean => {
      if (needs === 'anyone' || needs === 'signed_in' || needs === 'any key' || needs === 'viewer') return true;
      if (needs === 'operator' || needs === 'owner') return false;
      return needs === 'member' ? role === 'member' : scopesOfRole[role].includes(needs);
    };
    const persons = [
      { headers: world.headersOfMember(viewer), refused: (route: Route) => !isAllowed(route, 'viewer') },
      { headers: world.headersOfMember(member), refused: (route: Route) => !isAllowed(route, 'member') },
      {
        headers: world.headersOf(stranger, 'session', 'live'),
        refused: (route: Route) => route.row.needs === 'operator',
      },
    ];
    await expectNothingChanged(() =>
      wrongOf(ofSessions, async (route) => {
        const wrong: string[] = [];
        for (const { headers } of persons.filter(({ refused }) => refused(route))) {
          const answer = await ask(world.api.url, route, { headers, choose: chooseFrom(world.victim.ids.live) });
          wrong.push(...unlike(answer, 403, 'role_not_allowed', route.title));
        }
        return wrong;
      }),
    );
  });
});

/**
 * A request of a route, and the fields in which another's id is tried: each by itself, and all of the path together.
 * Without such fields, the request is tried as it is.
 */
type Trial = { route: Route; part: RequestPart; mode: Mode; fields: [field: string, kind: string][] };

function trialsOf(route: Route, takes: (kind: string) => boolean): Trial[] {
  const inPath = placeholdersOf(route.operation.path, 'path').filter(([, kind]) => takes(kind));
  return modesOf(route).flatMap((mode) =>
    route.requests.flatMap((part, index) => {
      const named = Object.entries(part).flatMap(([at, value]) => placeholdersOf(value, at));
      const inPart = named.filter(([, kind]) => takes(kind));
      const paths = index > 0 ? [] : [...inPath.map((field) => [field]), ...(inPath.length > 1 ? [inPath] : [])];
      const plain = index === 0 && inPath.length + inPart.length === 0 && route.row.ofCaller !== true ? [[]] : [];
      const tried = [...paths, ...inPart.map((field) => [field]), ...plain];
      return tried.map((fields) => ({ route, part, mode, fields }));
    }),
  );
}

/** The answers to a request with these ids, and to the same request with ids that do not exist. */
async function compareWithUnknown(
  { route, part, fields }: Trial,
  { headers, own, tried }: { headers: Record<string, string>; own: AccountIds; tried: AccountIds },
): Promise<{ answer: Answer; wrong: string[] }> {
  const isTried = (field: string) => fields.some(([name]) => name === field);
  const chosen = (other: typeof chooseUnknown) => (field: string, kind: string) =>
    (isTried(field) ? other : chooseFrom(own))(field, kind);
  const answer = await ask(world.api.url, route, { headers, part, choose: chosen(chooseFrom(tried)) });
  if (fields.length === 0) return { answer, wrong: [] };
  const unknown = await ask(world.api.url, route, { headers, part, choose: chosen(chooseUnknown) });
  if (route.id === 'startBulkAction') await world.removeStartedActions();
  const about = `${route.title} with ${fields.map(([field]) => field)}`;
  const wrong: string[] = [];
  if (comparable(answer) !== comparable(unknown))
    wrong.push(`${about}: ${comparable(answer)} and for an unknown id: ${comparable(unknown)}`);
  if (fields.some(([field]) => field.startsWith('path.')) && answer.status !== 404)
    wrong.push(`${about}: ${answer.status} ${answer.code}, not 404`);
  return { answer, wrong };
}

const isOwned = (kind: string) => sharedValues[kind] === undefined && kind !== 'app_request';
const isOfMode = (kind: string) => isOwned(kind) && idKindOf(kind).ofMode === true;

describe('another account', () => {
  it('answers its ids like unknown ones in every field, and shows and changes nothing of it', async () => {
    const { victim, stranger, member, viewer } = world;
    const hidden = [member.email, viewer.email, ...modes.flatMap((mode) => textsOf(victim.ids[mode]))];
    const trials = routes.flatMap((route) => trialsOf(route, isOwned));
    expect(trials.length).toBeGreaterThan(300);
    const tryOut = async (trial: Trial) => {
      const { route, mode, fields } = trial;
      const headers = world.headersOf(stranger, route.door, mode);
      const [own, tried] = [stranger.ids[mode], victim.ids[mode]];
      const { answer, wrong } = await compareWithUnknown(trial, { headers, own, tried });
      const sent = fields.map(([, kind]) => tried[kind as keyof AccountIds]);
      const leaked = hidden.filter((text) => !sent.includes(text) && answer.text.includes(text));
      return leaked.length === 0 ? wrong : [...wrong, `${route.title}: shows ${leaked}`];
    };
    // Lists are read first, because they show what a write of the same account has sent, as the filter of a webhook.
    const isRead = ({ route }: Trial) => route.operation.method === 'GET';
    await expectNothingChanged(async () => [
      ...(await wrongOf(trials.filter(isRead), tryOut)),
      ...(await wrongOf(
        trials.filter((trial) => !isRead(trial)),
        tryOut,
      )),
    ]);
  });

  it('answers the id of an account that one is no member of like an unknown one', async () => {
    const { victim, stranger } = world;
    const hidden = modes.flatMap((mode) => textsOf(victim.ids[mode]));
    const plain = ofSessions.filter(({ row }) => row.ofCaller !== true);
    await expectNothingChanged(() =>
      wrongOf(plain, async (route) => {
        const askAs = (account: string) => {
          const headers = { ...world.headersOf(stranger, 'session', 'live'), 'landfall-account': account };
          return ask(world.api.url, route, { headers, choose: chooseUnknown });
        };
        const answer = await askAs(victim.owner.account);
        const unknown = await askAs(encodeTypeId('acc', '01890a5d-ac96-774b-bcce-b302099a8057'));
        const leaked = hidden.filter((text) => answer.text.includes(text));
        if (leaked.length > 0) return [`${route.title}: shows ${leaked}`];
        return comparable(answer) === comparable(unknown) ? [] : [`${route.title}: ${answer.text} ${unknown.text}`];
      }),
    );
  });
});

describe('the other mode', () => {
  it('answers its ids like unknown ones in every field, and changes nothing by an address of it', async () => {
    const { victim } = world;
    const tryOut = (trial: Trial) => {
      const { route, mode } = trial;
      const headers = world.headersOf(victim, route.door, mode);
      const [own, tried] = [victim.ids[mode], victim.ids[mode === 'live' ? 'test' : 'live']];
      return compareWithUnknown(trial, { headers, own, tried }).then(({ wrong }) => wrong);
    };
    const trials = routes.flatMap((route) => trialsOf(route, isOfMode)).filter(({ fields }) => fields.length > 0);
    const byAddress = trials.filter(({ fields }) => fields.some(([field]) => field.startsWith('path.')));
    await expectNothingChanged(() => wrongOf(byAddress, tryOut));
    expect(
      await wrongOf(
        trials.filter((trial) => !byAddress.includes(trial)),
        tryOut,
      ),
    ).toEqual([]);
  });
});

describe('the account itself', () => {
  it('reads what is withheld from others, of its own mode only', async () => {
    const { victim, viewer, member } = world;
    const reads = routes.filter(({ id, operation }) => operation.method === 'GET' && id !== 'getTrace');
    /** The audit log of an account has both modes. */
    const ofBothModes = ['listAudit'];
    const wrong = await wrongOf(
      reads.flatMap((route) => modesOf(route).map((mode) => ({ route, mode }))),
      async ({ route, mode }) => {
        const { needs } = route.row;
        const least =
          needs === 'owner' || needs === 'operator' || needs === 'webhooks:manage' || needs === 'keys:manage'
            ? victim.owner
            : needs === 'shipments:write'
              ? member
              : viewer;
        const isPersonal = /session_id|view_id|alert_id|message_id/.test(route.address);
        const asPerson = { ...world.headersOfMember(isPersonal ? victim.owner : least), 'landfall-mode': mode };
        const headers = route.door === 'key' ? withKey(victim.keys[mode]) : asPerson;
        const answer = await ask(world.api.url, route, { headers, choose: chooseFrom(victim.ids[mode]) });
        const {
          shipment_id: shipment,
          webhook_endpoint_id: endpoint,
          import_id: started,
        } = victim.ids[mode === 'live' ? 'test' : 'live'];
        const foreign = [shipment, endpoint, started].filter((id) => answer.text.includes(id));
        if (foreign.length > 0 && !ofBothModes.includes(route.id)) return [`${route.title}: shows ${foreign}`];
        return unlike(answer, 200, null, route.title);
      },
    );
    expect(wrong).toEqual([]);
    const bothModes = { 'landfall-mode': 'both' };
    const { body } = await viewer.ask('/dashboard/api/v1/shipments', { headers: bothModes });
    expect(body.code).toBe('validation_failed');
  });

  it('finds its shipments of the mode with each MCP tool, whose arguments have a row', async () => {
    const { api, victim } = world;
    const rpc = async (key: string, method: string, params: Json) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { ...withKey(key), 'content-type': 'application/json' };
      return (await (await fetch(`${api.url}/v1/mcp`, { method: 'POST', headers, body })).json()) as Json;
    };
    const { tools } = (await rpc(victim.keys.live, 'tools/list', {})).result;
    expect(tools.length).toBeGreaterThan(0);
    const rows = operationRows.mcp.requests.map(({ body }) => body as Json);
    for (const { name, inputSchema } of tools) {
      const row = rows.find(({ params }) => params.name === name);
      const fields = placeholdersOf(row?.params.arguments, 'arguments').map(([field]) => field);
      expect(fields, name).toEqual(expect.arrayContaining(idFieldsOfSchema(inputSchema, 'arguments')));
      for (const mode of modes) {
        const { shipment_id: id } = victim.ids[mode];
        const args = fields.length === 0 ? {} : { shipment_id: id };
        const text = JSON.stringify(await rpc(victim.keys[mode], 'tools/call', { name, arguments: args }));
        expect(text, name).toContain(id);
        expect(text, name).not.toContain(victim.ids[mode === 'live' ? 'test' : 'live'].shipment_id);
      }
    }
  });
});

/** The ids and texts of an account that no other may see. A kind of proof is a word. */
function textsOf({ secrets, proof_id: _proof, app_request: request, ...ids }: AccountIds): string[] {
  return [...Object.values(ids), ...secrets, request];
}

/** Parses the tree that Fastify prints: four characters per level, then the path segment and its methods. */
function routesOf(tree: string): { method: string; path: string }[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S*)(?: \((.+)\))?$/.exec(line);
    if (match === null) return [];
    const [, indent = '', part = '', methods = ''] = match;
    parts.splice(indent.length / 4, parts.length, part);
    const path = parts.join('');
    return methods.split(', ').flatMap((method) => (method === '' ? [] : [{ method, path }]));
  });
}

import { globSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentGuard } from '#services/api/open-apps.ts';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import { isMachineOnly, readEnv } from '#shared/config/env.ts';
import { openConfiguredSender } from '#shared/net/configured-sender.ts';
import { openDocumentFetch } from '#shared/net/document-fetch.ts';
import { fileText } from '#test/support/repository.ts';
import { forbiddenHosts, forbiddenV4, forbiddenV6, spellingsOf, spellingsOfV6 } from './forbidden-targets.ts';

/**
 * `client`: an address that a client or stranger names, through the guard. `settings`: only addresses that the operator
 * configured. `itself`: this installation or the developer's own machine.
 */
type NamedBy = 'client' | 'settings' | 'itself';

/** Every file that opens connections, with the origin of their addresses. */
const openers: Readonly<Record<string, NamedBy>> = {
  'infra/doctor/check-machine.ts': 'itself',
  'infra/doctor/check-reachable.ts': 'settings',
  'infra/embedded/postmaster.ts': 'itself',
  'infra/installation/demo-shipments.ts': 'itself',
  'infra/installation/demo-terms.ts': 'itself',
  'infra/installation/demo-webhooks.ts': 'itself',
  'infra/scripts/listen.ts': 'itself',
  'services/mcpb/main.ts': 'itself',
  'services/worker/alerts/mailer.ts': 'settings',
  'services/worker/calls/carrier-fetch.ts': 'settings',
  'services/worker/calls/carrier-http.ts': 'settings',
  'services/worker/jobs/positions-job.ts': 'settings',
  'shared/net/document-fetch.ts': 'client',
  'shared/net/guarded-pools.ts': 'client',
  'shared/queue/open-redis.ts': 'settings',
  'shared/queue/shared-postgres.ts': 'settings',
  'shared/store/backup/open-owner.ts': 'settings',
  'shared/store/ensure-logins.ts': 'settings',
  'shared/store/feed/feed-listener.ts': 'settings',
  'shared/store/inspect-database.ts': 'settings',
  'shared/store/open-store.ts': 'settings',
  'shared/store/open-trace-store.ts': 'settings',
  'shared/store/schema/describe-schema.ts': 'settings',
  'shared/store/shipments/record-reader.ts': 'settings',
  'shared/store/with-migration-lock.ts': 'settings',
  'shared/telemetry/meter-provider.ts': 'settings',
  'shared/telemetry/sdk.ts': 'settings',
};

/** Constructs that open connections. Dispatchers of undici open some, and its types none. */
const opening = [
  /(?<![.\w#])fetch\((?!\w+: )/,
  /^import (?!type)[^;]*\b(Agent|Client|Pool|ProxyAgent|fetch|request|stream)\b[^;]*from 'undici'/m,
  /^import (?!type)[^;]*\b(connect|createConnection|Socket)\b[^;]*from 'node:(net|tls)'/m,
  /^import (?!type)[^;]*\b(Agent|get|request)\b[^;]*from 'node:https?'/m,
  /^import (?!type)[^;]*from '(nodemailer|node:dgram)'/m,
  /\bnew (pg\.)?(Client|Pool|Redis|Cluster)\(|\bconnectionTimeoutMillis:/,
  /\bnew OTLP\w+\(|exporter-(trace|metrics)-otlp/,
];

const rootFolder = fileURLToPath(new URL('../../../', import.meta.url));

it('lists every file that opens connections', () => {
  const files = globSync(['services/**/*.ts', 'shared/**/*.ts', 'infra/**/*.ts'], { cwd: rootFolder })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !/^(services\/dashboard|infra\/tools|infra\/house)\/|\/node_modules\/|\/dist\//.test(path));
  const found = files.filter((path) => {
    // The snippets of the documentation open nothing, and neither do types.
    const text = fileText(path)
      .replaceAll(/`[^`]*`/g, '``')
      .replaceAll(/\btype \w+/g, '');
    return opening.some((pattern) => pattern.test(text));
  });
  expect(found.sort()).toEqual(Object.keys(openers).sort());
});

let canary: Server;
let port: number;
let reached = 0;
beforeAll(async () => {
  canary = createServer((_request, response) => {
    reached += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  ({ port } = canary.address() as AddressInfo);
});
afterAll(() => {
  canary.closeAllConnections();
  canary.close();
});

/** The environments of the documentation: behind a proxy on the same machine, in Compose, and with a public name. */
const layouts: Readonly<Record<string, Record<string, string>>> = {
  'a proxy on the machine': {
    HOST: '127.0.0.1',
    PUBLIC_BASE_URL: 'https://track.example.com',
    TRUST_PROXY: '127.0.0.1',
  },
  'a proxy that forgets its clients': { HOST: '127.0.0.1', PUBLIC_BASE_URL: 'https://track.example.com' },
  compose: { HOST: '0.0.0.0' },
};

type Door = { send: (url: string) => Promise<string>; close: () => Promise<void> };

/** Each way to make Landfall request an address that a client names. A result says why nothing was sent. */
const doors: Readonly<Record<string, (env: Record<string, string>, resolved: string[]) => Door>> = {
  'webhooks and alert channels, live': (env, resolved) => webhookDoor(env, { resolved, test: false }),
  'webhooks and alert channels, test': (env, resolved) => webhookDoor(env, { resolved, test: true }),
  'documents of OAuth clients': (variables, resolved) => {
    const env = readEnv(variables);
    const documents = openDocumentFetch(
      documentGuard(env, async () => resolved),
      { proxyUrl: null, version: '1' },
    );
    const refusal = (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message;
    return {
      send: (url) => documents.fetch(url).then(({ status }) => `sent: ${status}`, refusal),
      close: documents.close,
    };
  },
};

function webhookDoor(variables: Record<string, string>, use: { resolved: string[]; test: boolean }): Door {
  const env = readEnv(variables);
  const resolve = async () => use.resolved;
  const sender = openConfiguredSender(env, { isMachineOnly: isMachineOnly(env), resolve });
  return {
    send: async (url) => {
      const target = { url, test: use.test, timeoutMs: 5000 };
      const { status, error } = await sender.send(target, { headers: {}, body: '{}' });
      // The same when it is set, so that nobody waits for the first delivery.
      if ((await sender.checkAddress(url, { test: use.test })) === null) return 'accepted';
      return error ?? `sent: ${status}`;
    },
    close: sender.close,
  };
}

const refused =
  /^(address_forbidden|invalid_url|dns_failed)$|public address|is the machine itself|must begin with|must not contain|not valid/;

const literals = [
  ...Object.keys(forbiddenV4),
  ...Object.keys(forbiddenV6).flatMap((address) => spellingsOfV6(address)),
  ...['127.0.0.1', '169.254.169.254', '10.0.0.1'].flatMap((address) => spellingsOf(address)),
  ...forbiddenHosts,
];

describe.each(Object.entries(layouts))('behind %s', (_layout, env) => {
  it.each(Object.entries(doors))('reaches no forbidden address through %s', async (_name, open) => {
    const before = reached;
    const door = open(env, ['93.184.215.14']);
    for (const host of literals)
      for (const scheme of ['http', 'https'])
        expect(await door.send(`${scheme}://${host}:${port}/x`), host).toMatch(refused);
    await door.close();
    const addresses = [...Object.keys(forbiddenV4), ...Object.keys(forbiddenV6)];
    for (const address of addresses) {
      const named = open(env, ['93.184.215.14', address]);
      expect(await named.send(`https://receiver.example:${port}/x`), address).toMatch(refused);
      await named.close();
    }
    expect(reached).toBe(before);
  });
});

it('calls no origin but those of the carrier’s own settings, whatever a response names', async () => {
  const before = reached;
  const agent = openCarrierAgent();
  const settings = { baseUrl: 'https://api.carrier.example', authUrl: null };
  const call = createCarrierFetch(agent, { settings, maxBodyBytes: 1000 });
  for (const url of [
    `http://127.0.0.1:${port}/next`,
    'https://169.254.169.254/',
    'https://api.carrier.example.evil.test/',
  ])
    await expect(call(url, { signal: AbortSignal.timeout(1000) })).rejects.toThrow('not the configured carrier');
  expect(reached).toBe(before);
  await agent.close();
});

it('lets the authorization server request nothing by itself', () => {
  // With it, better-auth posts logout tokens to an address in the registration of a client.
  expect(fileText('services/api/auth/oauth-server.ts')).toContain('disableJwtPlugin: true');
  // With it, better-auth reads the keys of a client from an address in its document.
  expect(fileText('services/api/auth/open-oauth.ts')).not.toContain('client_assertion');
});

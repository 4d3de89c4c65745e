import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '#shared/domain/caller.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { textOf } from '#test/support/api/event-stream.ts';
import { selfSignedCertificate } from '#test/support/api/self-signed-certificate.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { authorizeUrl, freePort, newPkce } from '#test/support/oauth/oauth-api.ts';
import { fileText } from '#test/support/repository.ts';
import { until } from '#test/support/until.ts';
import {
  forbiddenHosts,
  forbiddenV4,
  forbiddenV6,
  spellingsOf,
  spellingsOfV6,
} from '../shared/net/forbidden-targets.ts';

const searchPath = `${process.env.PATH}:/usr/sbin`;
const page = fileText('docs/operate/self-hosting.md');

/** The configuration of the documentation for a proxy. */
function documented(language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``).exec(page) ?? [];
  if (block === undefined) throw new Error(`docs/operate/self-hosting.md has no configuration for ${language}`);
  return block;
}

type Layout = { folder: string; port: number; apiPort: number };
type Proxy = { name: string; write: (layout: Layout) => string; args: (file: string, folder: string) => string[] };

const replaced = (text: string, pairs: readonly [from: string, to: string][]): string =>
  pairs.reduce((left, [from, to]) => {
    if (!left.includes(from)) throw new Error(`the configuration does not contain ${from}`);
    return left.replaceAll(from, to);
  }, text);

const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    write: ({ folder, port, apiPort }) => {
      const server = replaced(documented('nginx'), [
        ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
        ['/etc/ssl/', `${folder}/`],
        ['127.0.0.1:8080', `127.0.0.1:${apiPort}`],
      ]);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
      return `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${paths.join(' ')}\n${server} }`;
    },
    args: (file, folder) => ['-c', file, '-p', folder],
  },
  {
    name: 'caddy',
    write: ({ folder, port, apiPort }) => {
      const certificate = `tls ${folder}/track.example.com.crt ${folder}/track.example.com.key`;
      const site = replaced(documented('caddy'), [
        ['track.example.com {', `https://track.example.com:${port} {\n  ${certificate}`],
        ['127.0.0.1:8080', `127.0.0.1:${apiPort}`],
      ]);
      return `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`;
    },
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'haproxy',
    write: ({ folder, port, apiPort }) =>
      replaced(documented('haproxy'), [
        ['bind :443', `bind 127.0.0.1:${port}`],
        ['/etc/ssl/', `${folder}/`],
        ['127.0.0.1:8080', `127.0.0.1:${apiPort}`],
      ]),
    args: (file) => ['-db', '-f', file],
  },
];

function isInstalled(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore', env: { PATH: searchPath } });
    return true;
  } catch {
    return false;
  }
}

let canary: Server;
let canaryPort: number;
let reached = 0;
beforeAll(async () => {
  canary = createServer((_request, response) => {
    reached += 1;
    response.end('a secret of the machine');
  });
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
  ({ port: canaryPort } = canary.address() as AddressInfo);
});
afterAll(() => {
  canary.closeAllConnections();
  canary.close();
});

/** The last one is a name whose owner points it at the machine. */
const hosts = [
  ...Object.keys(forbiddenV4),
  ...Object.keys(forbiddenV6).flatMap((address) => spellingsOfV6(address)),
  ...['127.0.0.1', '169.254.169.254', '10.0.0.1'].flatMap((address) => spellingsOf(address)),
  ...forbiddenHosts,
  'receiver.example',
];
const targets = () => hosts.flatMap((host) => ['http', 'https'].map((scheme) => `${scheme}://${host}:${canaryPort}/x`));

describe.each(proxies)('behind $name', ({ name, write, args }) => {
  it.skipIf(!isInstalled(name))('reaches nothing on the machine, and passes what clients need', async () => {
    const folder = mkdtempSync(join(tmpdir(), `landfall-${name}-`));
    const { certificate, privateKey } = selfSignedCertificate();
    writeFileSync(join(folder, 'track.example.com.crt'), certificate);
    writeFileSync(join(folder, 'track.example.com.key'), privateKey);
    writeFileSync(join(folder, 'track.example.com.pem'), certificate + privateKey);
    const port = await freePort();
    const publicUrl = `https://track.example.com:${port}`;
    const api = await startTestApi(
      {
        ...{ HOST: '127.0.0.1', PUBLIC_BASE_URL: publicUrl, TRUST_PROXY: '127.0.0.1', MCP_OAUTH: 'on' },
        ...{ WEBHOOK_ALLOW_HTTP: '0', WEBHOOK_ALLOWED_NETWORKS: '' },
      },
      { resolveName: async () => ['127.0.0.1'] },
    );
    const file = join(folder, 'config');
    writeFileSync(file, write({ folder, port, apiPort: Number(new URL(api.url).port) }));
    const env = { PATH: searchPath, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const proxy = spawn(name, args(file, folder), { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    proxy.stderr.on('data', (chunk: Buffer) => {
      errors += chunk;
    });
    // The name leads to the proxy, whose certificate nobody vouches for. Clients come from another address than it.
    const lookup: LookupFunction = (_name, { all }, callback) =>
      all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    const former = getGlobalDispatcher();
    const agent = new Agent({ connect: { rejectUnauthorized: false, lookup }, localAddress: '127.0.0.2' });
    setGlobalDispatcher(agent);
    try {
      await until(
        async () => (proxy.exitCode === null ? await accepts(port) : errors),
        (found) => found !== false,
      );
      expect(proxy.exitCode, errors).toBeNull();
      await checkPaths({ ...api, url: publicUrl });
    } finally {
      setGlobalDispatcher(former);
      await agent.destroy();
      await end(proxy);
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function checkPaths(api: TestApi): Promise<void> {
  const before = reached;
  const keys = {
    live: (await api.createKey({ scopes })).secret,
    test: (await api.createKey({ scopes, test: true })).secret,
  };
  const send = (path: string, body?: unknown, key = keys.test) =>
    fetch(api.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  expect((await send('/v1/me')).status).toBe(200);

  const member = await signedIn(api, 'viewer', `proxied ${api.accountName}`);
  const channelOf = (channel: string, url: string) =>
    member.ask(`/dashboard/api/alert-preferences/channels/${channel}`, {
      ...{ method: 'PUT', body: { url }, headers: { 'landfall-mode': 'test' } },
    });
  for (const url of targets()) {
    for (const key of [keys.live, keys.test])
      expect((await send('/v1/webhook-endpoints', { url }, key)).status, url).toBe(400);
    expect((await channelOf('webhook', url)).status, url).toBe(400);
  }
  for (const channel of ['slack', 'teams'])
    expect((await channelOf(channel, `http://127.0.0.1:${canaryPort}/x`)).status).toBe(400);

  // Endpoints that were accepted before, and lead to the machine since.
  const created = await send('/v1/webhook-endpoints', { url: 'https://93.184.215.14/x' });
  const { webhook_endpoint_id: id } = await jsonOf(created);
  const database = new pg.Client({ connectionString: api.databaseUrl });
  await database.connect();
  for (const url of [`http://127.0.0.1:${canaryPort}/x`, `https://receiver.example:${canaryPort}/x`]) {
    await database.query('update landfall.webhook_endpoints set url = $1 where account_id = $2', [url, api.accountId]);
    const tried = await (await send(`/v1/webhook-endpoints/${id}/test`, {})).text();
    expect(tried).toMatch(/address_forbidden|invalid_url/);
    expect(tried).not.toContain('a secret of the machine');
  }
  await database.end();

  for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', 'receiver.example', '0x7f.1']) {
    const address = authorizeUrl(api, `https://${host}:${canaryPort}/client.json`, newPkce());
    const answer = await fetch(address, { redirect: 'manual' });
    expect(answer.headers.get('location'), host).toBe('/connect#error=invalid_client');
  }
  expect(reached).toBe(before);

  // The address of a client is the one that the proxy saw, whatever the client claims.
  const { body } = await member.ask('/dashboard/api/sessions', { headers: { 'x-forwarded-for': '10.9.9.9' } });
  expect(JSON.stringify(body)).not.toContain('10.9.9.9');
  expect(body.data[0].address).toBe('127.0.0.2');
  // A stream passes as it arrives.
  const stream = await fetch(`${api.url}/v1/events/stream`, { headers: { authorization: `Bearer ${keys.live}` } });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  expect(await textOf(stream)).not.toBe('');
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function end(proxy: ChildProcess): Promise<void> {
  if (proxy.exitCode !== null) return;
  const exited = once(proxy, 'exit');
  proxy.kill('SIGTERM');
  await exited;
}

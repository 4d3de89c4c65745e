import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { verificationSnippets } from '#shared/contract/webhooks/verification-snippets.ts';
import { until } from '#test/support/until.ts';

const root = new URL('../../../../', import.meta.url);

/** Runs the snippet as it is shown, and returns its address. */
async function startNodeSnippet(secret: string): Promise<string> {
  const code = verificationSnippets.find(({ id }) => id === 'node')?.code ?? '';
  const port = await freePort();
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    env: { ...process.env, LANDFALL_WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(async () => {
    receiver.kill();
    await once(receiver, 'exit');
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(isUp, (up) => up);
  return url;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

it('accepts only recent signatures of one of the secrets, with the Node.js snippet', async () => {
  const [secret, next] = [newSecret(), newSecret()];
  const url = await startNodeSnippet(secret);
  const body = '{"type":"shipment.updated","data":{"reference":"Zürich"}}';
  const post = async ({ keys = [secret], at = new Date(), sent = body }) => {
    const signatures = keys.map((key) => new Webhook(key).sign('chg_1', at, body));
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'webhook-id': 'chg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signatures.join(' '),
      },
      body: sent,
    });
    return response.status;
  };
  expect(await post({})).toBe(204);
  expect(await post({ keys: [next, secret] })).toBe(204);
  expect(await post({ keys: [next] })).toBe(400);
  expect(await post({ sent: body.replace('Z', 'z') })).toBe(400);
  expect(await post({ at: new Date(Date.now() - 6 * 60_000) })).toBe(400);
});

it('shows the same snippets in the documentation, without a secret', () => {
  const page = readFileSync(new URL('docs/guide/webhooks.md', root), 'utf8');
  for (const { language, install, code } of verificationSnippets) {
    expect(page).toContain(`\`\`\`${language}\n${code}\n\`\`\``);
    expect(page).toContain(install);
    expect(code).toContain('LANDFALL_WEBHOOK_SECRET');
  }
});

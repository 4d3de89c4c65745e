import { describe, expect, it } from 'vitest';
import { startTestApi } from '#test/support/api/api.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';

const url = 'http://127.0.0.1:3000/hooks';

/** The answers to a test endpoint and a test alert channel on the machine itself. */
async function answersWith(environment: Record<string, string>): Promise<number[]> {
  const api = await startTestApi({ WEBHOOK_ALLOW_HTTP: '0', WEBHOOK_ALLOWED_NETWORKS: '', ...environment });
  try {
    const { secret } = await api.createKey({ scopes: ['webhooks:manage'], test: true });
    const endpoint = await api.request('/v1/webhook-endpoints', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
    const viewer = await signedIn(api, 'viewer', 'loopback');
    const channel = await viewer.ask('/dashboard/api/alert-preferences/channels/webhook', {
      method: 'PUT',
      headers: { 'landfall-mode': 'test' },
      body: { url },
    });
    return [endpoint.status, channel.status];
  } finally {
    await api.close();
  }
}

describe('a receiver on the machine itself, in test mode', () => {
  it('is accepted if no other machine reaches the installation', async () => {
    expect(await answersWith({ HOST: '127.0.0.1' })).toEqual([201, 200]);
  });

  it.each([
    ['a public address', { HOST: '127.0.0.1', PUBLIC_BASE_URL: 'https://track.example' }],
    ['a proxy', { HOST: '127.0.0.1', TRUST_PROXY: '127.0.0.1' }],
    ['a port that other machines reach', { HOST: '0.0.0.0' }],
  ])('is refused behind %s', async (_name, environment) => {
    expect(await answersWith(environment)).toEqual([400, 400]);
  });

  it('is accepted everywhere if the operator names it', async () => {
    const named = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };
    expect(await answersWith({ HOST: '0.0.0.0', ...named })).toEqual([201, 200]);
  });
});

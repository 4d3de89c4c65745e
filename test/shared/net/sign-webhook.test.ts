import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { secretBytes, signWebhook } from '#shared/net/sign-webhook.ts';

const body = '{"type":"shipment.delivered","timestamp":"2025-07-01T10:00:00.000Z","data":{"n":"Zoë"}}';
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

function signedBy(secrets: readonly string[], timestamp = Math.floor(Date.now() / 1000)) {
  const message = { id: 'chg_01kahf3m2xfr5tq4d8z9w6c7yb', timestamp, body };
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(message, secrets.map(secretBytes)),
  };
}

it('signs as the published test vector of Standard Webhooks', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  const secret = secretBytes('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  expect(signWebhook(message, [secret])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

it('is verified by the library of Standard Webhooks, during a rotation with either secret', () => {
  const [old, next] = [newSecret(), newSecret()];
  for (const secret of [old, next]) {
    expect(new Webhook(secret).verify(body, signedBy([secret]))).toEqual(JSON.parse(body));
    expect(new Webhook(secret).verify(body, signedBy([next, old]))).toEqual(JSON.parse(body));
  }
});

it('is refused by the library after a change of the body, with an old timestamp and with another secret', () => {
  const secret = newSecret();
  const receiver = new Webhook(secret);
  for (let place = 0; place < body.length; place += 1) {
    const altered = `${body.slice(0, place)}${body[place] === 'x' ? 'y' : 'x'}${body.slice(place + 1)}`;
    expect(() => receiver.verify(altered, signedBy([secret]))).toThrow();
  }
  const tenMinutesAgo = Math.floor(Date.now() / 1000) - 600;
  expect(() => receiver.verify(body, signedBy([secret], tenMinutesAgo))).toThrow(/old/);
  expect(() => receiver.verify(body, signedBy([newSecret()]))).toThrow();
});

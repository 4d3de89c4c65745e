import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { openScriptCore } from '#infra/installation/open-script-core.ts';
import { toTestBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { createWebhookEndpoint } from '#shared/core/webhooks/create-endpoint.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender } from '#shared/net/webhook-sender.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { oceanRegistration, testCredentialKey } from '#test/support/core-context.ts';
import type { Bench } from '../bench.ts';
import type { ReceivedReport } from './webhook-receiver.ts';

export type WebhookWorld = {
  /** Of the worker. */
  env: Record<string, string>;
  /** Commits changes to each account and returns when each was committed (epoch ms), by its traceparent. */
  change: (perAccount: number) => Promise<Map<string, number>>;
  /** Resolves when the receiver has answered so many requests since the last call. */
  received: (count: number) => Promise<[string, number][]>;
  close: () => Promise<void>;
};

export type WorldSize = {
  accounts: number;
  /** Endpoints of each account. */
  healthy: number;
  /** One more endpoint for each account, in their order. */
  troubled?: readonly ('hangs' | 'refuses')[];
};

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Endpoints of test mode at a receiver in a process of its own. `redisDatabase` null: the one that `REDIS_URL` names. */
export async function openWebhookWorld(
  bench: Bench,
  size: WorldSize,
  redisDatabase: number | null,
): Promise<WebhookWorld> {
  const databaseUrl = await bench.newDatabase();
  const receiver = fork(`${root}infra/tools/bench/data/webhook-receiver.ts`, { cwd: root, execArgv: [] });
  const url = await readyUrl(receiver);
  const sender = openWebhookSender({
    guard: openAddressGuard({ allowHttp: false, allowedNetworks: [], loopbackInTests: true, proxied: false }),
    proxyUrl: null,
    version: '1',
  });
  const script = await openScriptCore(serviceUrlOf(databaseUrl), '');
  const core = {
    ...script,
    secretKeys: await openSecretKeys([{ version: 'v1', key: testCredentialKey }]),
    webhooks: { ...sender, bodyOf: toWebhookBody, testBodyOf: toTestBody },
  };
  const accounts: { caller: Caller; shipment: Shipment }[] = [];
  for (let place = 0; place < size.accounts; place += 1) {
    const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, `webhooks ${place}`));
    const caller: Caller = {
      accountId,
      keyId: null,
      scopes: ['shipments:read', 'shipments:write'],
      test: true,
      requestId: 'bench',
      idempotency: null,
    };
    const { shipment } = await registerShipment(core, caller, oceanRegistration());
    accounts.push({ caller, shipment });
    const types = ['shipment.updated'] as const;
    const add = (path: string) => createWebhookEndpoint(core, caller, { url: path, types, timeoutS: 30 });
    for (let number = 0; number < size.healthy; number += 1) await add(`${url}/${place}-${number}`);
    const trouble = size.troubled?.[place];
    // Nothing listens on the port of discard.
    if (trouble !== undefined) await add(trouble === 'hangs' ? `${url}/hang` : 'http://127.0.0.1:9/refuse');
  }
  let total = 0;
  let asked = 0;
  let receipts: [string, number][] = [];
  let check = (): void => undefined;
  receiver.on('message', (message: ReceivedReport) => {
    if (message.type !== 'received') return;
    total = message.count;
    receipts.push(...message.receipts);
    check();
  });
  let made = 0;
  return {
    env: {
      DATABASE_URL: serviceUrlOf(databaseUrl),
      ...(bench.redisUrl !== null && {
        REDIS_URL: redisDatabase === null ? bench.redisUrl : new URL(`/${redisDatabase}`, bench.redisUrl).href,
      }),
      CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
      SIMULATOR: 'off',
      HOST: '127.0.0.1',
      WORKER_HEALTH_PORT: '0',
      LOG_LEVEL: 'warn',
    },
    change: async (perAccount) => {
      const committed = new Map<string, number>();
      for (const { caller, shipment } of accounts) {
        const data = { shipment: shipmentSnapshot(shipment), changes: {} };
        const names = Array.from({ length: perAccount }, () => {
          made += 1;
          return `00-${made.toString(16).padStart(32, '0')}-00000000000000ff-00`;
        });
        await withAccount(core.store, caller.accountId, (tx) =>
          appendChanges(
            tx,
            caller.accountId,
            names.map((traceparent) => ({
              type: 'shipment.updated',
              shipmentId: shipment.id,
              test: true,
              data,
              traceparent,
            })),
          ),
        );
        const atMs = performance.timeOrigin + performance.now();
        for (const name of names) committed.set(name, atMs);
      }
      return committed;
    },
    received: async (count) => {
      const wanted = asked + count;
      await new Promise<void>((resolve) => {
        check = () => {
          if (total >= wanted) resolve();
        };
        check();
      });
      asked = wanted;
      const taken = receipts;
      receipts = [];
      return taken;
    },
    close: async () => {
      const ended = once(receiver, 'exit');
      receiver.disconnect();
      await ended;
      await sender.close();
      await script.close();
    },
  };
}

async function readyUrl(child: ChildProcess): Promise<string> {
  const [message] = (await once(child, 'message')) as [{ url: string }];
  return message.url;
}

/** Runs the baseline once against a receiver of its own: milliseconds and CPU time for so many requests. */
export async function sendBare(total: number, places: number): Promise<{ ms: number; cpuUs: number; rss: number }> {
  const receiver = fork(`${root}infra/tools/bench/data/webhook-receiver.ts`, { cwd: root, execArgv: [] });
  const url = await readyUrl(receiver);
  const args = [url, String(total), String(places), String(bodyBytes)];
  const child = fork(`${root}infra/tools/bench/data/bare-sender.ts`, args, { cwd: root, execArgv: [] });
  const [done] = (await once(child, 'message')) as [{ ms: number; cpuUs: number; rss: number }];
  receiver.disconnect();
  return done;
}

/** About the size of a change of the deliveries above. */
const bodyBytes = 1700;

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { hashPassword } from 'better-auth/crypto';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { keepProof } from '#shared/core/record/read-proof.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { deliverParcel } from '#test/support/carriers/delivered-parcel.ts';
import type { Installation } from '#test/support/installation.ts';

/** An account that sends heavy files, with a key and the session of its owner. */
export type Sender = { accountId: string; key: string; owner: SignedInMember };

const hardlyLimited = { read: 1_000_000, write: 1_000_000, batch: 1_000_000, mcp: 1_000_000 };

export async function newSender({ core, api }: Installation): Promise<Sender> {
  const name = randomUUID();
  const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, name));
  await setAccountLimits(core.ctx, { ...(await core.newCaller()), accountId }, hardlyLimited);
  const scopes = ['shipments:read', 'shipments:write', 'events:write', 'shares:write'] as const;
  const { secret } = await createApiKey(core.ctx, accountId, { name: 'heavy', test: false, scopes });
  const auth = { hashPassword: (password: string) => hashPassword(password) };
  const owner = await signedIn({ url: api.url, ctx: { core: core.ctx, auth } } as unknown as TestApi, 'owner', name);
  return { accountId, key: secret, owner };
}

/** A delivered parcel with a kept document of 5 MB, and the paths of that document and of its page's picture. */
export async function newParcel({ core, api }: Installation, { accountId, key }: Sender) {
  const { shipmentId } = await deliverParcel(core.ctx, accountId);
  const proof = { shipmentId, proofId: 'signature', piece: null, mediaType: 'image/png' } as const;
  await keepProof(core.ctx, accountId, { ...proof, content: Buffer.alloc(5_000_000, 1) });
  const id = encodeTypeId('shp', shipmentId);
  const shared = await fetch(`${api.url}/v1/shipments/${id}/shares`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  if (shared.status !== 201) throw new Error(`sharing was answered ${shared.status}: ${await shared.text()}`);
  const { url } = (await shared.json()) as { url: string };
  return { proof: `/v1/shipments/${id}/proof/signature`, picture: `${new URL(url).pathname}/picture.png` };
}

type Part = { path: string; type: string; headers: Record<string, string>; body: Buffer; method: string };

/** Sends a third of a file and ends the connection, again and again, until the returned function is called. */
export function disconnectAgainAndAgain(url: string, file: Part): () => Promise<void> {
  let isOver = false;
  const ended = (async () => {
    while (!isOver) {
      const socket = await beginChunked(url, file);
      socket.write(chunkOf(file.body.subarray(0, file.body.length / 3)));
      await new Promise((resolve) => setTimeout(resolve, 200));
      socket.destroy();
    }
  })();
  return async () => {
    isOver = true;
    await ended;
  };
}

/** Sends a file a byte at a time until the returned function is called. */
export function trickle(url: string, file: Part): () => Promise<void> {
  let isOver = false;
  const ended = (async () => {
    const socket = await beginChunked(url, file);
    for (let at = 0; !isOver && !socket.destroyed; at = (at + 1) % file.body.length) {
      socket.write(chunkOf(file.body.subarray(at, at + 1)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    socket.destroy();
  })();
  return async () => {
    isOver = true;
    await ended;
  };
}

function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

async function beginChunked(url: string, { method, path, type, headers }: Part) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  const lines = Object.entries({ host: hostname, 'content-type': type, 'transfer-encoding': 'chunked', ...headers });
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  return socket;
}

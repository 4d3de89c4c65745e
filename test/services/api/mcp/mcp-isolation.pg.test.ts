import { afterAll, beforeAll, expect, it } from 'vitest';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { allowsBatches, legacyVersions, modernVersion } from '#services/api/mcp/protocol-versions.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { detailsTool, listTool } from '#test/support/api/mcp-calls.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';

type Side = { key: string; mark: string; ids: string[]; mbls: string[]; cursor: string };

let api: TestApi;
let sides: [Side, Side];

beforeAll(async () => {
  api = await startTestApi();
  sides = [await openSide('AAAAMARK', 100), await openSide('ZZZZMARK', 500)];
  for (const side of sides) {
    const first = await send(side, { revision: null, isStream: false, body: call(1, listTool, { limit: 2 }) });
    side.cursor = JSON.parse(first).result.structuredContent.next_cursor;
  }
});
afterAll(() => api.close());

/** An account of its own. Both accounts have a shipment with the same house number on the same vessel. */
async function openSide(mark: string, from: number): Promise<Side> {
  const { accountId } = await withSystem(api.ctx.core.store, (tx) => ensureAccount(tx, mark));
  const { read, write, batch, mcp } = { read: 1e7, write: 1e7, batch: 1e7, mcp: 1e7 };
  await setAccountLimits(api.ctx.core, operatorOf(accountId), { read, write, batch, mcp });
  const { secret } = await createApiKey(api.ctx.core, accountId, { name: 'test', test: false });
  const caller = { ...operatorOf(accountId), test: false };
  const ids: string[] = [];
  const mbls: string[] = [];
  for (let n = 0; n < 6; n++) {
    const mbl = `${mark.slice(0, 2)}9000${from + n}`;
    const { shipment } = await registerShipment(
      api.ctx.core,
      caller,
      oceanRegistration({ identifiers: { mbl, hbl: 'SAME-HOUSE' }, reference: `${mark}-${n}`, tags: ['shared'] }),
    );
    ids.push(encodeTypeId('shp', shipment.id));
    mbls.push(mbl);
  }
  return { key: secret, mark, ids, mbls, cursor: '' };
}

const legacyRevisions = legacyVersions;
const modern = modernVersion;
/** Every revision, and none, which is what the interface document shows. */
const revisions = [null, ...legacyRevisions, modern];

type Sent = { revision: string | null; isStream: boolean; body: Json };

function call(id: number | string, name: string, args: Json): Json {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

async function send(side: Side, { revision, isStream, body }: Sent): Promise<string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${side.key}`,
    'content-type': 'application/json',
    accept: isStream ? 'application/json, text/event-stream' : 'application/json',
    ...(revision === null ? {} : { 'mcp-protocol-version': revision }),
  };
  let sent = body;
  if (revision === modern) {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': modern,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    sent = { ...body, params: { ...body.params, _meta: meta } };
    Object.assign(headers, { 'mcp-method': 'tools/call', 'mcp-name': body.params.name });
  }
  const answer = await fetch(`${api.url}/v1/mcp`, { method: 'POST', headers, body: JSON.stringify(sent) });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  expect(answer.headers.get('content-type')).toContain(isStream ? 'text/event-stream' : 'application/json');
  return isStream ? text.replace(/^event: message\ndata: /, '').trim() : text;
}

const batchable = revisions.filter((revision) => revision !== modern && allowsBatches(revision));

/** The request of this call; `foreign` requests the other account's data. */
function argsOf(n: number, own: Side, other: Side): { name: string; args: Json; isForeign: boolean } {
  const at = n % own.ids.length;
  const choices = [
    { name: listTool, args: { limit: 50 }, isForeign: false },
    { name: detailsTool, args: { shipment_id: own.ids[at] }, isForeign: false },
    { name: detailsTool, args: { shipment_id: other.ids[at] }, isForeign: true },
    { name: listTool, args: { query: own.mark }, isForeign: false },
    { name: detailsTool, args: { bol: other.mbls[at], response_format: 'detailed' }, isForeign: true },
    { name: detailsTool, args: { identifier: 'SAME-HOUSE' }, isForeign: false },
    { name: listTool, args: { tag: 'shared', limit: 3 }, isForeign: false },
    { name: listTool, args: { limit: 2, cursor: other.cursor }, isForeign: true },
    { name: detailsTool, args: { identifier: `${own.mbls[at]?.slice(0, -1)}X` }, isForeign: false },
  ];
  const choice = choices[n % choices.length];
  if (choice === undefined) throw new Error('no choice');
  return choice;
}

function check(answer: Json, n: number, own: Side, other: Side): void {
  const { isForeign, args } = argsOf(n, own, other);
  expect(answer.id).toBe(`call-${n}-${own.mark}`);
  // An error may repeat what the caller itself sent.
  const asked = Object.values(args).map(String);
  const text = JSON.stringify({ ...answer, id: null });
  for (const secret of [other.mark, ...other.ids, ...other.mbls]) {
    if (!asked.includes(secret)) expect(text).not.toContain(secret);
  }
  expect(answer.result.isError === true, text).toBe(isForeign || args.identifier?.endsWith('X') === true);
  const { structuredContent: content } = answer.result;
  if (content === undefined) {
    expect(text).not.toContain(other.mark);
    return;
  }
  const shown: string[] = (content.shipments ?? content.matches ?? [content]).map((row: Json) => row.shipment_id);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.every((id) => own.ids.includes(id))).toBe(true);
  if (content.total !== undefined) expect(content.total).toBe(own.ids.length);
}

it('returns no data of another account in many concurrent calls of two, in every revision, as streams, JSON and batches', async () => {
  const calls = scaled({ short: 400, full: 2000 });
  const atOnce = 24;
  let next = 0;
  let answered = 0;
  const seen = new Set<string>();
  const worker = async () => {
    while (next < calls) {
      const n = next;
      next += 1;
      const [own, other] = n % 2 === 0 ? sides : [sides[1], sides[0]];
      const revision = revisions[Math.floor(n / 2) % revisions.length] ?? null;
      const isStream = Math.floor(n / (2 * revisions.length)) % 2 === 0;
      const isBatch = batchable.includes(revision) && n % 5 === 0 && n + 3 < calls;
      const numbers = isBatch ? [n, n + 1_000_000, n + 2_000_000] : [n];
      const bodies = numbers.map((number) => {
        const { name, args } = argsOf(number, own, other);
        return call(`call-${number}-${own.mark}`, name, args);
      });
      const answers = JSON.parse(await send(own, { revision, isStream, body: isBatch ? bodies : bodies[0] }));
      const list: Json[] = isBatch ? answers : [answers];
      expect(list).toHaveLength(numbers.length);
      for (const number of numbers)
        check(
          list.find((one) => one.id === `call-${number}-${own.mark}`),
          number,
          own,
          other,
        );
      answered += list.length;
      seen.add(`${revision} ${isStream ? 'stream' : 'JSON'} ${isBatch ? 'batch' : 'single'}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  expect(answered).toBeGreaterThanOrEqual(calls);
  expect(seen.size).toBe(revisions.length * 2 + batchable.length * 2);
});

it("answers another account's cursor, number or ID exactly like one that never existed", async () => {
  const [own, other] = sides;
  const ask = async (name: string, args: Json) =>
    JSON.parse(await send(own, { revision: null, isStream: false, body: call(1, name, args) })).result;
  const never = 'shp_01jc3qz8k7f0aa9v4m2n8xw5rt';
  const foreign = await ask(detailsTool, { shipment_id: other.ids[0] });
  const missing = await ask(detailsTool, { shipment_id: never });
  expect(foreign.content[0].text.replaceAll(other.ids[0] ?? '', never)).toBe(missing.content[0].text);
  expect(await ask(listTool, { limit: 2, cursor: other.cursor })).toEqual(
    await ask(listTool, { limit: 2, cursor: 'nonsense' }),
  );
});

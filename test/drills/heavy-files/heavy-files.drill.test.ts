import { readFileSync } from 'node:fs';
import process from 'node:process';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageHeaders } from '#test/support/browser/dashboard.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { heavyCsv, heavyEdifact, heavyLogo, heavyWorkbook, heavyX12, longWorkbook } from './heavy-bodies.ts';
import { disconnectAgainAndAgain, newParcel, newSender, type Sender, trickle } from './heavy-senders.ts';
import { type Times, timeOther } from './other-client.ts';

const megabyte = 1_000_000;
const maxResident = 400 * megabyte;
/** Of another client, in milliseconds. On a machine that takes as long without heavy files, a multiple of that. */
const maxP99 = 250;
const maxSlowdown = 3;
const idleMs = 4000;
const minMs = 4000;
/** A page may be requested 300 times a minute. */
const maxRounds = 5;
const count = 30;
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Sent = { method: string; path: string; type: string; headers: Record<string, string>; body: Buffer | null };
type Answered = { status: number; retryAfter: string | null; isWhole: boolean; text: string };

describe('30 heavy files at once, from five accounts', () => {
  let landfall: Installation;
  let senders: Sender[];
  let parcels: { proof: string; picture: string }[];
  let agent: Agent;

  beforeAll(async () => {
    landfall = await openInstallation({ redisUrl: null, withWorker: false });
    senders = [];
    for (let each = 0; each < 5; each += 1) senders.push(await newSender(landfall));
    parcels = [];
    for (let at = 0; at < count; at += 1) parcels.push(await newParcel(landfall, senderOf(at)));
  });
  afterAll(async () => {
    await landfall?.close();
  });

  const senderOf = (at: number): Sender => {
    const sender = senders[at % senders.length];
    if (sender === undefined) throw new Error('no senders');
    return sender;
  };
  const byKey = (at: number) => ({ authorization: `Bearer ${senderOf(at).key}` });
  const bySession = (at: number) => pageHeaders(senderOf(at).owner, landfall.api.url);

  const residentBytes = (): number => {
    const { pid } = landfall.api.process;
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  };

  /** Every third body has no stated length. */
  const send = async ({ method, path, type, headers, body }: Sent, at: number): Promise<Answered> => {
    async function* inChunks(bytes: Buffer) {
      for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
    }
    const sent = body === null ? {} : { body: at % 3 === 2 ? inChunks(body) : body, duplex: 'half' as const };
    const answer = await fetch(landfall.api.url + path, {
      method,
      headers: { ...headers, ...(body === null ? {} : { 'content-type': type }) },
      ...sent,
      dispatcher: agent,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, retryAfter, isWhole: bytes.length > 0, text: bytes.toString('utf8', 0, 300) };
  };

  type Outcome = { answers: Answered[]; idle: Times; times: Times; before: number; resident: number };

  async function sendAll(files: readonly Sent[], also: () => (() => Promise<void>)[]): Promise<Outcome> {
    const { api, key } = landfall;
    const idle = await timeOther({ url: api.url, key }, () => new Promise((resolve) => setTimeout(resolve, idleMs)));
    const before = residentBytes();
    let resident = before;
    const watch = setInterval(() => {
      resident = Math.max(resident, residentBytes());
    }, 10);
    const answers: Answered[] = [];
    // The API may have closed the connections of the last kind.
    agent = new Agent({ connections: 64 });
    const times = await timeOther({ url: api.url, key }, async () => {
      const others = also();
      // Kinds that take a moment are sent again, so that the other client has sent enough.
      const until = performance.now() + minMs;
      for (let round = 0; round === 0 || (round < maxRounds && performance.now() < until); round += 1)
        answers.push(...(await Promise.all(files.map(send))));
      await Promise.all(others.map((end) => end()));
    });
    clearInterval(watch);
    await agent.close();
    return { answers, idle, times, before, resident };
  }

  type Kind = {
    path: (at: number) => string;
    by: 'key' | 'session';
    type?: string;
    method?: string;
    make?: () => Buffer;
  };
  const kinds: [string, Kind][] = [
    ['workbooks', { path: () => '/v1/imports?dry_run=true', by: 'key', type: xlsx, make: heavyWorkbook }],
    ['long workbooks', { path: () => '/v1/imports?dry_run=true', by: 'key', type: xlsx, make: longWorkbook }],
    [
      'CSV files',
      { path: () => '/v1/imports?dry_run=true', by: 'key', type: 'text/csv', make: () => heavyCsv(20_000) },
    ],
    [
      'workbook previews',
      { path: () => '/dashboard/api/imports/preview', by: 'session', type: xlsx, make: heavyWorkbook },
    ],
    [
      'CSV previews',
      { path: () => '/dashboard/api/imports/preview', by: 'session', type: 'text/csv', make: () => heavyCsv(400_000) },
    ],
    ['EDIFACT files', { path: () => '/v1/edi/edifact', by: 'key', type: 'application/edifact', make: heavyEdifact }],
    ['X12 files', { path: () => '/v1/edi/x12', by: 'key', type: 'application/edi-x12', make: heavyX12 }],
    [
      'logos',
      {
        path: () => '/dashboard/api/share-settings/logo',
        by: 'session',
        type: 'application/json',
        method: 'PUT',
        make: heavyLogo,
      },
    ],
    ['proofs', { path: (at) => parcels[at]?.proof ?? '', by: 'key', method: 'GET' }],
    ['pictures', { path: (at) => parcels[at]?.picture ?? '', by: 'key', method: 'GET' }],
  ];

  it.each(kinds)(
    'leave the API up and other clients served: %s',
    async (name, { path, by, type = '', method = 'POST', make }) => {
      const body = make?.() ?? null;
      const files = Array.from({ length: count }, (_, at) => ({
        method,
        path: path(at),
        type,
        headers: by === 'key' ? byKey(at) : bySession(at),
        body,
      }));
      const { answers, idle, times, before, resident } = await sendAll(files, () =>
        files.slice(0, 2).flatMap((file) => {
          if (file.body === null) return [];
          const { url } = landfall.api;
          return [
            trickle(url, { ...file, body: file.body }),
            disconnectAgainAndAgain(url, { ...file, body: file.body }),
          ];
        }),
      );
      const refused = answers.filter(({ status }) => status === 503 || status === 429);
      const read = answers.filter(({ status }) => status < 300);
      process.stdout.write(
        `${name}: ${((body?.length ?? 0) / megabyte).toFixed(1)} MB, ${read.length} read, ${refused.length} refused; ` +
          `another client's p50 ${times.p50.toFixed(0)} and p99 ${times.p99.toFixed(0)} ms of ${times.count}, ` +
          `idle ${idle.p50.toFixed(0)} and ${idle.p99.toFixed(0)} ms of ${idle.count} (p99 × ${(times.p99 / idle.p99).toFixed(1)}); ` +
          `resident ${(resident / megabyte).toFixed(0)} MB, before ${(before / megabyte).toFixed(0)}\n`,
      );
      expect(landfall.api.process.exitCode).toBeNull();
      expect(answers.filter((answer) => !read.includes(answer) && !refused.includes(answer))).toEqual([]);
      expect(refused.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
      expect(read.length).toBeGreaterThan(0);
      expect(resident).toBeLessThanOrEqual(maxResident);
      expect(times.p99).toBeLessThanOrEqual(Math.max(maxP99, maxSlowdown * idle.p99));
    },
  );
});

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { workbook } from '#test/services/api/imports/spreadsheets/zip.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';

const mebibyte = 1024 ** 2;
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Some 8 MB packed, with 2.9 million short texts. */
function heavyWorkbook(): Buffer {
  const texts = Array.from({ length: 2_900_000 }, () => `<si><t>${Math.random().toString(36).slice(2, 6)}</t></si>`);
  const row = (number: string) => `<row><c t="inlineStr"><is><t>${number}</t></is></c></row>`;
  return workbook([{ name: 'Sheet1', rows: row('mbl') + row('MAEU123456789') }], { strings: texts.join('') });
}

/** Some 4.7 MB with 19,000 messages about shipments that don't exist. */
function heavyEdifact(): Buffer {
  const messages = Array.from(
    { length: 19_000 },
    (_, at) =>
      `UNH+${at}+IFTSTA:D:95B:UN'BGM+23+4711+9'DTM+137:202604150930:203'CNI+1'STS+1+24'RFF+BM:MAEU${100_000_000 + at}'` +
      `DTM+334:202604142210:203'LOC+175+HKHKG:139:6'TDT+20+412W+1++MAEU:172:20+++9321483:146:11:EMMA MAERSK'` +
      `EQD+CN+MSCU4730009+45G1:102:5+++5'UNT+11+${at}'`,
  );
  return Buffer.from(`UNB+UNOC:3+A+B+260415:0930+41'${messages.join('')}UNZ+19000+41'`);
}

/** Runs in a process of its own, which sends nothing heavy. */
const otherClient = `
  const [url, key] = process.argv.slice(1);
  const times = [];
  process.once('message', () => { process.send(times); process.disconnect(); });
  for (;;) {
    const since = performance.now();
    const answer = await fetch(url + '/v1/shipments', { headers: { authorization: 'Bearer ' + key } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error('answered ' + answer.status);
    if (times.push(performance.now() - since) === 1) process.send('started');
    if (!process.connected) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }`;

/** Another client that reads a list all the time. `end` returns how long each request took, in milliseconds. */
function startOther({ api, key }: Installation) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', otherClient, api.url, key], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    process: child,
    end: async (): Promise<number[]> => {
      child.send('end');
      const [times] = await once(child, 'message');
      return times;
    },
  };
}

describe('30 heavy files at once, from five accounts', () => {
  let landfall: Installation;
  let keys: string[];
  const agent = new Agent({ connections: 64 });

  beforeAll(async () => {
    landfall = await openInstallation({ redisUrl: null, withWorker: false });
    const { ctx } = landfall.core;
    keys = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { accountId } = await withSystem(ctx.store, (tx) => ensureAccount(tx, randomUUID()));
        const many = { read: 1_000_000, write: 1_000_000, batch: 1_000_000, mcp: 1_000_000 };
        await setAccountLimits(ctx, { ...(await landfall.core.newCaller()), accountId }, many);
        const scopes = ['shipments:read', 'shipments:write', 'events:write'] as const;
        return (await createApiKey(ctx, accountId, { name: 'heavy', test: false, scopes })).secret;
      }),
    );
  });
  afterAll(async () => {
    await agent.close();
    await landfall?.close();
  });

  const residentBytes = (): number => {
    const { pid } = landfall.api.process;
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  };

  it.each([
    ['workbooks', '/v1/imports?dry_run=true', xlsx, heavyWorkbook],
    ['EDIFACT files', '/v1/edi/edifact', 'application/edifact', heavyEdifact],
  ])('leave the API up and other clients served: %s', async (name, path, type, make) => {
    const body = make();
    let residentMost = 0;
    const watch = setInterval(() => {
      residentMost = Math.max(residentMost, residentBytes());
    }, 10);
    const other = startOther(landfall);
    await once(other.process, 'message');
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const answer = await fetch(landfall.api.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${keys[at % keys.length]}`, 'content-type': type },
          body,
          dispatcher: agent,
        });
        const text = await answer.text();
        return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: text.slice(0, 200) };
      }),
    );
    clearInterval(watch);
    const timesMs = await other.end();
    const refused = answers.filter(({ status }) => status === 503);
    const p99Ms = timesMs.toSorted((one, two) => one - two)[Math.floor(timesMs.length * 0.99)] ?? 0;
    process.stdout.write(
      `${name}: ${(body.length / mebibyte).toFixed(1)} MiB, ${30 - refused.length} read, ${refused.length} refused; ` +
        `another client's p99 ${p99Ms.toFixed(0)} ms of ${timesMs.length}; resident ${(residentMost / mebibyte).toFixed(0)} MiB\n`,
    );
    expect(landfall.api.process.exitCode).toBeNull();
    expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
    expect(refused.every(({ retryAfter }) => retryAfter !== null)).toBe(true);
    expect(refused.length).toBeLessThan(30);
  });
});

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { sleep } from '#shared/async/sleep.ts';
import { scopes } from '#shared/domain/caller.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { addSubscription, signed } from '#test/support/api/carrier-subscriptions.ts';
import { makeThings } from '#test/support/api/one-of-everything.ts';
import { gzipBomb, type HostileShape, hostileShapes, hostileTables } from '#test/support/arbitraries/hostile-bodies.ts';
import { signedIn } from '#test/support/browser/dashboard.ts';
import { cpuMsOf, leastMsOf, maxSliceMsOf } from '#test/support/cpu.ts';
import { scaled } from '#test/support/run-scale.ts';
import { workbook, zip } from '../imports/spreadsheets/zip.ts';

const bodyBytes = 65_536;
/** CPU time: a busy machine doesn't change it. What is measured is a tenth of it at most. */
const maxCpuMs = 50;

const collectGarbage = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

/** Returns the memory of the process after all its background work has ended. */
async function heldBytes(): Promise<number> {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    api.logLines.length = 0;
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    const held = heapUsed + external;
    if (held > last - 256 * 1024) return held;
    last = held;
    await sleep(500);
  }
}

const batchBytes = scaled({ short: 2, full: 8 }) * 1024 * 1024;
const shareOfShapes = scaled({ short: 80, full: 1 });

/** Prints the costs, measured more often. */
const isReported = process.env.HOSTILE_REPORT !== undefined;

type Target = { method: string; url: string; route: RouteOptions };

let api: TestApi;
let targets: Target[];
let headersOf: (target: Target, body: Buffer) => Record<string, string>;

beforeAll(async () => {
  const routes: RouteOptions[] = [];
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', collect);
  api = await startTestApi({ LOG_LEVEL: 'warn' });
  unsubscribe('fastify.initialization', collect);
  const { secret: live } = await api.createKey({ scopes });
  const { secret: test } = await api.createKey({ scopes, test: true });
  const things = await makeThings(api, { live, test });
  const person = await signedIn(api, 'owner', api.accountName);
  const subscription = await addSubscription(api.ctx.core, api.accountId);
  const [, , connector = '', name = ''] = subscription.path.split('/');
  const ids = new Map([...things, ['connector', connector], ['subscription', name]]);
  targets = routes.flatMap((route) =>
    [route.method]
      .flat()
      .filter((method) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
      .map((method) => ({ method, url: route.url.replaceAll(/:(\w+)/g, (_, id: string) => ids.get(id) ?? id), route })),
  );
  const cookie = [...person.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  headersOf = ({ url, route }, body) => {
    if (url.startsWith('/hooks/')) return { 'notification-signature': signed(subscription.secret, body) };
    if (!url.startsWith('/dashboard/')) {
      const operation = route.config?.operation;
      const needsTest = operation?.access !== 'session' && operation?.testKeysOnly === true;
      return { authorization: `Bearer ${needsTest ? test : live}` };
    }
    const origin = new URL(api.url).origin;
    return {
      cookie,
      origin,
      host: new URL(origin).host,
      'sec-fetch-site': 'same-origin',
      'landfall-account': person.account,
    };
  };
});
afterAll(() => api.close());

it('spends at most 50 ms of CPU time on 64 KiB, whatever their shape, at every route that takes a body, and keeps none of it', async () => {
  expect(hostileShapes.length).toBeGreaterThanOrEqual(60);
  expect(targets.length).toBeGreaterThan(40);
  const costly: string[] = [];
  const slowest: [number, string][] = [];
  for (const [place, target] of targets.entries()) {
    for (const type of typesOf(target)) {
      for (const shape of shapesFor(type, place)) {
        const { cpuMs, status } = await costOf(target, type, shape);
        const name = `${target.method} ${target.url} ${type}: ${shape.name}`;
        slowest.push([cpuMs, `${name} ${status}`]);
        if (cpuMs > maxCpuMs || status >= 500) costly.push(`${name}: ${cpuMs} ms, status ${status}`);
      }
    }
  }
  if (isReported)
    process.stdout.write(
      `${slowest
        .toSorted(([left], [right]) => right - left)
        .slice(0, 60)
        .map(([ms, name]) => `${ms.toFixed(1)} ${name}`)
        .join('\n')}\n${slowest.length}\n`,
    );
  expect(costly).toEqual([]);
  // Code is compiled, and caches of a fixed size are filled: sent again, the bodies leave nothing behind.
  const heldBefore = await heldBytes();
  let sent = 0;
  for (const [place, target] of [...targets, ...targets, ...targets, ...targets].entries()) {
    for (const type of typesOf(target)) {
      for (const shape of shapesFor(type, place).slice(0, 1)) {
        await sending(target, type, shape)();
        sent += bodyBytes;
      }
    }
  }
  const grown = (await heldBytes()) - heldBefore;
  if (isReported) process.stdout.write(`memory: ${grown} of ${sent} bytes\n`);
  expect(sent).toBeGreaterThan(100 * bodyBytes);
  expect(grown).toBeLessThan(sent / 2);
});

it('spends at most 50 ms of CPU time on 64 KiB of a form, a workbook or a gzip file, as sent or as unpacked', async () => {
  const columns = '<row r="1"><c t="inlineStr"><is><t>mbl</t></is></c></row>';
  const sheet = (rows: string) => workbook([{ name: 'a', rows: columns + rows }]);
  const border = 'multipart/form-data; boundary=b';
  const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const files: [name: string, type: string, bytes: Buffer][] = [
    ['a form of empty parts', border, Buffer.from('--b\r\n\r\n'.repeat(bodyBytes / 7))],
    ['a form of borders', border, Buffer.from('--b\r\n'.repeat(bodyBytes / 5))],
    ['a form of nearly borders', border, Buffer.from('\r\n--'.repeat(bodyBytes / 4))],
    ['a form with a long header', border, Buffer.from(`--b\r\nX: ${'a;'.repeat(bodyBytes / 2)}`)],
    ['rows without cells', xlsx, sheet('<row/>'.repeat(bodyBytes / 6))],
    ['empty cells', xlsx, sheet(`<row>${'<c/>'.repeat(bodyBytes / 4)}</row>`)],
    ['nested elements', xlsx, sheet('<a>'.repeat(bodyBytes / 3))],
    ['entities', xlsx, sheet(`<row><c t="inlineStr"><is><t>${'&amp;'.repeat(bodyBytes / 5)}</t></is></c></row>`)],
    ['attributes', xlsx, sheet(`<row ${Array.from({ length: bodyBytes / 8 }, (_, at) => `a${at}="1"`).join(' ')}/>`)],
    ['a workbook of parts', xlsx, zip(Object.fromEntries(Array.from({ length: 1900 }, (_, at) => [`${at}`, ''])))],
    ...hostileTables.map(({ name, build }): [string, string, Buffer] => {
      return [`${name}, packed`, 'application/gzip', gzipSync(build(bodyBytes, []))];
    }),
    ['a bomb', 'application/gzip', gzipBomb(8 * 1024 * 1024)],
  ];
  const costly: string[] = [];
  for (const [name, type, payload] of files) {
    const headers = { 'content-type': type, authorization: `Bearer ${api.key}` };
    const unpacked = name === 'a bomb' ? 1024 * 1024 : Math.max(bodyBytes, payload.length);
    const allowed = (maxCpuMs * unpacked) / bodyBytes;
    const upload = async () => {
      const answer = await api.app.inject({ method: 'POST', url: '/v1/imports', headers, payload });
      expect([name, answer.statusCode < 500]).toEqual([name, true]);
    };
    const least = await leastMsOf(allowed, () => cpuMsOf(upload));
    if (isReported) process.stdout.write(`${name}: ${least} ms\n`);
    if (least > allowed) costly.push(`${name}: ${least} ms`);
  }
  expect(costly).toEqual([]);
});

it('never holds the loop for more than 50 ms with a large batch', async () => {
  const unknown = Array.from({ length: 90 }, (_, place) => `"transport_mod${place}":1`).join();
  const identifiers = Array.from({ length: 20 }, (_, place) => `"conteiner${place}":"${'A'.repeat(300)}"`).join();
  const rows: Record<string, (place: number) => string> = {
    'unknown names': (place) => `{"reference":"${place}",${unknown}}`,
    'identifiers with wrong names': (place) =>
      `{"transport_mode":"ocean","carrier":"MAEUX${place}","identifiers":{${identifiers}}}`,
    'lists of wrong tags': () => `{"tags":[${Array(99).fill('""').join()}],"carrier":7}`,
    'rows that exceed 16 KiB': () => `{"carrier":"${'x'.repeat(17_000)}"}`,
    'good rows': (place) =>
      `{"transport_mode":"ocean","carrier":"MAEU","identifiers":{"mbl":"MAEU1${place}"},"metadata":{"a":"${'x'.repeat(3900)}"}}`,
  };
  const held: string[] = [];
  for (const [name, build] of Object.entries(rows)) {
    const all = Array.from({ length: 1000 }, (_, place) => build(place));
    while (all.join().length > batchBytes - 100) all.length -= 50;
    const payload = `{"shipments":[${all.join()}]}`;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${api.key}` };
    const send = async () => {
      const answer = await api.app.inject({ method: 'POST', url: '/v1/shipments/batch', headers, payload });
      expect([name, answer.statusCode]).toEqual([name, 200]);
    };
    const least = await leastMsOf(50, () => maxSliceMsOf(send));
    if (isReported) process.stdout.write(`${name}: ${least} ms\n`);
    if (least > 50) held.push(`${name}: ${least} ms`);
  }
  expect(held).toEqual([]);
});

/** In the short form, every route gets some of the shapes, and every shape goes to some of the routes. */
function shapesFor(type: string, place: number): HostileShape[] {
  const shapes = type === 'text/csv' ? hostileTables : hostileShapes;
  return shapes.filter((_, index) => type === 'text/csv' || (index + place) % shareOfShapes === 0);
}

async function costOf(target: Target, type: string, shape: HostileShape): Promise<{ cpuMs: number; status: number }> {
  const send = sending(target, type, shape);
  let status = 0;
  const cpuMs = await leastMsOf(isReported ? maxCpuMs / 4 : maxCpuMs, () =>
    cpuMsOf(async () => {
      status = await send();
    }),
  );
  return { cpuMs, status };
}

/** Builds the body. The function that is returned sends it and returns the status. */
function sending(target: Target, type: string, shape: HostileShape): () => Promise<number> {
  const body = shape.build(bodyBytes, fieldsOf(target));
  const { method, url } = target;
  const headers = { 'content-type': type, ...headersOf(target, body) };
  return async () => {
    const answer = await api.app.inject({ method: method as 'POST', url, headers, payload: body });
    return answer.statusCode;
  };
}

function typesOf({ url, route }: Target): readonly string[] {
  if (url.startsWith('/hooks/')) return ['application/json'];
  const types = route.config?.operation?.body?.mediaTypes ?? ['application/json'];
  return types.filter((type) => ['application/json', 'application/x-ndjson', 'text/csv'].includes(type));
}

function fieldsOf({ route }: Target): string[] {
  const schema = route.config?.operation?.body?.schema as z.ZodObject | undefined;
  return Object.keys(schema?.shape ?? {});
}

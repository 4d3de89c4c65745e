import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesOf, counted, gunzipped } from '#services/api/uploads/byte-source.ts';
import { gzipBomb } from '#test/support/arbitraries/hostile-bodies.ts';

const idleMs = 200;

async function lengthOf(stream: PassThrough, consumeMs = 0): Promise<number> {
  let length = 0;
  for await (const bytes of bytesOf(stream, idleMs)) {
    length += bytes.length;
    if (consumeMs > 0) await new Promise((resolve) => setTimeout(resolve, consumeMs));
  }
  return length;
}

test('ends an upload that sends less than 1 KB/s', async () => {
  const stream = new PassThrough();
  const dripping = setInterval(() => stream.write('x'), 20);
  await expect(lengthOf(stream)).rejects.toMatchObject({
    code: 'request_timeout',
    message: expect.stringContaining('Less than 1 KB/s'),
  });
  clearInterval(dripping);
});

test('ends an upload that pauses', async () => {
  await expect(lengthOf(new PassThrough())).rejects.toMatchObject({
    code: 'request_timeout',
    message: expect.stringContaining('No data received'),
  });
});

test('counts only the time that it waits for the client', async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  for (let byte = 0; byte < 30; byte++) stream.write('x');
  stream.end();
  expect(await lengthOf(stream, 20)).toBe(30);
});

test('unpacks little of a gzip bomb, and all of a table that packs well', async () => {
  const unpack = async (packed: Buffer, times = 1) => {
    async function* source() {
      for (let at = 0; at < packed.length; at += 1024) yield packed.subarray(at, at + 1024);
    }
    let length = 0;
    const { bytes: received, passed } = counted(source());
    let unpacked = received;
    for (let time = 0; time < times; time++) unpacked = gunzipped(unpacked, passed);
    const failed = await (async () => {
      for await (const bytes of unpacked) length += bytes.length;
    })().catch((error: Error) => error);
    return { length, failed };
  };
  const bomb = gzipBomb(64 * 1024 * 1024);
  expect(bomb.length).toBeLessThan(128 * 1024);
  const { length, failed } = await unpack(bomb);
  const refused = { code: 'validation_failed', message: expect.stringContaining('50 times its size. Send the file') };
  expect(failed).toMatchObject(refused);
  expect(length).toBeLessThan(51 * bomb.length);
  // Packed twice, each time to less than a fiftieth.
  const twice = await unpack(gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a,b,c,d\n'), { level: 1 })), 2);
  expect(twice.failed).toMatchObject(refused);
  expect(twice.length).toBeLessThan(2 * 1024 * 1024);
  const rows = Array.from({ length: 400_000 }, (_, place) => `ocean,MAEU,MAEU${place},PO-${place % 1000}\n`).join('');
  expect(await unpack(gzipSync(rows))).toEqual({ length: rows.length, failed: undefined });
});

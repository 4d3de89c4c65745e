import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockHolder, takeLock } from '#infra/embedded/single-run-lock.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-lock-'));
  path = join(folder, 'lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('holds a lock once, reports its address, and can be taken again after its release', () => {
  const first = takeLock(path);
  if (!first.held) throw new Error('expected the lock');
  first.setAddress('http://127.0.0.1:8080');
  expect(takeLock(path)).toMatchObject({ held: false, holder: { pid: process.pid, address: 'http://127.0.0.1:8080' } });
  first.release();
  expect(existsSync(path)).toBe(false);
  expect(takeLock(path).held).toBe(true);
});

it.each([
  ['of a process that is gone', () => JSON.stringify({ pid: deadPid(), started: null, address: null })],
  [
    'of an earlier process with an id that is in use again',
    () => JSON.stringify({ pid: process.ppid, started: '1', address: null }),
  ],
  ['that is not readable', () => '{"pid"'],
])('replaces a lock %s', (_name, content) => {
  writeFileSync(path, content());
  expect(lockHolder(path)).toBeNull();
  expect(takeLock(path).held).toBe(true);
});

function deadPid(): number {
  return spawnSync('true').pid;
}

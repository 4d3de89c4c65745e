import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { compileCache } from '#infra/scripts/run-steps.ts';
import { openCount } from '#infra/tools/drills/results.ts';
import type { SettlingWork } from '#infra/tools/drills/settling-loop.ts';
import { bundleLine } from '#shared/contract/shipments/bundle-wire.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { readBundle } from '#shared/core/record/read-bundle.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const rounds = scaled({ short: 6, full: 1000 });
const stored = scaled<() => ReturnType<typeof openCount> | null>({
  short: () => null,
  full: () => openCount('settling'),
})();
const keptShipments = 4;
const doomedPerRound = 1;
/** A process does up to so many steps before it is killed in the middle of the next ones. */
const maxSteps = 16;
const maxDelayMs = 20;

let core: TestCore;
let caller: Caller;
let next: Loop | null = null;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  caller = await core.newCaller();
});

afterAll(async () => {
  next?.child.kill('SIGKILL');
  await core.close();
});

it('loses nothing and has nothing twice when a process dies while it settles, unpacks and removes', async () => {
  const kept = await Promise.all(Array.from({ length: keptShipments }, newClosed));
  const expected = new Map<string, string>();
  const remember = async (ids: readonly string[]) => {
    await sequenceChanges(core.ctx);
    for (const id of ids) expected.set(id, (await bundle(id)) ?? '');
  };
  await remember(kept);
  let doomed: string[] = [];
  let removed = 0;
  const seen = { settled: 0, rows: 0 };
  let own = 0;
  for (let round = stored?.passed() ?? 0; round < rounds; round = stored?.passed() ?? own) {
    const added = await Promise.all(Array.from({ length: doomedPerRound }, newClosed));
    await remember(added);
    doomed.push(...added);
    const loop = next ?? startLoop();
    next = startLoop();
    const work = { databaseUrl: core.serviceUrl, accountId: caller.accountId, kept, doomed };
    await loop.work(work, 1 + Math.floor(Math.random() * maxSteps));
    await sleep(Math.random() * maxDelayMs);
    loop.child.kill('SIGKILL');
    await once(loop.child, 'exit');
    await endSessions();

    for (const id of kept) expect(await bundle(id), `round ${round}`).toBe(expected.get(id));
    const left: string[] = [];
    for (const id of doomed) {
      const found = await bundle(id);
      if (found === null) {
        expect(await remnants(id), `round ${round}`).toEqual({ rows: 0, audits: 1 });
        removed += 1;
      } else {
        expect(found, `round ${round}`).toBe(expected.get(id));
        left.push(id);
      }
    }
    doomed = left;
    const { settled, rows } = await countForms(kept);
    seen.settled += settled;
    seen.rows += rows;
    own += 1;
    stored?.add();
  }
  // The last process goes on with what the others left, until all of it is gone.
  const last = next ?? startLoop();
  next = null;
  await last.work({ databaseUrl: core.serviceUrl, accountId: caller.accountId, kept, doomed }, 1);
  for (const id of doomed) await vi.waitUntil(async () => (await bundle(id)) === null, { timeout: 120_000 });
  last.child.kill('SIGKILL');
  await once(last.child, 'exit');
  await endSessions();
  for (const id of doomed) expect(await remnants(id)).toEqual({ rows: 0, audits: 1 });
  for (const id of kept) expect(await bundle(id)).toBe(expected.get(id));
  stored?.close();
  // Many kills meet both forms, and removals.
  if (own >= 100) {
    expect(removed).toBeGreaterThan(0);
    expect(seen.settled).toBeGreaterThan(0);
    expect(seen.rows).toBeGreaterThan(0);
  }
});

async function newClosed(): Promise<string> {
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration({ metadata: { note: 'drill' } }));
  const subject = { accountId: caller.accountId, shipmentId: shipment.id };
  await refresh(
    core.ctx,
    subject,
    found(
      { code: 'gate_in_full', local: '2026-03-01T08:00' },
      { code: 'departed', local: '2026-03-03T08:00' },
      { code: 'arrived', local: '2026-03-20T08:00' },
      { code: 'gate_in_empty', local: '2026-03-25T08:00' },
    ),
  );
  await withSystem(core.store, (tx) =>
    tx.query(
      `with paused as (
         update landfall.polling set next_refresh_at = null, lease_until = null, state = 'completed' where shipment_id = $1
       )
       update landfall.shipments set closed_at = now() where id = $1`,
      [shipment.id],
    ),
  );
  return shipment.id;
}

type Loop = { child: ChildProcess; work: (work: SettlingWork, steps: number) => Promise<void> };

/** Starts the process that will be killed. It waits for its work, so that it can start while another one works. */
function startLoop(): Loop {
  const script = new URL('../../infra/tools/drills/settling-loop.ts', import.meta.url).pathname;
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  const child = spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    work: async (work, steps) => {
      expect((await lines.next()).value).toBe('ready');
      child.stdin.write(`${JSON.stringify(work)}\n`);
      for (let step = 0; step < steps; step++) expect((await lines.next()).value).toBe('step');
    },
  };
}

/** Waits until PostgreSQL has noticed the death of the process, and rolled its transactions back. */
async function endSessions(): Promise<void> {
  for (;;) {
    const { rows } = await core.store.system.query<{ open: number }>(
      `select count(*)::integer as open from pg_stat_activity where application_name = 'landfall-drill' and datname = current_database()`,
    );
    if (rows[0]?.open === 0) return;
    await sleep(5);
  }
}

/** All of a shipment, as the API streams it; null: it is gone. */
async function bundle(shipmentId: string): Promise<string | null> {
  const lines: string[] = [];
  try {
    for await (const parts of readBundle(core.ctx, caller, shipmentId)) lines.push(...parts.map(bundleLine));
    return lines.join('');
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'shipment_not_found') return null;
    throw error;
  }
}

async function remnants(shipmentId: string): Promise<{ rows: number; audits: number } | undefined> {
  const tables = [
    'events',
    'status_changes',
    'refreshes',
    'changes',
    'settled_shipments',
    'shipment_identifiers',
    'polling',
  ];
  const { rows } = await core.store.system.query<{ rows: number; audits: number }>(
    `select (${tables.map((table) => `(select count(*) from landfall.${table} where shipment_id = $1)`).join(' + ')})::integer as rows,
       (select count(*)::integer from landfall.audit where subject_id = $1 and action = 'shipment.removed') as audits`,
    [shipmentId],
  );
  return rows[0];
}

/** Counts the shipments that the last kill left packed, and those left as rows. */
async function countForms(ids: readonly string[]): Promise<{ settled: number; rows: number }> {
  const { rows } = await core.store.system.query<{ settled: number; rows: number }>(
    `select count(*) filter (where settled_at is not null)::integer as settled,
       count(*) filter (where settled_at is null)::integer as rows
     from landfall.shipments where id = any ($1)`,
    [ids],
  );
  return rows[0] ?? { settled: 0, rows: 0 };
}

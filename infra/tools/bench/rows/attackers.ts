import { Pool } from 'undici';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { hostileShapes, hostileTables } from '#test/support/arbitraries/hostile-bodies.ts';
import type { Bench } from '../bench.ts';
import { openBenchAccount } from '../bench-account.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { measureLoad } from '../load.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

const attackers = 10;
const maxP99Ms = 250;
const bodyBytes = 65_536;
const batchBytes = 8 * 1024 * 1024;
const unlimited = 10_000_000;

type Attack = { path: string; type: string; body: Buffer };

/** One client's reads while ten others send the most expensive bodies, each as fast as it gets answers. */
export const attackersRow: Row = { name: 'attackers', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const databaseUrl = await bench.newDatabase();
  const { key } = await openBenchAccount(databaseUrl);
  const attackerKey = await openAttackerAccount(databaseUrl);
  const server = await bench.startServer({
    file: 'services/api/main.ts',
    env: { ...serviceEnv(databaseUrl), PORT: '0', HOST: '127.0.0.1' },
  });
  const alone = () =>
    measureLoad(server, {
      connections: 1,
      seconds: bench.seconds,
      atLeast: 300,
      request: () => ({ method: 'GET', path: '/v1/shipments', headers: { authorization: `Bearer ${key}` } }),
      isGood: (status) => status === 200,
    });
  const attacked = async () => {
    const attack = startAttack(server, attackerKey);
    try {
      return await alone();
    } finally {
      bench.note(`${await attack.stop()} hostile bodies`);
    }
  };
  const rounds = await interleave(bench.rounds, { attacked, alone });
  return [
    {
      work: 'a client beside ten attackers',
      baseline: 'the same client alone',
      compares: `p99 ÷ ${maxP99Ms} ms`,
      ...compareRounds(rounds.attacked, rounds.alone, (ours) => ours.p99Ms / maxP99Ms),
      goal: { atMost: 1 },
      product: medians(rounds.attacked),
      baselineCost: medians(rounds.alone),
    },
  ];
}

/** Rate limits would end the attack. */
async function openAttackerAccount(databaseUrl: string): Promise<string> {
  const core = await openBenchCore(databaseUrl);
  try {
    const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, 'attackers'));
    const limits = { read: unlimited, write: unlimited, batch: unlimited, mcp: unlimited };
    await setAccountLimits(core, operatorOf(accountId), limits);
    const { secret } = await createApiKey(core, accountId, { name: 'attacker', test: true });
    return secret;
  } finally {
    await core.close();
  }
}

function startAttack(server: MeasuredServer, key: string): { stop: () => Promise<number> } {
  const pool = new Pool(server.url, { connections: attackers, pipelining: 1 });
  const attacks = allAttacks();
  let sent = 0;
  let isOver = false;
  const send = async () => {
    while (!isOver) {
      const { path, type, body } = attacks[sent++ % attacks.length] as Attack;
      const headers = { 'content-type': type, authorization: `Bearer ${key}`, origin: server.url };
      const answer = await pool.request({ method: 'POST', path, headers, body });
      await answer.body.dump();
      if (answer.statusCode >= 500) throw new Error(`${answer.statusCode} to an attack on ${path}`);
    }
  };
  const sending = Promise.all(Array.from({ length: attackers }, send));
  sending.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await sending;
      await pool.destroy();
      return sent;
    },
  };
}

function allAttacks(): Attack[] {
  const fields = ['transport_mode', 'carrier', 'identifiers', 'tags', 'metadata'];
  const json = 'application/json';
  const paths = ['/v1/shipments', '/v1/mcp', '/dashboard/api/auth/sign-in/email', '/v1/shipments/batch'];
  const bodies = hostileShapes.map(({ build }) => build(bodyBytes, fields));
  const tables = hostileTables.map(({ build }) => build(bodyBytes, fields));
  const batches = hostileShapes
    .filter(({ name }) => /\brows?\b/.test(name))
    .map(({ build }) => build(batchBytes, fields));
  return [
    ...bodies.flatMap((body) => paths.map((path) => ({ path, type: json, body }))),
    ...tables.map((body) => ({ path: '/v1/imports?dry_run=true', type: 'text/csv', body })),
    ...batches.map((body) => ({ path: '/v1/shipments/batch', type: json, body })),
  ];
}

import process from 'node:process';
import pg from 'pg';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { namedLists } from '#shared/domain/lists/named-lists.ts';
import type { Bench } from '../bench.ts';
import { fillDatabase } from '../data/fill-database.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { measureLoad } from '../load.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Measurement, Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

const connections = 2;
const few = 10_000;
const many = 1_000_000;
const deepPage = 1000;
const pageSize = 25;
/** Rows per step on the way to the deep page. */
const chunk = 100;

/** One address, queried on the database with few shipments and on the one with many. */
export type Work = { name: string; path: (side: Side) => string };

/** A filled database behind an API. Half of its shipments belong to the calling account. */
export type Side = { server: MeasuredServer; key: string; sample: Sample };

type Sample = { reference: string; number: string; vessel: string };

const works: readonly Work[] = [
  ...namedLists.map(({ name, example }) => ({ name, path: () => `/v1/shipments?${recent(example)}` })),
  { name: 'search: vessel', path: ({ sample }) => search(sample.vessel) },
  { name: 'search: reference', path: ({ sample }) => search(sample.reference) },
  { name: 'search: number', path: ({ sample }) => search(sample.number) },
  { name: 'search: two words', path: () => search('rotterdam maersk') },
  { name: 'exact number', path: ({ sample }) => `/v1/shipments?identifier=${sample.number}` },
];

/**
 * The named lists and searches by words and numbers, among a million shipments and among ten thousand; page 1,000
 * beside page 1.
 */
export const listsRow: Row = {
  name: 'lists',
  measure: async (bench) => {
    const sides = await openSides(bench);
    const results: Result[] = [];
    for (const work of works) results.push(...(await compareSides(bench, work, sides)));
    return [...results, ...(await compareDepths(bench, sides.large))];
  },
};

/** One build's own side: every list and search in turn, among ten thousand shipments. */
export async function openLists(bench: Bench): Promise<() => Promise<Measurement>> {
  const side = await openSide(bench, few, null);
  return () => measure(bench, side, ...works.map(({ path }) => path(side)));
}

/**
 * Both databases, filled, each behind a server of its own. `BENCH_LARGE_DATABASE_URL` names a large database that is
 * already filled.
 */
export async function openSides(bench: Bench): Promise<{ small: Side; large: Side }> {
  const filled = process.env['BENCH_LARGE_DATABASE_URL'];
  return { small: await openSide(bench, few, null), large: await openSide(bench, many, filled ?? null) };
}

async function openSide(bench: Bench, shipments: number, filled: string | null): Promise<Side> {
  const databaseUrl = filled ?? (await bench.newDatabase());
  if (filled === null) await fillDatabase({ databaseUrl, shipments, note: bench.note });
  const core = await openBenchCore(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; reference: string; number: string; vessel: string }>(`
      select s.account_id as id, s.reference, s.identifiers ->> 'mbl' as number, substring(s.search_text from 'vessel [0-9a-f]+') as vessel
      from landfall.shipments as s
      join landfall.accounts as a on a.id = s.account_id and a.name = 'large'
      where s.reference is not null and s.identifiers ? 'mbl' and s.search_text like '%vessel%'
      order by s.created_at desc
      offset 500 limit 1`);
    const [sample] = rows;
    if (sample === undefined) throw new Error('the database has no shipment to search for');
    await setAccountLimits(core, operatorOf(sample.id), { read: 1_000_000_000 });
    const key = (await createApiKey(core, sample.id, { name: 'bench', test: false })).secret;
    const env = {
      ...serviceEnv(databaseUrl),
      PORT: '0',
      HOST: '127.0.0.1',
    };
    return { server: await bench.startServer({ file: 'services/api/main.ts', env }), key, sample };
  } finally {
    await client.end();
    await core.close();
  }
}

/** Two lines: the ratio of the medians (large by small), and the slowest of a hundred. */
export async function compareSides(
  bench: Bench,
  work: Work,
  { small, large }: { small: Side; large: Side },
): Promise<Result[]> {
  bench.note(work.name);
  const ask = (side: Side) => () => measure(bench, side, work.path(side));
  const rounds = await interleave(bench.rounds, { few: ask(small), many: ask(large) });
  const line = (what: 'p50' | 'p99', atMost: number): Result => ({
    work: `${work.name}, ${what}`,
    baseline: 'among 10,000',
    compares: `its ${what} among a million`,
    ...compareRounds(rounds.many, rounds.few, (among, alone) => among[`${what}Ms`] / alone[`${what}Ms`]),
    goal: { atMost },
    product: medians(rounds.many),
    baselineCost: medians(rounds.few),
  });
  return [line('p50', 1.5), line('p99', 2)];
}

/**
 * Reads from the far end. The newest shipments have no events yet, so their answers are half the size, and the
 * comparison would measure that instead of the pages.
 */
async function compareDepths(bench: Bench, side: Side): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, example } of namedLists) {
    const first = `/v1/shipments?${fromFarEnd(recent(example))}`;
    const { path: deep, page } = await deepestPage(side, first);
    bench.note(`${name}, page ${page}`);
    const ask = (path: string) => () => measure(bench, side, path);
    const rounds = await interleave(bench.rounds, { first: ask(first), deep: ask(deep) });
    results.push({
      work: `${name}, page ${page.toLocaleString('en')}`,
      baseline: 'page 1',
      compares: 'its p50 ÷ that of page 1',
      ...compareRounds(rounds.deep, rounds.first, (late, early) => late.p50Ms / early.p50Ms),
      goal: { atMost: 1.5 },
      product: medians(rounds.deep),
      baselineCost: medians(rounds.first),
    });
  }
  return results;
}

function fromFarEnd(query: string): string {
  return query.replace(/sort=(-?)/, (_sort, descending: string) => (descending === '' ? 'sort=-' : 'sort='));
}

/** Page 1,000, or one of the last whole pages of a shorter list. */
async function deepestPage({ server, key }: Side, first: string): Promise<{ path: string; page: number }> {
  const cursors: string[] = [];
  while (cursors.length * chunk < (deepPage - 1) * pageSize) {
    const path = `${first}&limit=${chunk}&fields=status${cursors.length === 0 ? '' : `&cursor=${cursors.at(-1)}`}`;
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
    const { next_cursor } = ((await answer.json()) as { page: { next_cursor: string | null } }).page;
    if (next_cursor === null) {
      // The remainder after the last step may be less than a page.
      cursors.pop();
      break;
    }
    cursors.push(next_cursor);
  }
  const cursor = cursors.at(-1);
  if (cursor === undefined) throw new Error(`${first} is too short to have a deep page`);
  return { path: `${first}&cursor=${cursor}`, page: (cursors.length * chunk) / pageSize + 1 };
}

function measure(bench: Bench, { server, key }: Side, ...paths: string[]): Promise<Measurement> {
  return measureLoad(server, {
    connections,
    seconds: bench.seconds,
    atLeast: 100,
    request: (n) => ({
      method: 'GET',
      path: paths[n % paths.length] as string,
      headers: { authorization: `Bearer ${key}` },
    }),
    databaseCpu: bench.databaseCpu,
    isGood: (status, body) => status === 200 && !body.startsWith('{"data":[]'),
  });
}

function search(words: string): string {
  return `/v1/shipments?q=${encodeURIComponent(words)}`;
}

/** The example with its times shifted to the same distance from now as they had on the day it was written for. */
function recent(example: string): string {
  const shiftedMs = Date.now() - Date.parse('2026-04-15T12:00:00Z');
  return example.replaceAll(/2026-04-\d\d(?:T[\d:]+Z)?/g, (text) => {
    const shifted = new Date(Date.parse(text) + shiftedMs).toISOString();
    return text.includes('T') ? shifted : shifted.slice(0, 'yyyy-mm-dd'.length);
  });
}

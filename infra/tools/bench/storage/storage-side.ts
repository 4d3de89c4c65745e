import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Voyage } from '#infra/tools/golden/voyages.ts';
import { type FinishedVoyages, openFinishedVoyages } from './finished-voyages.ts';

/** Measurements of one build for one mode: bytes a shipment, and bytes of WAL a refresh. */
export type StorageWeights = Awaited<ReturnType<FinishedVoyages['play']>> & {
  finished: Awaited<ReturnType<FinishedVoyages['weigh']>>;
};
export type StorageRates = { eventsPerS: number; asOfPerS: number };
export type SettledWeights = { packs: boolean; settled: Awaited<ReturnType<FinishedVoyages['weigh']>> };

/**
 * One build's side of `compare-storage.ts`, which starts it with `LANDFALL_BUILD` and the resolver of `infra/tools/golden`,
 * and asks for rounds over IPC: `rates` reads for some seconds, `settle` packs and weighs again.
 */
const { values } = parseArgs({
  options: { mode: { type: 'string' }, shipments: { type: 'string' }, seconds: { type: 'string' } },
});
const voyages = await openFinishedVoyages(values.mode as Voyage['mode'], Number(values.shipments));
const measured = await voyages.play();
const weights: StorageWeights = { ...measured, finished: await voyages.weigh() };

process.on('message', (message) => {
  if (message === 'rates') void rates(voyages, Number(values.seconds)).then(answer);
  if (message === 'settle') void settled().then(answer);
  if (message === 'stop') void voyages.close().then(() => process.exit(0));
});
process.on('disconnect', () => process.exit());
process.send?.({ type: 'ready', value: weights });

function answer(value: StorageRates | SettledWeights): void {
  process.send?.({ type: 'measured', value });
}

async function settled(): Promise<SettledWeights> {
  return { packs: await voyages.settle(), settled: await voyages.weigh() };
}

/** Events that `GET …/events` returns per second and records as of a moment, with four requests at a time. */
async function rates({ build, registered, now }: FinishedVoyages, seconds: number): Promise<StorageRates> {
  const each = async (path: (shipmentId: string, turn: number) => string, countOf: (body: string) => number) => {
    const endAt = process.hrtime.bigint() + BigInt(Math.round(seconds * 1e9));
    const startedAt = process.hrtime.bigint();
    let [turn, count] = [0, 0];
    const loop = async (): Promise<void> => {
      while (process.hrtime.bigint() < endAt) {
        const one = registered[turn % registered.length];
        if (one === undefined) throw new Error('no shipments');
        turn += 1;
        const { status, body } = await build.ask(one.voyage.account, 'GET', path(one.shipmentId, turn));
        if (status !== 200) throw new Error(body);
        count += countOf(body);
      }
    };
    await Promise.all(Array.from({ length: 4 }, loop));
    return count / (Number(process.hrtime.bigint() - startedAt) / 1e9);
  };
  const eventsPerS = await each(
    (id) => `/v1/shipments/${id}/events?limit=100`,
    (body) => (JSON.parse(body) as { data: unknown[] }).data.length,
  );
  const [fromMs, toMs] = [registered[0]?.atMs ?? 0, now()];
  const asOfPerS = await each(
    (id, turn) => `/v1/shipments/${id}?as_of=${new Date(fromMs + ((toMs - fromMs) * (turn % 19)) / 19).toISOString()}`,
    () => 1,
  );
  return { eventsPerS, asOfPerS };
}

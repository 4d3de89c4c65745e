import process from 'node:process';
import { parseArgs } from 'node:util';
import { openBench } from './bench.ts';
import type { Measurement } from './row.ts';
import { openGetOne } from './rows/get-one.ts';
import { openLists } from './rows/lists.ts';
import { openPostOne } from './rows/post-one.ts';
import { openRefreshes } from './rows/refresh.ts';
import { openDeliveries } from './rows/webhooks.ts';

/**
 * Measurements of one build, by row name. Each entry prepares and returns a function that measures one round.
 */
const sides = {
  'post-one': openPostOne,
  'get-one': openGetOne,
  'refresh-unchanged': (bench) => openRefreshes(bench, 'unchanged'),
  'refresh-changed': (bench) => openRefreshes(bench, 'changed'),
  lists: openLists,
  webhooks: openDeliveries,
} satisfies Record<string, (bench: Parameters<typeof openPostOne>[0]) => Promise<() => Promise<Measurement>>>;

/**
 * One build's side of a comparison of builds. `compare-builds.ts` starts it with `LANDFALL_BUILD` and the resolver of
 * `infra/tools/golden`, so that every build is measured by the same scripts, and requests rounds over IPC.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: 'string' } } });
const open = sides[positionals[0] as keyof typeof sides];
const { bench, close } = await openBench({
  rounds: 1,
  seconds: Number(values.seconds),
  profileFolder: null,
  note: () => {},
});
const measure = await open(bench);
process.on('message', (message) => {
  if (message === 'measure') void measure().then((measurement) => process.send?.({ type: 'measured', measurement }));
  if (message === 'stop') void close().then(() => process.exit(0));
});
// The comparison was interrupted.
process.once('disconnect', () => void close().finally(() => process.exit(1)));
process.send?.({ type: 'ready' });

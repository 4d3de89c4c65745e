import { join } from 'node:path';
import { type Env, readEnv } from '#shared/config/env.ts';
import { runMain } from '#shared/lifecycle.ts';
import { createMailBook } from './mail/mail-book.ts';
import { openMailSink } from './mail/mail-sink.ts';
import { demonstrationNumbers } from './posting/plays.ts';
import { buildSimulator, type Posting } from './server.ts';

const env = readEnv(process.env);

await runMain(
  async ({ onDispose }) => {
    const mails = createMailBook({ now: Date.now });
    const app = buildSimulator({
      mails,
      seed: env.SIMULATOR_SEED,
      hosts: [env.SIMULATOR_HOST, ...env.ALLOWED_HOSTS],
      now: Date.now,
      voyageS: env.SIMULATOR_VOYAGE_S,
      stateFile: env.LANDFALL_DATA_DIR === null ? null : join(env.LANDFALL_DATA_DIR, 'simulator.json'),
      control: process.argv.includes('--control'),
      faultRate: faultRate(process.argv) ?? env.SIMULATOR_FAULT_RATE,
      posting: postingOf(env),
    });
    onDispose(() => app.close(), 'the simulator');
    if (env.SIMULATOR_SMTP_PORT !== null) {
      const sink = await openMailSink(mails, { host: env.SIMULATOR_HOST, port: env.SIMULATOR_SMTP_PORT });
      onDispose(sink.close, 'the mail sink');
    }
    const url = await app.listen({ host: env.SIMULATOR_HOST, port: env.SIMULATOR_PORT });
    process.send?.({ type: 'ready', url });
  },
  { deadlineMs: env.SHUTDOWN_TIMEOUT_MS },
);

/** The demonstration's shipments, for the account of the key. */
function postingOf({ SIMULATOR_API_URL: apiUrl, SIMULATOR_API_KEY: apiKey }: Env): Posting | null {
  if (apiUrl === null || apiKey === null) return null;
  return { apiUrl, apiKey, numbers: demonstrationNumbers, everyMs: 1000 };
}

/** The number after `--faults`. Null without it. */
function faultRate(argv: readonly string[]): number | null {
  const index = argv.indexOf('--faults');
  if (index === -1) return null;
  const rate = Number(argv[index + 1]);
  if (!(rate >= 0 && rate <= 1)) throw new Error('--faults requires a number from 0 to 1.');
  return rate;
}

import { join } from 'node:path';
import { readEnv } from '#shared/config/env.ts';
import { runMain } from '#shared/lifecycle.ts';
import { buildSimulator } from './server.ts';

const env = readEnv(process.env);

await runMain(
  async ({ onDispose }) => {
    const app = buildSimulator({
      seed: env.SIMULATOR_SEED,
      now: Date.now,
      voyageS: env.SIMULATOR_VOYAGE_S,
      stateFile: env.LANDFALL_DATA_DIR === null ? null : join(env.LANDFALL_DATA_DIR, 'simulator.json'),
      control: process.argv.includes('--control'),
    });
    onDispose(() => app.close(), 'the simulator');
    const url = await app.listen({ host: env.SIMULATOR_HOST, port: env.SIMULATOR_PORT });
    process.send?.({ type: 'ready', url });
  },
  { deadlineMs: env.SHUTDOWN_TIMEOUT_MS },
);

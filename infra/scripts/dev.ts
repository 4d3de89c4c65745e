import process from 'node:process';
import { createServer } from 'vite';
import { type Life, runMain } from '#shared/lifecycle.ts';
import { findFreePort } from '../embedded/postmaster.ts';
import { accessLines } from '../installation/closing-lines.ts';
import { restartOnChange } from '../installation/restart-on-change.ts';
import { deadlineMs, printError, runInstallation } from '../installation/run-installation.ts';
import { say, step } from '../installation/steps.ts';

const host = '127.0.0.1';
const firstPort = 5173;

await runMain(develop, { deadlineMs, onError: printError });

/** The same as `npm start`, but the services restart when their sources change, and Vite serves the dashboard. */
async function develop(life: Life): Promise<void> {
  const port = await findFreePort(firstPort, host);
  const address = `http://${host}:${port}`;
  const installation = await runInstallation(life, { publicBaseUrl: address, prepareDashboard: async () => {} });
  await step(`dashboard ${address}`, () => serveDashboard(life, { port, apiUrl: installation.apiUrl }));
  restartOnChange(installation.services, { signal: life.signal, log: say });
  const { key, publicBaseUrl } = installation;
  process.stdout.write(
    `${[
      '',
      `Landfall is at ${publicBaseUrl}`,
      ...accessLines(key),
      '',
      'A change of the API, the worker or shared code restarts the services; the dashboard updates in place.',
      'Press Ctrl-C to stop. The data is kept.',
    ].join('\n')}\n`,
  );
}

/** The dashboard with hot reload. All other requests are proxied to the API, so that one address serves everything. */
async function serveDashboard(life: Life, { port, apiUrl }: { port: number; apiUrl: string }): Promise<void> {
  const server = await createServer({
    configFile: 'services/dashboard/vite.config.ts',
    clearScreen: false,
    logLevel: 'warn',
    server: {
      host,
      port,
      strictPort: true,
      proxy: Object.fromEntries(['/v1', '/dashboard/api', '/docs'].map((path) => [path, apiUrl])),
    },
  });
  await server.listen();
  life.onDispose(() => server.close(), 'the dashboard');
}

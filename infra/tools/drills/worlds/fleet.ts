import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresFolder } from '#infra/data-folder.ts';
import { findFreePort } from '#infra/embedded/postmaster.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { startService } from '#test/support/processes.ts';
import { until } from '#test/support/until.ts';
import { openFleetStores } from './fleet-stores.ts';
import { type KeptService, keepService } from './kept-service.ts';
import { newAccount } from './new-account.ts';
import { postmasterPid } from './postmaster-pid.ts';
import type { Role, World, WorldSettings } from './world.ts';

const processesPerRole = 2;
/** A day between two refreshes becomes two seconds, the minimum. */
export const drillCadence = '0.00001';

/** PostgreSQL, two APIs, two workers and, with that backend, Redis: each a process of its own. */
export async function openFleet({ voyageS, ...settings }: WorldSettings): Promise<World> {
  const folder = settings.folder ?? mkdtempSync(join(tmpdir(), 'landfall-drill-'));
  chmodSync(folder, 0o711);
  const simulator = await startService('simulator', { SIMULATOR_PORT: '0', SIMULATOR_VOYAGE_S: String(voyageS) }, [
    '--control',
  ]);
  const carriers = await openFaultProxy(simulator.url);
  const { serviceUrl, close: closeStores, env: storeEnv, ...stores } = await openFleetStores(settings, folder);
  const surprises: string[] = [];
  const ports = await freePorts(2 * processesPerRole);
  const keep = (name: 'api' | 'worker', port: number): Promise<KeptService> =>
    keepService(
      name,
      {
        ...storeEnv,
        SIMULATOR: 'on',
        SIMULATOR_URL: carriers.url,
        CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
        CADENCE_SCALE: drillCadence,
        HOST: '127.0.0.1',
        PORT: String(port),
        WORKER_HEALTH_PORT: String(port),
        // Several readiness checks of the entry proxy.
        SHUTDOWN_DELAY_S: '1',
        ...settings.env,
      },
      (line) => surprises.push(line),
    );
  const apis = await Promise.all(ports.slice(0, processesPerRole).map((port) => keep('api', port)));
  const workers = await Promise.all(ports.slice(processesPerRole).map((port) => keep('worker', port)));
  const pids = (role: Role): number[] => {
    if (role === 'postgres') return postmasterPid(postgresFolder(folder));
    if (role === 'redis') return [stores.redis?.pid() ?? []].flat();
    return (role === 'api' ? apis : workers).flatMap((service) => service.pid() ?? []);
  };
  let isClosed = false;
  return {
    shape: 'fleet',
    backend: settings.backend,
    ...stores,
    apiUrls: ports.slice(0, processesPerRole).map((port) => `http://127.0.0.1:${port}`),
    simulatorUrl: simulator.url,
    carriers,
    folder,
    pids,
    signal: (role, signal, index = 0) => {
      if (role === 'api' || role === 'worker') return (role === 'api' ? apis : workers)[index]?.signal(signal) ?? 0;
      const [pid = 0] = pids(role);
      process.kill(pid, signal);
      return pid;
    },
    untilUp: async () => {
      await until(
        async () => [...apis, ...workers].every((service) => service.isUp()) && (await areReady(ports)),
        (areUp) => areUp,
      );
    },
    workerUrls: ports.slice(processesPerRole).map((port) => `http://127.0.0.1:${port}`),
    restart: async (role, changesOf) => {
      const services = role === 'api' ? apis : workers;
      await Promise.all(services.map((service, index) => service.restart(changesOf(index))));
    },
    surprises: () => surprises,
    newAccount: () => newAccount(serviceUrl),
    close: async () => {
      if (isClosed) return [];
      isClosed = true;
      await Promise.all([...apis, ...workers].map((service) => service.close()));
      await simulator.kill();
      await carriers.close();
      await closeStores();
      if (settings.folder === undefined) rmSync(folder, { recursive: true, force: true });
      return [];
    },
  };
}

/** Resolves to true when the services on these ports report that they are ready. */
export async function areReady(ports: readonly (number | undefined)[]): Promise<boolean> {
  const isReady = (port: number | undefined) =>
    fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  return (await Promise.all(ports.map(isReady))).every(Boolean);
}

/** Free ports of this machine. Random, because drills run beside each other. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await findFreePort(20_000 + Math.floor(Math.random() * 10_000));
    if (!ports.includes(port)) ports.push(port);
  }
  return ports;
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ClusterFolder, clusterFolder, initialiseCluster, prepareClusterFolder } from './cluster-folder.ts';
import { guardPostmaster } from './guard-postmaster.ts';
import { chooseIdentity, type Identity } from './identity.ts';
import { findNativeBinaries } from './native-binaries.ts';
import {
  findFreePort,
  findRunningPostmaster,
  lastLogLines,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { lockHolder, processLives, takeLock } from './single-run-lock.ts';

export type EmbeddedSettings = {
  /** Folder of this server's files. Created if it doesn't exist. */
  dataDir: string;
  log: (line: string) => void;
  maxConnections?: number;
  /** If set, startup fails when the port is in use. Default: the first free port from 54329 on. */
  port?: number;
  /** False trades crash safety for speed. Only for tests. */
  durable?: boolean;
  /** The user to run as, for tests. Default: detected. */
  identity?: Identity;
};

export type EmbeddedPostgres = {
  /** With the user that owns the server. Services use `serviceUrlOf` it. */
  databaseUrl: string;
  pid: number;
  port: number;
  /**
   * `created`: a new, empty database; `started`: an existing one; `adopted`: still running after an earlier run and its
   * guard were killed.
   */
  origin: 'created' | 'started' | 'adopted';
  /** Resolves with the last log lines when the server ends without `stop()`. */
  died: Promise<string>;
  stop: () => Promise<void>;
};

const firstPort = 54_329;

/** Another process uses the data folder. */
export class DataFolderInUse extends Error {
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(`The database in ${dataDir} is in use by process ${pid}.`);
    this.name = 'DataFolderInUse';
    this.pid = pid;
  }
}

/**
 * Starts PostgreSQL on loopback with its data in a folder, creating both if necessary. It ends with this process, even
 * if that is killed. A server that an earlier run left behind nevertheless is adopted. Throws `DataFolderInUse` when a
 * running process uses the folder, and an error with the server's last log lines when it fails to start.
 */
export async function startEmbeddedPostgres(settings: EmbeddedSettings): Promise<EmbeddedPostgres> {
  const { log, maxConnections = 200, durable = true } = settings;
  const identity = settings.identity ?? chooseIdentity(clusterFolder(settings.dataDir).home);
  const files = prepareClusterFolder(settings.dataDir, identity, log);
  const lock = takeLock(files.lockFile);
  if (!lock.held) throw new DataFolderInUse(resolve(settings.dataDir), lock.holder.pid);
  try {
    const adopted = await findRunningPostmaster(files);
    if (adopted) return running(files, adopted, 'adopted', lock.release);
    const native = findNativeBinaries(files.home, identity);
    const created = initialiseCluster(files, native, { identity, durable });
    const start = (port: number) => startPostmaster(files, native, { identity, port, maxConnections, durable });
    const postmaster = settings.port === undefined ? await startOnFreePort(start) : await start(settings.port);
    return running(files, postmaster, created ? 'created' : 'started', lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The connection string of the server that currently runs in a data folder, or null. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const files = clusterFolder(dataDir);
  if (!lockHolder(files.lockFile)) return null;
  const postmaster = await findRunningPostmaster(files);
  return postmaster && databaseUrlOf(files, postmaster.port);
}

function running(
  files: ClusterFolder,
  postmaster: Postmaster,
  origin: EmbeddedPostgres['origin'],
  release: () => void,
): EmbeddedPostgres {
  const death = watchForDeath(postmaster.pid);
  const dismissGuard = guardPostmaster(postmaster.pid, files);
  return {
    databaseUrl: databaseUrlOf(files, postmaster.port),
    pid: postmaster.pid,
    port: postmaster.port,
    origin,
    died: death.died.then(() => {
      dismissGuard();
      release();
      return lastLogLines(files);
    }),
    stop: async () => {
      death.ignore();
      await stopPostmaster(postmaster.pid);
      dismissGuard();
      release();
    },
  };
}

/** Two servers may find the same free port concurrently. The one that loses tries the next port. */
async function startOnFreePort(start: (port: number) => Promise<Postmaster>): Promise<Postmaster> {
  for (let attempt = 1, from = firstPort; ; attempt += 1) {
    const port = await findFreePort(from);
    try {
      return await start(port);
    } catch (error) {
      if (attempt === 5 || !/address already in use|could not create any TCP/i.test(String(error))) throw error;
      from = port + 1;
    }
  }
}

function watchForDeath(pid: number): { died: Promise<void>; ignore: () => void } {
  let ignore = (): void => {};
  const died = new Promise<void>((resolveDeath) => {
    const watch = setInterval(() => {
      if (processLives(pid)) return;
      clearInterval(watch);
      resolveDeath();
    }, 500).unref();
    ignore = () => clearInterval(watch);
  });
  return { died, ignore };
}

function databaseUrlOf(files: ClusterFolder, port: number): string {
  return `postgres://landfall:${readFileSync(files.passwordFile, 'utf8').trim()}@127.0.0.1:${port}/postgres`;
}

import type { FaultProxy } from '#test/support/api/fault-proxy.ts';
import type { Certificates } from './certificates.ts';
import type { ServiceChanges } from './kept-service.ts';
import type { RedisServer } from './redis-server.ts';

/** `one machine`: `npm start`. `fleet`: a PostgreSQL, two APIs and two workers, each on its own. */
export const shapes = ['one machine', 'fleet'] as const;
export type Shape = (typeof shapes)[number];

/** Backends of the queue. */
export const backends = ['PostgreSQL', 'Redis'] as const;
export type Backend = (typeof backends)[number];

export type Role = 'api' | 'worker' | 'postgres' | 'redis';

/** An installation that a drill breaks. Whatever ends is started again, as by `npm start`, systemd or a container. */
export type World = {
  shape: Shape;
  backend: Backend;
  apiUrls: readonly string[];
  databaseUrl: string;
  /** The simulated carriers' own address, which no fault affects. */
  simulatorUrl: string;
  /** Between the workers and the simulated carriers. */
  carriers: FaultProxy;
  redis: RedisServer | null;
  /** Holds PostgreSQL's files. */
  folder: string;
  /** Process ids of a role, those that run now. */
  pids: (role: Role) => number[];
  /** Signals one process of a role, which is then expected to end with SIGKILL and SIGTERM. Returns its id. */
  signal: (role: Role, signal: NodeJS.Signals, index?: number) => number;
  /** Resolves once every process of every role is ready. */
  untilUp: () => Promise<void>;
  /** Addresses of the workers' `/readyz`. */
  workerUrls: readonly string[];
  /** Starts the processes of a role again, one machine as a whole, with these changes in place of earlier ones. */
  restart: (role: 'api' | 'worker', changesOf: (index: number) => ServiceChanges) => Promise<void>;
  /** Between the services and their stores, for a drill that `needsProxies`. */
  stores: { postgres: FaultProxy; redis: FaultProxy | null; killPostgres: () => Promise<void> } | null;
  /** Of the stores, for a drill that `needsTls`. */
  certificates: Certificates | null;
  /** Processes that ended although nobody signalled them, and that ended otherwise than they should. */
  surprises: () => string[];
  /** A new account of its own, with a key that no limit stops. */
  newAccount: () => Promise<{ key: string }>;
  /** Ends everything. Returns the processes that were left behind. */
  close: () => Promise<string[]>;
};

export type WorldSettings = {
  backend: Backend;
  /** Seconds that a simulated voyage takes. */
  voyageS: number;
  /** Default: a new temporary folder. It is kept if given. */
  folder?: string;
  /** Folder of the sources of `npm start`. Default: this project. */
  sources?: string;
  env?: Record<string, string>;
  needsProxies?: boolean;
  needsTls?: boolean;
};

/** Address that clients connect to, if not the APIs themselves. */
export type Entry = { urls: readonly string[]; name: string; close: () => Promise<void> };

import type { FaultProxy } from '#test/support/api/fault-proxy.ts';
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
  /** Starts the workers again with these changes to their environment. */
  restartWorkers: (envOf: (index: number) => Record<string, string>) => Promise<void>;
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
};

/** Address that clients connect to, if not the APIs themselves. */
export type Entry = { urls: readonly string[]; name: string; close: () => Promise<void> };

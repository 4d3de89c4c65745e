import type { Checker } from './checker/checker.ts';
import type { ClientSettings } from './checker/clients.ts';
import type { Backend, Entry, Shape, World } from './worlds/world.ts';

/**
 * `short` in `npm test`, `long` in `npm run drills`. A long form repeats its fault several times, or lasts until leases
 * and deadlines have expired. All runs together shall take about 90 minutes on an idle machine.
 */
export type Length = 'short' | 'long';

/** A drill's measurements besides the checker's figures. The names carry their unit. */
export type Figures = Record<string, number | string>;

export type Field = { world: World; checker: Checker; length: Length };

/** A fault and where it applies. `npm test` runs the short form in the first shape on the backend named there. */
export type Drill = {
  name: string;
  /** Description for the table of results. */
  what: string;
  shapes: readonly Shape[];
  backends: readonly Backend[];
  /** The installation in which `npm test` runs it, of those in `testBackends`. Null: only `npm run drills` does. */
  inTests: Shape | null;
  load?: Partial<ClientSettings>;
  /** Returns the reason why it can't run on this machine, or null. */
  blockedBy?: () => string | null;
  /** The installation's files must be on a disk that can be filled. */
  needsSmallDisk?: true;
  /** The services of a fleet reach their stores through proxies. */
  needsProxies?: true;
  /** The services of a fleet reach their stores over TLS. */
  needsTls?: true;
  /** The installation is first started from this commit. */
  startsFrom?: string;
  /** Opens the entry that clients connect to instead of the APIs themselves. */
  openEntry?: (world: World, length: Length) => Promise<Entry>;
  /** Inflicts the fault under load and heals it. */
  run: (field: Field) => Promise<Figures | undefined>;
};

/** `npm test` runs drills in one installation of each shape. */
export const testBackends: Record<Shape, Backend> = { 'one machine': 'PostgreSQL', fleet: 'Redis' };

/** One of two values by the length of the drill. */
export function byLength<Value>(length: Length, values: Record<Length, Value>): Value {
  return values[length];
}

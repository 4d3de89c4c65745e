import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

export type FixedClock = {
  /** Epoch milliseconds. */
  now: () => number;
  /** Sets the time of this process and of every prepared database. */
  set: (ms: number) => Promise<void>;
  /** Makes `now()` of this database the fixed time. Must run before its migrations. */
  prepare: (ownerUrl: string) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Stops the time of this process and of the databases that `prepare` is given, and makes what is random a sequence:
 * two recordings of one build then differ in nothing but keys and ids of the database. Ids keep the order in which they
 * were made.
 */
export function stopTheClock(startMs: number, randomFrom = 0): FixedClock {
  let ms = startMs;
  const clients: pg.Client[] = [];
  const RealDate = Date;
  class StoppedDate extends RealDate {
    constructor(...given: []) {
      super(...((given.length === 0 ? [ms] : given) as []));
    }
    static override now(): number {
      return ms;
    }
  }
  globalThis.Date = StoppedDate as DateConstructor;
  performance.now = () => ms - startMs;
  Math.random = () => 0.5;
  countInsteadOfRandom(randomFrom);
  return {
    now: () => ms,
    set: async (to) => {
      ms = to;
      for (const client of clients) await client.query(setTime(to));
    },
    prepare: async (ownerUrl) => {
      const client = new pg.Client({ connectionString: ownerUrl });
      await client.connect();
      clients.push(client);
      await client.query(stoppedNow);
      await client.query(setTime(ms));
    },
    close: async () => {
      for (const client of clients.splice(0)) await client.end();
    },
  };
}

/**
 * Defaults, functions and statements find `now()` by its name in `pg_catalog`, so the built-in function is renamed
 * there and a new one takes its name. Only a superuser may do this, and only in a database of its own.
 */
const stoppedNow = `
  create schema if not exists stopped_clock;
  grant usage on schema stopped_clock to public;
  create table stopped_clock.time (at timestamptz not null);
  insert into stopped_clock.time values ('epoch');
  grant select on stopped_clock.time to public;
  set allow_system_table_mods = on;
  alter function pg_catalog.now() rename to running_now;
  create function pg_catalog.now() returns timestamptz language sql stable parallel safe
    as 'select at from stopped_clock.time';`;

function setTime(ms: number): { text: string; values: unknown[] } {
  return { text: 'update stopped_clock.time set at = to_timestamp($1::float8 / 1000)', values: [ms] };
}

/** Bytes that are unique, and ascending in each part of ten: a UUIDv7 takes ten bytes. */
function countInsteadOfRandom(from: number): void {
  let count = from;
  const fill = (bytes: Uint8Array): void => {
    for (let start = 0; start < bytes.length; start += 10) {
      count += 1;
      const part = Buffer.alloc(10);
      part.writeUIntBE(count, 4, 6);
      bytes.set(part.subarray(0, Math.min(10, bytes.length - start)), start);
    }
  };
  const filled = <Given extends ArrayBufferView>(view: Given): Given => {
    fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return view;
  };
  globalThis.crypto.getRandomValues = ((view: ArrayBufferView) =>
    filled(view)) as typeof globalThis.crypto.getRandomValues;
  nodeCrypto.randomFillSync = ((view: ArrayBufferView) => filled(view)) as typeof nodeCrypto.randomFillSync;
  syncBuiltinESMExports();
}

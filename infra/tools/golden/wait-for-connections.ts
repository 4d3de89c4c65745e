import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import type pg from 'pg';

type Pool = pg.Pool & { options: pg.PoolConfig };

/** Longer than any pause of a machine that does other work as well. */
const patienceMs = 30 * 60_000;

/**
 * Lets the build under test wait for connections and statements as long as it takes. Its own limits are seconds, which
 * a busy machine breaks, and a recording of an hour would be lost for one of them.
 */
export function waitForConnections(): void {
  const build = process.env.LANDFALL_BUILD;
  if (build === undefined) throw new Error('LANDFALL_BUILD must name the folder of the build to drive');
  const { Pool } = createRequire(join(build, 'package.json'))('pg') as typeof pg;
  const prototype = Pool.prototype as { connect: (this: Pool, ...given: unknown[]) => unknown };
  const connect = prototype.connect;
  prototype.connect = function (...given) {
    this.options.connectionTimeoutMillis = patienceMs;
    this.options.query_timeout = patienceMs;
    const { options } = this.options;
    if (options !== undefined) this.options.options = options.replaceAll(/(timeout)=\d+/g, `$1=${patienceMs}`);
    return connect.apply(this, given);
  };
}

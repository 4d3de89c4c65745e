import type pg from 'pg';

/**
 * Gives every connection of the pool a listener for its error from the start. A server that dies sends its last error
 * right behind `ReadyForQuery`: then nobody listens yet who waits for the connection, and the error would end the
 * process. Its next query rejects.
 */
export function ownErrors(pool: pg.Pool): void {
  pool.on('connect', (client) => client.on('error', () => undefined));
}

import type pg from 'pg';

/**
 * Gives every connection of the pool an error listener from the start. A server that dies sends its last error right
 * after `ReadyForQuery`, before the code that waits for the connection has added a listener. Without one, the error
 * would end the process. With one, the next query rejects.
 */
export function ownErrors(pool: pg.Pool): void {
  pool.on('connect', (client) => client.on('error', () => undefined));
}

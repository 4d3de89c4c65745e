import pg from 'pg';
import type { Tx } from './open-store.ts';

/** Fields of the driver that its types don't declare. */
type Backend = pg.Client & { processID: number; secretKey: number };
type Canceller = pg.Connection & {
  stream: pg.Connection['stream'] & { setTimeout: (idleMs: number, onIdle: () => void) => void };
  connect: (port: number | string, host?: string) => void;
  cancel: (processID: number, secretKey: number) => void;
};

const cancelTimeoutMs = 5000;

/**
 * Until the returned function is called, an abort ends the connection: its queries reject, and its statement is
 * cancelled on the server, where it would otherwise continue. The caller must then release the connection as broken.
 */
export function endOnAbort(tx: Tx, signal: AbortSignal): () => void {
  const end = () => {
    requestCancel(tx as unknown as Backend);
    breakConnection(tx);
  };
  signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

/** Ends the connection at once: all its queries reject. The caller must then release it as broken. */
export function breakConnection(tx: Tx): void {
  const backend = tx as unknown as Backend;
  void backend.end();
  // The driver would wait for the response to the pending query.
  backend.connection.stream.destroy();
}

/**
 * Uses a separate connection without TLS, as PostgreSQL's protocol specifies ("Canceling Requests in Progress"). The
 * server closes it. If the request fails, the statement timeout ends the statement.
 */
function requestCancel({ host, port, processID, secretKey }: Backend): void {
  const canceller = new pg.Connection() as Canceller;
  canceller.on('error', () => undefined);
  canceller.stream.setTimeout(cancelTimeoutMs, () => canceller.stream.destroy());
  canceller.on('connect', () => canceller.cancel(processID, secretKey));
  if (host.startsWith('/')) canceller.connect(`${host}/.s.PGSQL.${port}`);
  else canceller.connect(port, host);
}

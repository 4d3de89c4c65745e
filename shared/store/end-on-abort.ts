import pg from 'pg';
import type { Tx } from './open-store.ts';

/** What the driver has and does not declare. */
type Backend = pg.Client & { processID: number; secretKey: number };
type Canceller = pg.Connection & {
  stream: pg.Connection['stream'] & { setTimeout: (idleMs: number, onIdle: () => void) => void };
  connect: (port: number | string, host?: string) => void;
  cancel: (processID: number, secretKey: number) => void;
};

const cancelTimeoutMs = 5000;

/**
 * Until the returned function is called, an abort ends the connection: its statement is cancelled in the server, which would go on with it
 * otherwise, and its queries reject. Whoever holds the connection must give it back as broken.
 */
export function endOnAbort(tx: Tx, signal: AbortSignal): () => void {
  const end = () => {
    const backend = tx as unknown as Backend;
    requestCancel(backend);
    void backend.end();
    // The driver would wait for what it has sent.
    backend.connection.stream.destroy();
  };
  signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

/**
 * Over a connection of its own and without TLS, as PostgreSQL's protocol has it ("Canceling Requests in Progress"); the server closes it.
 * When that fails the statement timeout ends the statement.
 */
function requestCancel({ host, port, processID, secretKey }: Backend): void {
  const canceller = new pg.Connection() as Canceller;
  canceller.on('error', () => undefined);
  canceller.stream.setTimeout(cancelTimeoutMs, () => canceller.stream.destroy());
  canceller.on('connect', () => canceller.cancel(processID, secretKey));
  if (host.startsWith('/')) canceller.connect(`${host}/.s.PGSQL.${port}`);
  else canceller.connect(port, host);
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type DyingPostgres = { url: string; die: () => void; close: () => Promise<void> };

const readyForQuery = 0x5a;

/**
 * A proxy of a PostgreSQL. `die` breaks its connections, and each later one ends as soon as it is ready for a query: as
 * from a PostgreSQL without its postmaster, the last error is in the same packet.
 */
export async function openDyingPostgres(targetUrl: string): Promise<DyingPostgres> {
  const target = new URL(targetUrl);
  let isDying = false;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => {
      clients.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      // The message has six bytes and comes last.
      const isReady = chunk.at(-6) === readyForQuery;
      if (isDying && isReady) client.end(Buffer.concat([chunk, lastError]));
      else client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    die: () => {
      isDying = true;
      for (const client of clients) client.destroy();
    },
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0';
const lastError = Buffer.alloc(5 + fields.length);
lastError.write('E', 0);
lastError.writeInt32BE(4 + fields.length, 1);
lastError.write(fields, 5);

import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export type KeyAddingProxy = {
  /** The target's URL with this proxy's port. */
  url: string;
  close: () => Promise<void>;
};

/**
 * An HTTP proxy for clients that cannot send a key: it adds the Authorization header if there is none. Everything else
 * is forwarded unchanged, including Host and Origin, and both bodies are streamed.
 */
export async function openKeyAddingProxy(targetUrl: string, key: string): Promise<KeyAddingProxy> {
  const target = new URL(targetUrl);
  const server = createServer((incoming, outgoing) => {
    const added = incoming.headers.authorization === undefined ? ['Authorization', `Bearer ${key}`] : [];
    const upstream = sendRequest({
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      headers: [...incoming.rawHeaders, ...added],
      agent: false,
    });
    upstream.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targetUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

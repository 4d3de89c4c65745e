import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type FaultProxy = {
  /** The target's URL with this proxy's host and port. */
  url: string;
  /** Breaks every connection and refuses new ones, like a killed server. */
  cut(): Promise<void>;
  /** Listens again on the same port. */
  restore(): Promise<void>;
  /** Keeps connections open but forwards nothing until `thaw`, like a stopped server. */
  freeze(): void;
  thaw(): void;
  /** New connections go to the server of this URL, as after a change of an address in DNS. */
  lead(targetUrl: string): void;
  close(): Promise<void>;
};

/** A TCP proxy with which a test makes a backend unavailable and available again. */
export async function openFaultProxy(targetUrl: string): Promise<FaultProxy> {
  let target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
      if (isFrozen) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);

  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const restore = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const freeze = () => {
    isFrozen = true;
    for (const socket of sockets) socket.pause();
  };
  const thaw = () => {
    isFrozen = false;
    for (const socket of sockets) socket.resume();
  };
  const lead = (nextUrl: string) => {
    target = new URL(nextUrl);
  };
  return { url: url.href, cut, restore, freeze, thaw, lead, close: cut };
}

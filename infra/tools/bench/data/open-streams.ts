import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Open streams of changes, as cheap as a client can be. */
export type BenchStreams = {
  /** Resolves with the milliseconds from `sinceMs` to the arrival of a text, such as an id, at each of the streams. */
  arrivals: (text: string, streams: readonly number[], sinceMs: number) => Promise<number[]>;
  close: () => void;
};

const openAtOnce = 50;

type Reader = { socket: Socket; awaited: { text: string; arrive: () => void } | null; tail: string };

/** Opens a stream for each key, in turn, until there are `count`. */
export async function openBenchStreams(url: string, keys: readonly string[], count: number): Promise<BenchStreams> {
  const readers: Reader[] = [];
  for (let start = 0; start < count; start += openAtOnce) {
    const some = Array.from({ length: Math.min(openAtOnce, count - start) }, (_, n) => keys[(start + n) % keys.length]);
    readers.push(...(await Promise.all(some.map((key) => openReader(url, key ?? '')))));
  }
  return {
    arrivals: (awaited, streams, sinceMs) =>
      Promise.all(
        streams.map((index) => {
          const reader = readers[index];
          if (reader === undefined) throw new Error(`there is no stream ${index}`);
          const { promise, resolve } = Promise.withResolvers<number>();
          reader.awaited = { text: awaited, arrive: () => resolve(performance.now() - sinceMs) };
          return promise;
        }),
      ),
    close: () => {
      for (const { socket } of readers) socket.destroy();
    },
  };
}

async function openReader(url: string, key: string): Promise<Reader> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const reader: Reader = { socket, awaited: null, tail: '' };
  socket.write(`GET /v1/events/stream HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString().startsWith('HTTP/1.1 200 ')) throw new Error(`a stream was refused:\n${head.toString()}`);
  socket.on('data', (chunk: Buffer) => {
    if (reader.awaited === null) return;
    // It may be cut in two.
    const text = reader.tail + chunk.toString('latin1');
    reader.tail = text.slice(-64);
    if (!text.includes(reader.awaited.text)) return;
    const { arrive } = reader.awaited;
    reader.awaited = null;
    reader.tail = '';
    arrive();
  });
  return reader;
}

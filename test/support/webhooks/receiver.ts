import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { path: string; id: string; headers: IncomingHttpHeaders; body: string; atMs: number };

/** Handles a request after reading it. */
export type Answer = (received: Received, response: ServerResponse) => void;

export type Receiver = {
  /** Of an endpoint with this name. */
  urlOf: (name: string) => string;
  /** Every request, in the order in which it was read. */
  received: Received[];
  /** Resolves when `isEnough` first holds, asked after each request. */
  until: (isEnough: (received: readonly Received[]) => boolean) => Promise<void>;
  /** Answers for an endpoint from now on; by default 200. */
  answer: (name: string, answer: Answer) => void;
  close: () => void;
};

const accept: Answer = (_received, response) => void response.writeHead(200).end();

/** A webhook receiver of its own: it knows nothing of Landfall but HTTP. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers = new Map<string, Answer>();
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const id = String(request.headers['webhook-id']);
      const body = Buffer.concat(chunks).toString();
      const one = { path, id, headers: request.headers, body, atMs: performance.now() };
      received.push(one);
      (answers.get(path.slice(1)) ?? accept)(one, response);
      for (const check of waiting) check();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
    received,
    until: (isEnough) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!isEnough(received)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    answer: (name, answer) => void answers.set(name, answer),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function answerWith(status: number, headers: Record<string, string> = {}, body = ''): Answer {
  return (_received, response) => void response.writeHead(status, headers).end(body);
}

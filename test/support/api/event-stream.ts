import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** An event as a client of a stream gets it. `data` is parsed. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any event
export type StreamEvent = { id: string | null; event: string | null; data: any; comment: string | null };

export type EventStream = {
  status: number;
  headers: IncomingMessage['headers'];
  /** All blocks so far, in order, also those without data. */
  blocks: StreamEvent[];
  /** Events with data. */
  events: () => StreamEvent[];
  /** The last id, from which a client resumes. */
  lastId: () => string | null;
  /** The last `retry`, in milliseconds. */
  retryMs: () => number | null;
  /** Resolves when the server has ended the response, or the connection has closed. */
  ended: Promise<unknown>;
  /** Reads nothing more until `resume`. */
  pause: () => void;
  resume: () => void;
  close: () => void;
};

export type StreamRequest = { key?: string; headers?: Record<string, string> };

/** Opens a stream of server-sent events and reads it as it arrives. */
export async function openEventStream(url: string, { key, headers = {} }: StreamRequest = {}): Promise<EventStream> {
  const sent: ClientRequest = request(url, {
    agent: false,
    headers: {
      accept: 'text/event-stream',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const blocks: StreamEvent[] = [];
  let lastId: string | null = null;
  let retryMs: number | null = null;
  let rest = '';
  response.setEncoding('utf8');
  response.on('error', () => undefined);
  response.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const block: StreamEvent = { id: null, event: null, data: null, comment: null };
      for (const line of part.split('\n')) {
        const [, name = '', value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
        if (name === '') block.comment = value;
        if (name === 'id') lastId = block.id = value;
        if (name === 'event') block.event = value;
        if (name === 'data') block.data = JSON.parse(value);
        if (name === 'retry') retryMs = Number(value);
      }
      blocks.push(block);
    }
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    blocks,
    events: () => blocks.filter(({ data }) => data !== null),
    lastId: () => lastId,
    retryMs: () => retryMs,
    ended: new Promise((resolve) => response.once('close', resolve)),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => sent.destroy(),
  };
}

/** The text of an answer; of one that stays open, what has arrived first. */
export async function textOf(answer: Response): Promise<string> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) return answer.text();
  const reader = answer.body?.getReader();
  const start = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(start?.value);
}

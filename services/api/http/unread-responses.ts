import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sleep } from '#shared/async/sleep.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { signInNetwork } from '#shared/domain/keys/limits.ts';
import { connectionKey, readSendQueues } from './send-queues.ts';

export type UnreadLimits = {
  /** Time for which a client may accept no byte of a response. */
  stallMs: number;
  /** Of all responses of one client that it has not taken. Its further requests are refused. */
  maxUnreadBytes: number;
  /** Interval at which the kernel is queried while it may hold much. */
  everyMs: number;
  readQueues?: typeof readSendQueues;
};

/** The kernel takes up to 4 MB of a response: 64 MiB are 16 large responses at once. */
export const unreadLimits = { stallMs: 30_000, maxUnreadBytes: 64 * 1024 * 1024, everyMs: 1000 };

/** Less is not worth a look: the kernel reserves as much for a connection that is read. */
const heavyBytes = 65_536;
/** A look at all connections of a machine takes milliseconds. */
const minPauseMs = 100;
/** The sum over a client's connections is taken once for so many of its requests. */
const requestsPerSum = 8;

type Client = { connections: Set<Connection>; requests: number; isRefused: boolean };

type Connection = {
  socket: Socket;
  network: string;
  client: Client;
  /** Bytes that were unread at the last look, and all that was written until then. */
  unread: number;
  written: number;
  /** When the client last took something, by `performance.now`. */
  takenAt: number;
  isStream: boolean;
  /** Closes the connection, which waits until its client has taken everything. */
  close: (() => void) | null;
};

const entry = Symbol('unread responses');
type Entered = Socket & { [entry]?: Connection };

/**
 * Bounds what the kernel holds of responses that clients don't read. Node closes a connection or waits for its next
 * request as soon as the kernel has the whole response, up to 4 MB, and after a close the kernel still tries to deliver
 * it for minutes. So a connection whose client takes nothing for `stallMs` is reset, a connection is closed only when its
 * client has taken the response, and a client with much unread gets no further response. A client is what
 * `registerConnectionLimits` takes for one.
 */
export function registerUnreadResponses(app: FastifyInstance, limits: UnreadLimits): void {
  const { stallMs, maxUnreadBytes, everyMs, readQueues = readSendQueues } = limits;
  const clients = new Map<string, Client>();
  const connections = new Set<Connection>();
  let looking: Promise<void> | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isBlind = false;

  const look = async (): Promise<void> => {
    const heavy = [...connections].filter(
      (connection) => mayHold(connection) >= heavyBytes || connection.close !== null,
    );
    if (heavy.length === 0) return;
    const written = heavy.map(({ socket }) => socket.bytesWritten);
    const queues = await readQueues();
    lookedAt = performance.now();
    if (queues === null) stopLooking();
    else for (const [index, connection] of heavy.entries()) note(connection, written[index] ?? 0, queues);
  };
  /** Nothing would end the connections that wait for a look, which have no timeout. */
  const stopLooking = (): void => {
    isBlind = true;
    for (const { close } of connections) close?.();
  };
  const lookOnce = (): Promise<void> => {
    const pauseMs = Math.max(0, lookedAt + minPauseMs - performance.now());
    looking ??= sleep(pauseMs)
      .then(look)
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const note = (connection: Connection, written: number, queues: ReadonlyMap<string, number>): void => {
    const { socket } = connection;
    const queue = queues.get(connectionKey(socket) ?? '') ?? 0;
    const unread = queue + socket.writableLength;
    const hasTaken = written - unread > connection.written - connection.unread;
    // `registerReplyDeadline` covers the bytes that Node has not passed to the kernel.
    // The time starts when something is first found unread: before, the client had nothing to take.
    if (unread === 0 || connection.unread === 0 || hasTaken || socket.writableLength > 0) connection.takenAt = lookedAt;
    connection.unread = unread;
    connection.written = written;
    if (unread === 0) connection.close?.();
    // After `destroy`, the kernel would go on trying to deliver it.
    else if (lookedAt - connection.takenAt >= stallMs) socket.resetAndDestroy();
  };

  const timer = setInterval(() => void (isBlind || lookOnce()), everyMs);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));

  app.server.prependListener('connection', (socket: Entered) => {
    const connection = connectionOf(socket);
    enter(clients, connection, signInNetwork(socket.remoteAddress ?? ''));
    connections.add(connection);
    socket[entry] = connection;
    socket.once('close', () => {
      connections.delete(connection);
      leave(clients, connection);
    });
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (isBlind || !connections.has(connection) || mayHold(connection) < heavyBytes || !app.server.listening)
        return destroySoon();
      connection.close = destroySoon;
      // The looks end it: this one if the client has taken the response, as most have.
      socket.setTimeout(0);
      void lookOnce();
    };
  });

  const exceeds = (client: Client): boolean => {
    let bytes = 0;
    for (const connection of client.connections) bytes += mayHold(connection);
    return bytes > maxUnreadBytes;
  };
  const refuseUnread = async (client: Client): Promise<void> => {
    await lookOnce();
    // The running query may have begun before the last responses.
    if (exceeds(client)) await lookOnce();
    client.isRefused = !isBlind && exceeds(client);
    if (!client.isRefused) return;
    throw new LandfallError('rate_limited', 'Too many responses were not read. Read or close them first.', {
      retryAfterS: 1,
    });
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const connection = (request.socket as Entered)[entry];
    if (isBlind || connection === undefined) return done();
    const client = clientOfRequest(clients, connection, request);
    client.requests += 1;
    if (client.requests % requestsPerSum !== 0 && !client.isRefused) return done();
    if (!exceeds(client)) {
      client.isRefused = false;
      return done();
    }
    refuseUnread(client).then(() => done(), done);
  });
}

/** Takes a stream out of these limits: it writes for as long as it is open, and has limits of its own. */
export function leaveUnreadResponses({ socket }: FastifyRequest): void {
  const connection = (socket as Entered)[entry];
  if (connection !== undefined) connection.isStream = true;
}

function connectionOf(socket: Socket): Connection {
  const client = { connections: new Set<Connection>(), requests: 0, isRefused: false };
  const takenAt = performance.now();
  return { socket, network: '', client, unread: 0, written: 0, takenAt, isStream: false, close: null };
}

/** At most so much of the connection is unread. */
function mayHold({ socket, unread, written, isStream }: Connection): number {
  return isStream ? 0 : unread + socket.bytesWritten - written;
}

/** Behind a trusted proxy, a connection serves many clients in turn. */
function clientOfRequest(clients: Map<string, Client>, connection: Connection, { ip, socket }: FastifyRequest): Client {
  const network = ip === socket.remoteAddress ? connection.network : signInNetwork(ip);
  if (network !== connection.network) {
    leave(clients, connection);
    enter(clients, connection, network);
  }
  return connection.client;
}

function enter(clients: Map<string, Client>, connection: Connection, network: string): void {
  const client = clients.get(network) ?? { connections: new Set(), requests: 0, isRefused: false };
  clients.set(network, client);
  client.connections.add(connection);
  Object.assign(connection, { client, network });
}

function leave(clients: Map<string, Client>, connection: Connection): void {
  const { client, network } = connection;
  client.connections.delete(connection);
  if (client.connections.size === 0) clients.delete(network);
}

import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { signInNetwork } from '#shared/domain/keys/limits.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import { endWithProblem } from './errors.ts';

export type ConnectionLimits = {
  maxConnections: number;
  /** Open connections of one client; behind a trusted proxy, its requests in progress. */
  maxConnectionsPerAddress: number;
  /** Addresses and networks of reverse proxies. */
  trustedProxies: readonly string[];
};

const warnAgainMs = 60_000;
const hold = Symbol('connection hold');
type Held<Holder> = Holder & { [hold]?: () => void };

/**
 * Limits how many connections are open, in total and by client. A client is the IPv4 address or IPv6 /64 network of the
 * connection or, if that is a trusted proxy, the one that `X-Forwarded-For` names.
 */
export function registerConnectionLimits(
  app: FastifyInstance,
  { maxConnections, maxConnectionsPerAddress: max, trustedProxies }: ConnectionLimits,
  logger: Logger,
): void {
  const isProxy = addressMatcher(trustedProxies);
  const holds = createHolds(max);
  const warn = throttled((fields: object, message: string) => logger.warn(fields, message));
  app.server.maxConnections = maxConnections;
  app.server.on('drop', () => warn({ max: maxConnections }, 'connection refused: MAX_CONNECTIONS are open'));
  app.server.prependListener('connection', (socket: Held<Socket>) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || isProxy(address)) return;
    const release = holds.take(address);
    if (release !== null) {
      socket[hold] = release;
      socket.once('close', release);
      return;
    }
    warn({ address, max }, 'connection refused: the address has MAX_CONNECTIONS_PER_ADDRESS');
    endWithProblem(socket, tooMany(`Too many open connections from this IP address (limit ${max}).`));
  });
  if (trustedProxies.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { remoteAddress: peer } = request.socket;
    if (peer === undefined || !isProxy(peer) || request.ip === peer) return done();
    const release = holds.take(request.ip);
    if (release === null) return done(tooMany(`Too many requests in progress from this IP address (limit ${max}).`));
    (request.raw as Held<IncomingMessage>)[hold] = release;
    reply.raw.once('close', release);
    done();
  });
}

/**
 * Takes the connection of a response that stays open out of these limits, because it has one of its own. The response
 * must close the connection at its end.
 */
export function leaveConnectionLimits({ socket, raw, server: { server } }: FastifyRequest): void {
  (socket as Held<Socket>)[hold]?.();
  (raw as Held<IncomingMessage>)[hold]?.();
  // It may have closed while the response was prepared, and does not close again.
  if (socket.destroyed) return;
  server.maxConnections += 1;
  socket.once('close', () => {
    server.maxConnections -= 1;
  });
}

function tooMany(what: string): LandfallError {
  return new LandfallError('rate_limited', `${what} Send fewer at a time.`, { retryAfterS: 1 });
}

/** Counts by client. `take` returns what gives the hold back, once; null: the client has too many. */
function createHolds(max: number): { take: (address: string) => (() => void) | null } {
  const counts = new Map<string, number>();
  return {
    take: (address) => {
      const client = signInNetwork(address);
      const held = counts.get(client) ?? 0;
      if (held >= max) return null;
      counts.set(client, held + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (counts.get(client) ?? 1) - 1;
        if (left === 0) counts.delete(client);
        else counts.set(client, left);
      };
    },
  };
}

function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/', 2);
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function throttled<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  let notBefore = 0;
  return (...args) => {
    if (performance.now() < notBefore) return;
    notBefore = performance.now() + warnAgainMs;
    run(...args);
  };
}

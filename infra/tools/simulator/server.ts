import fastify, { type FastifyInstance } from 'fastify';
import { ZodError } from 'zod';
import { hostCheck } from '#shared/domain/installation/allowed-host.ts';
import { addLufthansaCargoRoutes } from './air/lufthansa-cargo-routes.ts';
import { addOneRecordRoutes } from './air/one-record-routes.ts';
import { addAisRoute } from './ais-route.ts';
import { createDeliverer } from './carrier-subscriptions/deliverer.ts';
import { createSubscriptionBook } from './carrier-subscriptions/subscription-book.ts';
import { addSubscriptionRoutes } from './carrier-subscriptions/subscription-routes.ts';
import { addControlRoutes } from './control-routes.ts';
import { createFaultDice } from './faults/fault-dice.ts';
import { addFaultHooks } from './faults/fault-hooks.ts';
import { createFaultScript } from './faults/faults.ts';
import { createFirstSeen } from './first-seen.ts';
import type { FreightWorld } from './freight-world.ts';
import { addInboxRoutes } from './mail/inbox-routes.ts';
import { createMailBook, type MailBook } from './mail/mail-book.ts';
import { addCoscoRoute } from './ocean/cosco-routes.ts';
import { dcsaDialect, dcsaError } from './ocean/dcsa-dialect.ts';
import { azureNoRoute } from './ocean/dialect.ts';
import { addEventRoute, type SimulatorWorld } from './ocean/event-routes.ts';
import { hapagLloydDialect } from './ocean/hapag-lloyd-dialect.ts';
import { createKnownVoyages } from './ocean/known-voyages.ts';
import { lineDialects } from './ocean/line-dialects.ts';
import { addLineTokenRoutes } from './ocean/line-token-routes.ts';
import { createMaerskDialect } from './ocean/maersk-dialect.ts';
import { addOverviewPage, type ListedRoute } from './overview-page.ts';
import { addDhlRoute } from './parcels/carriers/dhl-route.ts';
import { addFedexRoutes } from './parcels/carriers/fedex-routes.ts';
import { addGlsRoutes } from './parcels/carriers/gls-routes.ts';
import { addUpsRoutes } from './parcels/carriers/ups-routes.ts';
import { addUspsRoutes } from './parcels/carriers/usps-routes.ts';
import { createKnownParcels, type ParcelWorld } from './parcels/parcel-world.ts';
import { type PlayedNumbers, playsOf } from './posting/plays.ts';
import { createPoster } from './posting/poster.ts';
import { createReceiverBook } from './receiver/receiver-book.ts';
import { addReceiverRoutes } from './receiver/receiver-routes.ts';
import { addNmftaDsdcRoutes } from './road/nmfta-dsdc-routes.ts';
import { createServedLog } from './served-log.ts';
import { openStateFile } from './state-file.ts';
import { addTokenRoute, createAccessTokens } from './token-route.ts';

export type SimulatorOptions = {
  /** The same seed gives the same voyages. */
  seed: string;
  /** Host names that are served, besides those of this machine and IP addresses. */
  hosts?: readonly string[];
  /** The real clock, in epoch milliseconds. */
  now: () => number;
  /** Duration of a fast voyage in seconds. */
  voyageS: number;
  /** The file that stores when each number was first requested. Null keeps nothing. */
  stateFile: string | null;
  /** Enables the test endpoints under `/control`. */
  control?: boolean;
  /**
   * Interval between checks for new events to push, in real milliseconds. Null: only `/control/deliver` sends events.
   */
  deliverEveryMs?: number | null;
  /** The share of responses with a random fault, 0 to 1. Default: 0. */
  faultRate?: number;
  /** The API to which a railway, a terminal and a truck post their events. Default: they post none. */
  posting?: Posting | null;
  /** The mails of the mail sink. Default: none. */
  mails?: MailBook;
};

/** `everyMs` null: only `/control/post` posts. */
export type Posting = { apiUrl: string; apiKey: string; numbers: PlayedNumbers; everyMs: number | null };

const usualDeliveryMs = 500;

/**
 * The carrier simulator: plain DCSA Track & Trace 2.2 under `/sim/dcsa`, the lines' own dialects under
 * `/sim/<connector>`. Every number has a voyage, except those that contain `404`, which are unknown: some lines return
 * 404 for them, others an empty list. Parcels of UPS, FedEx, DHL, USPS and GLS work the same way. Numbers whose last digit is 0 to
 * 4 play within `voyageS` seconds, the others in real time. `/receiver` receives webhooks, and `/inbox` shows mails. `/sim/ais` is a source of
 * ships' positions, and `posting` lets a railway, a terminal and a truck post their events.
 */
export function buildSimulator(options: SimulatorOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  });
  const { seed, now, voyageS } = options;
  // No website may read or steer the simulator through a browser on this machine (DNS rebinding).
  const isAllowedHost = hostCheck(options.hosts ?? []);
  app.addHook('onRequest', async (request, reply) => {
    if (!isAllowedHost(request.headers.host))
      return reply.code(403).type('text/plain').send('Host name not allowed. Add it to ALLOWED_HOSTS.\n');
  });

  const state = openStateFile(options.stateFile);
  const known = createKnownVoyages({
    seed,
    voyageS,
    now,
    kept: state.kept.voyages,
    onChange: (voyages) => state.saveSoon({ voyages }),
  });
  const firstSeen = createFirstSeen(state.kept.seen, (seen) => state.saveSoon({ seen }));
  const tokens = createAccessTokens(seed);
  const dice = createFaultDice(seed, options.faultRate ?? 0);
  const world: SimulatorWorld = {
    known,
    firstSeen,
    faults: createFaultScript(),
    dice,
    served: createServedLog(),
    tokens,
    now,
  };
  const book = createSubscriptionBook({
    now,
    kept: state.kept.subscriptions,
    onChange: (subscriptions) => state.saveSoon({ subscriptions }),
  });
  const deliverer = createDeliverer({
    world,
    book,
    everyMs: options.deliverEveryMs === undefined ? usualDeliveryMs : options.deliverEveryMs,
  });

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    },
  );
  const routes: ListedRoute[] = [];
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.carrier && method !== 'HEAD')
      routes.push({ method: String(method), path: url, carrier: config.carrier });
  });
  addFaultHooks(app, world);
  app.get('/livez', async () => ({ status: 'ok' }));
  addEventRoute(app, world, dcsaDialect);
  addSubscriptionRoutes(app, world, book);
  addEventRoute(app, world, createMaerskDialect(tokens.isAlive));
  addEventRoute(app, world, hapagLloydDialect);
  for (const dialect of lineDialects(tokens.isAlive)) addEventRoute(app, world, dialect);
  addCoscoRoute(app, world);
  addTokenRoute(app, tokens, now);
  addLineTokenRoutes(app, tokens, now);
  addParcelRoutes(app, world, { seed, voyageS });
  addAisRoute(app, world);
  const freight: FreightWorld = { seed, voyageS, now, firstSeen, tokens };
  addFreightRoutes(app, freight);
  const { posting = null } = options;
  const poster =
    posting === null ? null : createPoster({ ...posting, now, plays: playsOf(posting.numbers, { ...freight, known }) });
  const receivers = createReceiverBook({
    now,
    kept: state.kept.receivers,
    onChange: (kept) => state.saveSoon({ receivers: kept }),
  });
  addReceiverRoutes(app, receivers);
  addInboxRoutes(app, options.mails ?? createMailBook({ now }));
  addOverviewPage(app, { seed, served: world.served, routes });
  if (options.control) addControlRoutes(app, world, { book, deliverer, poster }, routes);

  app.setNotFoundHandler((_request, reply) => reply.code(azureNoRoute.status).send(azureNoRoute.body));
  app.setErrorHandler((error, request, reply) => {
    const status = error instanceof ZodError ? 400 : statusOf(error);
    const message = error instanceof Error ? error.message : String(error);
    return reply
      .code(status)
      .send(dcsaError(request, status, status < 500 ? 'Bad Request' : 'Internal Server Error', [message], now()).body);
  });
  app.addHook('preClose', async () => {
    world.faults.release(null);
  });
  app.addHook('onClose', async () => {
    await deliverer.close();
    await poster?.close();
    await state.close();
  });
  return app;
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 600 ? status : 500;
}

/** The carriers by air and road: every number has a journey, except those that contain `404`. */
function addFreightRoutes(app: FastifyInstance, world: FreightWorld): void {
  addOneRecordRoutes(app, world);
  addLufthansaCargoRoutes(app, world);
  addNmftaDsdcRoutes(app, world);
}

/** The parcel carriers, each in its own shape under `/sim/<connector>`. */
function addParcelRoutes(
  app: FastifyInstance,
  world: SimulatorWorld,
  options: { seed: string; voyageS: number },
): void {
  const parcels = createKnownParcels({ ...options, firstSeen: world.firstSeen });
  const shared: ParcelWorld = { ...world, parcels, seed: options.seed };
  addUpsRoutes(app, shared);
  addFedexRoutes(app, shared);
  addDhlRoute(app, shared);
  addUspsRoutes(app, shared);
  addGlsRoutes(app, shared);
}

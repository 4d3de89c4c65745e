import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deliverer } from './carrier-subscriptions/deliverer.ts';
import { publicFields, type SubscriptionBook } from './carrier-subscriptions/subscription-book.ts';
import { faultSchema } from './faults/faults.ts';
import type { SimulatorWorld } from './ocean/event-routes.ts';
import type { ListedRoute } from './overview-page.ts';
import type { Poster } from './posting/poster.ts';

type PushWorld = { book: SubscriptionBook; deliverer: Deliverer; poster: Poster | null };

const reference = z.string().min(1).max(50);
const firstSeenSchema = z.strictObject({
  reference,
  at: z.union([z.int(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]),
});
const faultsSchema = z.strictObject({
  reference: reference.default('*'),
  /** Only requests under this path, such as `/sim/maersk` or a token endpoint. */
  path: z.string().startsWith('/sim/').max(200).nullable().default(null),
  faults: z.array(faultSchema).min(1).max(100),
  times: z.int().min(1).max(100).default(1),
});
const rateSchema = z.strictObject({
  rate: z.number().min(0).max(1),
  kinds: z.array(z.string()).min(1).nullable().default(null),
});
const releaseSchema = z.strictObject({ reference: reference.nullable().default(null) });
const servedSchema = z.object({ number: reference.optional(), reference: reference.optional() });
const heldSchema = z.object({ atLeast: z.coerce.number().int().min(0).default(0) });

/**
 * Endpoints for tests only: set when a number was first requested; inject faults by script (`POST /control/faults`) and
 * by rate (`POST /control/fault-rate`); hold and release requests; inspect what was served. `GET
 * /control/held?atLeast=1` responds once that many requests are held. `GET /control/served?number=` lists, per
 * connector, the actual events so far (`truth`) and the events in fault-free responses (`shown`); without a number it
 * returns the counts of each connector. `/control/subscriptions` lists the subscriptions or deletes them all,
 * `/control/deliveries` lists what was sent to subscribers, and `POST /control/deliver` sends new events. `POST
 * /control/post` lets the railway, the terminal and the truck post theirs.
 */
export function addControlRoutes(
  app: FastifyInstance,
  world: SimulatorWorld,
  push: PushWorld,
  routes: readonly ListedRoute[],
): void {
  app.get('/control/subscriptions', async () => ({ subscriptions: push.book.list().map(publicFields) }));
  app.delete('/control/subscriptions', async (_request, reply) => {
    for (const subscription of push.book.list()) push.book.remove(subscription);
    return reply.code(204).send();
  });
  app.get('/control/deliveries', async () => ({ deliveries: push.deliverer.sent() }));
  app.post('/control/deliver', async (_request, reply) => {
    await push.deliverer.deliver();
    return reply.code(204).send();
  });
  app.post('/control/post', async () => ({
    posted: (await push.poster?.post()) ?? false,
    ...push.poster?.counts(),
  }));
  app.post('/control/first-seen', async (request, reply) => {
    const body = firstSeenSchema.parse(request.body);
    world.known.setFirstSeen(body.reference, body.at);
    world.firstSeen.set(body.reference, body.at);
    return reply.code(204).send();
  });
  app.post('/control/faults', async (request, reply) => {
    const body = faultsSchema.parse(request.body);
    for (let time = 0; time < body.times; time += 1) world.faults.add(body, body.faults);
    return reply.code(204).send();
  });
  app.delete('/control/faults', async (_request, reply) => {
    world.faults.clear();
    return reply.code(204).send();
  });
  app.post('/control/fault-rate', async (request, reply) => {
    const { rate, kinds } = rateSchema.parse(request.body);
    world.dice.set(rate, kinds);
    return reply.code(204).send();
  });
  app.post('/control/release', async (request) => ({
    released: world.faults.release(releaseSchema.parse(request.body ?? {}).reference),
  }));
  app.get('/control/held', async (request) => {
    await world.faults.waitForHeld(heldSchema.parse(request.query).atLeast);
    return { held: world.faults.heldCount() };
  });
  app.get('/control/served', async (request) => {
    const { number, reference: asked = number } = servedSchema.parse(request.query);
    if (asked === undefined) return { byConnector: world.served.connectors(), byReference: world.served.byReference() };
    const nowMs = world.now();
    const truthOf = (name: string) =>
      routes.find(({ carrier }) => carrier.connector === name && carrier.truth)?.carrier.truth;
    const byConnector = Object.fromEntries(
      Object.entries(world.served.ofNumber(asked)).map(([connector, counts]) => [
        connector,
        { ...counts, truth: truthOf(connector)?.(asked, nowMs) ?? null },
      ]),
    );
    return { number: asked, served: world.served.countOf(asked), byConnector, byReference: world.served.byReference() };
  });
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dcsaDialect, dcsaError } from '../ocean/dcsa-dialect.ts';
import type { SimulatorWorld } from '../ocean/event-routes.ts';
import {
  createSchema,
  publicFields,
  queryOf,
  replaceSchema,
  rotateSchema,
  type Subscription,
  type SubscriptionBook,
} from './subscription-book.ts';

/** The endpoints that support subscriptions: one for all lines, and Evergreen's own. */
const endpoints = [
  { connector: 'dcsa', scac: null, path: '/sim/dcsa/v2/event-subscriptions' },
  { connector: 'evergreen', scac: 'EGLV', path: '/sim/evergreen/tnt/v2/event-subscriptions' },
];
/** The name of these endpoints in faults and counts. */
export const subscriptionsReference = 'event-subscriptions';

/** The event subscriptions of DCSA Track & Trace 2.2. */
export function addSubscriptionRoutes(app: FastifyInstance, world: SimulatorWorld, book: SubscriptionBook): void {
  const refuse = (request: FastifyRequest, reply: FastifyReply, status: number, text: string, messages: string[]) => {
    const refusal = dcsaError(request, status, text, messages, world.now());
    return reply.code(refusal.status).send(refusal.body);
  };
  const served =
    (work: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(dcsaDialect.headers);
      return work(request, reply);
    };
  const onOne = (
    scac: string | null,
    work: (subscription: Subscription, request: FastifyRequest, reply: FastifyReply) => FastifyReply,
  ) =>
    served((request, reply) => {
      const { id } = request.params as { id: string };
      const subscription = book.find(id);
      if (subscription?.scac !== scac)
        return refuse(request, reply, 404, 'Not Found', ['There is no subscription with this id']);
      return work(subscription, request, reply);
    });

  for (const { connector, scac, path } of endpoints) {
    const options = {
      config: { carrier: { connector, kind: 'object' as const, numbers: () => [subscriptionsReference] } },
    };
    app.get(
      path,
      options,
      served((_request, reply) =>
        reply.send(
          book
            .list()
            .filter((subscription) => subscription.scac === scac)
            .map(publicFields),
        ),
      ),
    );
    app.post(
      path,
      options,
      served((request, reply) => {
        const wish = createSchema.parse(request.body);
        const { callbackUrl: _url, secret: _secret, ...filters } = wish;
        const { mistakes } = queryOf(filters as Subscription['filters']);
        if (mistakes.length > 0) return refuse(request, reply, 400, 'Bad Request', mistakes);
        return reply.code(201).send(publicFields(book.add(wish, scac)));
      }),
    );
    app.get(
      `${path}/:id`,
      options,
      onOne(scac, (subscription, _request, reply) => reply.send(publicFields(subscription))),
    );
    app.put(
      `${path}/:id`,
      options,
      onOne(scac, (subscription, request, reply) => {
        book.replace(subscription, replaceSchema.parse(request.body));
        return reply.send(publicFields(subscription));
      }),
    );
    app.delete(
      `${path}/:id`,
      options,
      onOne(scac, (subscription, _request, reply) => {
        book.remove(subscription);
        return reply.code(204).send();
      }),
    );
    app.put(
      `${path}/:id/secret`,
      options,
      onOne(scac, (subscription, request, reply) => {
        book.rotate(subscription, rotateSchema.parse(request.body).secret);
        return reply.code(204).send();
      }),
    );
  }
}

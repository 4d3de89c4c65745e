import { createHash, randomUUID } from 'node:crypto';
import process from 'node:process';
import { createPostgresBackend, Queue } from 'bullmq';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import pg from 'pg';
import { z } from 'zod';

// A plain API, as written in an afternoon without this project: route, zod, key lookup in the database, one insert into
// one table, `queue.add`. No telemetry, log, row-level security, idempotency, rate limit or ETag. It shares no code and
// no table with Landfall.

const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl, PLAIN_KEY: key = '' } = process.env;

const body = z.object({
  transport_mode: z.enum(['ocean', 'air', 'parcel', 'road', 'rail']),
  carrier: z.string().min(1).max(64),
  identifiers: z.record(z.string(), z.string().max(64)),
  reference: z.string().max(255).optional(),
  tags: z.array(z.string().max(64)).max(20).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

const pool = new pg.Pool({ connectionString: databaseUrl });
const queue =
  redisUrl === undefined
    ? new Queue(
        'plain',
        { connection: { connectionString: databaseUrl, schema: 'plain_queue', migrate: true } },
        createPostgresBackend,
      )
    : new Queue('plain', { connection: { url: redisUrl } });

await pool.query(`
  create schema plain;
  create table plain.api_keys (key_hash text primary key, account_id uuid not null);
  create table plain.shipments (
    id uuid primary key,
    account_id uuid not null,
    transport_mode text not null,
    carrier text not null,
    identifiers jsonb not null,
    reference text,
    tags text[] not null,
    metadata jsonb not null,
    status text not null,
    created_at timestamptz not null default now()
  );
  create index shipments_created_at on plain.shipments (account_id, created_at);
  create index shipments_reference on plain.shipments (account_id, reference);
  create index shipments_status on plain.shipments (account_id, status);`);
await pool.query('insert into plain.api_keys (key_hash, account_id) values ($1, $2)', [hashOf(key), randomUUID()]);

const app = fastify();
app.decorateRequest('accountId', '');
app.addHook('onRequest', authenticate);

app.post('/v1/shipments', async (request, reply) => {
  const parsed = body.safeParse(request.body);
  if (!parsed.success) return reply.status(422).send({ error: parsed.error.issues });
  const { transport_mode, carrier, identifiers, reference = null, tags = [], metadata = {} } = parsed.data;
  const { rows } = await pool.query(
    `insert into plain.shipments (id, account_id, transport_mode, carrier, identifiers, reference, tags, metadata, status)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending') returning *`,
    [randomUUID(), accountOf(request), transport_mode, carrier, identifiers, reference, tags, metadata],
  );
  await queue.add('refresh', { shipmentId: rows[0].id }, { removeOnComplete: true });
  return reply.status(201).send(rows[0]);
});

app.get<{ Params: { id: string } }>('/v1/shipments/:id', async (request, reply) => {
  const { rows } = await pool.query('select * from plain.shipments where id = $1 and account_id = $2', [
    request.params.id,
    accountOf(request),
  ]);
  return rows[0] === undefined ? reply.status(404).send({ error: 'not found' }) : reply.send(rows[0]);
});

process.once('SIGTERM', () => process.exit(0));
process.send?.({ type: 'ready', url: await app.listen({ host: '127.0.0.1', port: 0 }) });

async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const presented = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const { rows } = await pool.query('select account_id from plain.api_keys where key_hash = $1', [hashOf(presented)]);
  if (rows[0] === undefined) return reply.status(401).send({ error: 'unauthorized' });
  request.setDecorator('accountId', rows[0].account_id);
  return undefined;
}

function accountOf(request: FastifyRequest): string {
  return request.getDecorator<string>('accountId');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

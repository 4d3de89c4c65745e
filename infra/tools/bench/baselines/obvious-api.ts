import process from 'node:process';
import { createPostgresBackend, Queue } from 'bullmq';
import fastify from 'fastify';
import pg from 'pg';
import { openApiContext } from '#services/api/context.ts';
import { callerOf, registerAuthentication } from '#services/api/plugins/authenticate.ts';
import { registerRequestLog, registerTrace } from '#services/api/plugins/trace.ts';
import { readEnv, requireMigrationDatabaseUrl } from '#shared/config/env.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { toWireShipment } from '#shared/contract/record/shipment-wire.ts';
import { parseRegisterShipmentBody } from '#shared/contract/registration/register-shipment-body.ts';
import { prepareRegistration } from '#shared/core/registration/prepare-registration.ts';
import { connectorFor, findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { searchText } from '#shared/domain/lists/search-text.ts';
import type { IdentifierKey, Registration } from '#shared/domain/record/shipment.ts';
import { knownContainersOf, matchValues } from '#shared/domain/registration/identifiers.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { runMain } from '#shared/lifecycle.ts';
import { readRows } from '#shared/store/read-rows.ts';
import {
  type StoredShipmentRow,
  shipmentColumns,
  shipmentTables,
  toShipment,
} from '#shared/store/shipments/shipment-row.ts';

// A straightforward API, as a good engineer would write it in an afternoon. Each route validates the body against its
// schema. Each registration is one transaction of plain statements and one job. Each read joins the tables and
// serializes the record to JSON. It uses the same tables, key check, validation, tracing and log line as Landfall, but
// has no rate limits, scopes, ETags, row-level security or leases.

const env = readEnv(process.env);

await runMain(
  async ({ signal, onDispose }) => {
    const ctx = await openApiContext(env, { signal });
    onDispose(ctx.close);
    const databaseUrl = requireMigrationDatabaseUrl(env);
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max: env.DB_POOL_SIZE,
      types: { getTypeParser: readBigintAsNumber },
    });
    pool.on('error', () => undefined);
    onDispose(() => pool.end());
    const queue =
      env.REDIS_URL === null
        ? new Queue(
            'obvious',
            { connection: { connectionString: databaseUrl, schema: 'landfall_queue' } },
            createPostgresBackend,
          )
        : new Queue('obvious', { connection: { url: env.REDIS_URL } });
    queue.on('error', () => undefined);
    onDispose(() => queue.close());
    const app = fastify();

    registerTrace(app);
    registerAuthentication(app, ctx);
    registerRequestLog(app, ctx.logger);

    app.post('/v1/shipments', async (request, reply) => {
      const prepared = prepareRegistration({ test: false }, parseRegisterShipmentBody(request.body));
      if (prepared instanceof Error) throw prepared;
      const { registration, warnings } = prepared;
      const key = request.headers['idempotency-key'];
      const { created, row } = await register(pool, {
        accountId: callerOf(request).accountId,
        registration,
        warnings,
        key: typeof key === 'string' ? key : null,
      });
      if (created) {
        await queue.add(
          'refresh',
          { accountId: row.accountId, shipmentId: row.id },
          { removeOnComplete: true, removeOnFail: true },
        );
      }
      reply.header('location', `/v1/shipments/${toShipmentId(row.id)}`);
      return reply.status(created ? 201 : 200).send(toWireShipment(toShipment(row)));
    });

    app.get<{ Params: { id: string } }>('/v1/shipments/:id', async (request, reply) => {
      const rows = await readRows<StoredShipmentRow>(pool, {
        text: `select ${shipmentColumns} from ${shipmentTables} where s.account_id = $1 and s.id = $2 and s.test = false`,
        values: [callerOf(request).accountId, decodeTypeId('shp', request.params.id)],
      });
      if (rows[0] === undefined) return reply.status(404).send();
      return reply.send(toWireShipment(toShipment(rows[0])));
    });

    const url = await app.listen({ host: env.HOST, port: env.PORT });
    onDispose(() => app.close());
    process.send?.({ type: 'ready', url });
  },
  { deadlineMs: 5000 },
);

type Work = { accountId: string; registration: Registration; warnings: object[]; key: string | null };

async function register(
  pool: pg.Pool,
  { accountId, registration, warnings, key }: Work,
): Promise<{ created: boolean; row: StoredShipmentRow }> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (key !== null) {
      const earlier = await client.query<{ id: string }>(
        `select response ->> 'id' as id from landfall.idempotency where account_id = $1 and route = 'obvious' and key = $2`,
        [accountId, key],
      );
      if (earlier.rows[0] !== undefined)
        return { created: false, row: await read(client, accountId, earlier.rows[0].id) };
    }
    const { identifiers, transportMode, carrier } = registration;
    const entries = Object.entries(identifiers).map(([name, value]) => ({
      name,
      value,
      stored: matchValues(name as IdentifierKey, value, carrier).stored,
    }));
    const existing = await client.query<{ shipment_id: string }>(
      `select shipment_id from landfall.shipment_identifiers
       where account_id = $1 and test = false and transport_mode = $2 and carrier = $3 and match_value = any($4) and open limit 1`,
      [accountId, transportMode, carrier, entries.map((entry) => entry.stored)],
    );
    const known = existing.rows[0]?.shipment_id;
    const id = known ?? (await insert());
    if (key !== null) {
      await client.query(
        `insert into landfall.idempotency (account_id, route, key, body_hash, status, response) values ($1, 'obvious', $2, '', 'done', $3)`,
        [accountId, key, { id }],
      );
    }
    const row = await read(client, accountId, id);
    await client.query('commit');
    return { created: known === undefined, row };

    async function insert(): Promise<string> {
      const carrierName = findCarrier(carrier)?.name ?? carrier;
      const connector = connectorFor(carrier, transportMode);
      const journey = composeJourney(
        { events: [], transportMode, knownContainers: knownContainersOf(identifiers) },
        Date.now(),
      );
      const inserted = await client.query<{ id: string }>(
        `insert into landfall.shipments (account_id, test, transport_mode, service_type, carrier, carrier_name, connector, identifiers,
           reference, tags, metadata, destination_postal_code, status, record, warnings, search_text)
         values ($1, false, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning id`,
        [
          accountId,
          transportMode,
          registration.serviceType,
          carrier,
          carrierName,
          connector,
          identifiers,
          registration.reference,
          registration.tags,
          registration.metadata,
          registration.destinationPostalCode,
          journey.status,
          journey,
          JSON.stringify(warnings),
          searchText({ ...registration, carrierName, journey }),
        ],
      );
      const shipmentId = inserted.rows[0]?.id ?? '';
      for (const entry of entries) {
        await client.query(
          `insert into landfall.shipment_identifiers (account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier)
           values ($1, $2, $3, $4, $5, 'client', false, $6, $7)`,
          [accountId, shipmentId, entry.name, entry.value, entry.stored, transportMode, carrier],
        );
      }
      await client.query(
        `insert into landfall.polling (account_id, shipment_id, connector, next_refresh_at) values ($1, $2, $3, now())`,
        [accountId, shipmentId, connector],
      );
      await client.query(
        `insert into landfall.changes (account_id, type, shipment_id, test, data) values ($1, 'shipment.created', $2, false, $3)`,
        [
          accountId,
          shipmentId,
          { shipment: { id: shipmentId, ...registration, carrierName, journey, warnings }, changes: {} },
        ],
      );
      return shipmentId;
    }
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function read(client: pg.PoolClient, accountId: string, id: string): Promise<StoredShipmentRow> {
  const rows = await readRows<StoredShipmentRow>(client, {
    text: `select ${shipmentColumns} from ${shipmentTables} where s.account_id = $1 and s.id = $2`,
    values: [accountId, id],
  });
  if (rows[0] === undefined) throw new Error('shipment not found');
  return rows[0];
}

function readBigintAsNumber(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

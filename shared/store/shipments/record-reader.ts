import pg from 'pg';
import { batch, type Outcome } from '#shared/async/batch.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Status } from '#shared/domain/record/shipment.ts';
import type { StoredRecord } from '#shared/domain/record/stored-record.ts';
import { unpackText } from '../packing/pack-text.ts';
import { type StoredJourney, unpackJourney } from '../packing/packed-journey.ts';
import { readRows, type Statement } from '../read-rows.ts';
import { isDatabaseUnavailable, unavailabilityOf } from '../store-errors.ts';
import { watchReadOnly } from '../watch-read-only.ts';
import { toShipmentFields } from './shipment-row.ts';

export type RecordSubject = { id: string; test: boolean; shape: number };

export type RecordReader = {
  /**
   * The stored record. Null when the account has no shipment with this id in this mode (test or live). Throws
   * LandfallError `unavailable`.
   */
  read: (accountId: string, subject: RecordSubject) => Promise<StoredRecord | null>;
  close: () => Promise<void>;
};

export type RecordReaderSettings = {
  databaseUrl: string;
  applicationName: string;
  /** Runs a function outside the request's trace, because a statement serves several requests. */
  apart: (work: () => void) => void;
  /** Called for each connection that breaks. The next read opens another one. */
  onError: (error: Error) => void;
  /** Time for which a read-only server is read before the address is tried again. Default: 5 s. */
  renewAfterMs?: number;
};

type RecordRow = Parameters<typeof toShipmentFields>[0] & {
  place: number;
  status: Status;
  packedJourney: Buffer | null;
  /** The text of a row that isn't packed. */
  journeyText: string | null;
  /** Null: there is a text of the shape that was asked for. */
  record: StoredJourney | null;
};

type Read = { accountId: string; subject: RecordSubject };
type Records = readonly Outcome<StoredRecord | null>[];

/** A statement reads up to 32 records by key. */
const statementTimeoutMs = 4000;
const connectTimeoutMs = 5000;
const defaultRenewAfterMs = 5000;
/** While the server runs one statement, the next one is already on the connection. */
const maxStatements = 2;
const maxReads = 32;

/**
 * Reads single records over one connection that all requests share. Reads of one turn of the event loop share a
 * statement, and so do reads that arrive while two statements run. Each statement is a transaction of its own and
 * leaves nothing of an account on the connection.
 */
export function openRecordReader(settings: RecordReaderSettings): RecordReader {
  let opened: Promise<pg.Client> | null = null;
  let isClosed = false;

  const forget = (connection: Promise<pg.Client>): void => {
    if (opened === connection) opened = null;
  };

  const connect = (): Promise<pg.Client> => {
    const client = newClient(settings);
    const connection = client.connect().then(() => client);
    connection.catch(() => forget(connection));
    client.on('error', (error) => {
      forget(connection);
      settings.onError(error);
    });
    client.on('end', () => forget(connection));
    watchReadOnly(client, () => renewLater(connection));
    return connection;
  };

  const renewLater = (old: Promise<pg.Client>): void => {
    const renew = () => void replace(old).catch(() => renewLater(old));
    setTimeout(renew, settings.renewAfterMs ?? defaultRenewAfterMs).unref();
  };

  /** After a failover, the address leads to another server. The old connection serves until the next one is open. */
  const replace = async (old: Promise<pg.Client>): Promise<void> => {
    if (isClosed || opened !== old) return;
    const next = connect();
    await next;
    const isReplaced = !isClosed && opened === old;
    if (isReplaced) opened = next;
    await endAfterReads(await (isReplaced ? old : next));
  };

  const run = async (reads: readonly Read[]): Promise<Records> => {
    try {
      if (isClosed) throw new LandfallError('unavailable', 'The service is stopping.', { retryAfterS: 2 });
      opened ??= connect();
      const rows = await readRows<RecordRow>(await opened, statementOf(reads));
      const found = new Map(rows.map((row) => [row.place, row]));
      return reads.map((read, index) => recordOf(read, found.get(index + 1)));
    } catch (error) {
      if (reads.length === 1 || isDatabaseUnavailable(error)) throw unavailabilityOf(error) ?? error;
      // An error of one read must not fail the other reads of its batch.
      return (await Promise.all(reads.map((read) => run([read]).catch((own: Error): Records => [own])))).flat();
    }
  };

  const read = batch<Read, StoredRecord | null>({
    maxSize: maxReads,
    maxRunning: maxStatements,
    defer: (start) => settings.apart(() => setImmediate(start)),
    run,
  });

  return {
    read: (accountId, subject) => read({ accountId, subject }),
    close: async () => {
      isClosed = true;
      await opened?.then(
        (client) => client.end(),
        () => undefined,
      );
    },
  };
}

function statementOf(reads: readonly Read[]): Statement {
  const listOf = (value: (read: Read) => string | number | boolean) => `{${reads.map(value).join(',')}}`;
  return {
    name: 'read-records',
    text: 'select * from landfall.read_records($1, $2, $3, $4)',
    values: [
      listOf(({ accountId }) => accountId),
      listOf(({ subject }) => subject.id),
      listOf(({ subject }) => subject.test),
      listOf(({ subject }) => subject.shape),
    ],
  };
}

function recordOf({ accountId, subject }: Read, row: RecordRow | undefined): StoredRecord | null {
  if (row === undefined) return null;
  if (row.accountId !== accountId || row.id !== subject.id)
    throw new Error('the database returned a record of another account or shipment');
  return toStoredRecord(row);
}

/** Statements of a connection are answered in their order. */
async function endAfterReads(client: pg.Client): Promise<void> {
  await client.query('select 1').catch(() => undefined);
  await client.end();
}

function newClient({ databaseUrl, applicationName }: RecordReaderSettings): pg.Client {
  return new pg.Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    // The server cancels first. This timeout ends the connection, and all reads waiting on it, when the server doesn't
    // respond.
    query_timeout: statementTimeoutMs + 500,
    options: `-c role=landfall_app -c search_path=landfall -c timezone=UTC -c statement_timeout=${statementTimeoutMs}`,
  });
}

function toStoredRecord(row: RecordRow): StoredRecord {
  return { ...toShipmentFields(row), status: row.status, journey: journeyOf(row) };
}

function journeyOf({ packedJourney, journeyText, record }: RecordRow): StoredRecord['journey'] {
  if (record !== null) return unpackJourney(record, packedJourney);
  if (packedJourney !== null) return unpackText(packedJourney);
  if (journeyText !== null) return journeyText;
  throw new Error('a shipment has no journey');
}

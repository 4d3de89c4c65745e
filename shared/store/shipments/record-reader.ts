import pg from 'pg';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Journey, Status } from '#shared/domain/shipments/shipment.ts';
import type { StoredRecord } from '#shared/domain/shipments/stored-record.ts';
import { isDatabaseUnavailable } from '../store-errors.ts';
import { isoOfText, toShipmentFields } from './shipment-row.ts';

export type RecordSubject = { id: string; test: boolean; shape: number };

export type RecordReader = {
  /** The stored record, or null when this account has none with this id on this side of test mode. Throws LandfallError `unavailable`. */
  read: (accountId: string, subject: RecordSubject) => Promise<StoredRecord | null>;
  close: () => Promise<void>;
};

export type RecordReaderSettings = {
  databaseUrl: string;
  applicationName: string;
  /** Runs something apart from the request that asks for it: the statement belongs to all whose reads it does, and to nobody's trace. */
  apart: (work: () => void) => void;
  /** Told of each connection that broke; the next read opens another. */
  onError: (error: Error) => void;
};

type RecordRow = Parameters<typeof toShipmentFields>[0] & {
  place: number;
  status: Status;
  journey_text: string | null;
  record: Journey | null;
};

type Read = {
  accountId: string;
  subject: RecordSubject;
  resolve: (record: StoredRecord | null) => void;
  reject: (error: unknown) => void;
};

const statementTimeoutMs = 5000;
const connectTimeoutMs = 5000;
/** Statements under way: while the server is at one, the next lies ready for it. */
const mostStatements = 2;
const mostReads = 32;

/**
 * Reads single records over one connection that all requests share. Those of one turn of the event loop, and those that come while two
 * statements are under way, share a statement. It is a transaction of its own: nothing of an account is left on the connection.
 */
export function openRecordReader(settings: RecordReaderSettings): RecordReader {
  let opened: Promise<pg.Client> | null = null;
  let isClosed = false;
  let waiting: Read[] = [];
  let underWay = 0;
  let isAsked = false;

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
    return connection;
  };

  const run = async (reads: readonly Read[]): Promise<void> => {
    try {
      if (isClosed) throw new LandfallError('unavailable', 'The service is stopping.', { retryAfterS: 2 });
      opened ??= connect();
      const { rows } = await (await opened).query<RecordRow>(statementOf(reads));
      const found = new Map(rows.map((row) => [row.place, row]));
      for (const [index, read] of reads.entries()) settle(read, found.get(index + 1));
    } catch (error) {
      // What is wrong with one record shall not be its neighbours' error.
      if (reads.length > 1 && !isDatabaseUnavailable(error)) await Promise.all(reads.map((read) => run([read])));
      else for (const { reject } of reads) reject(publicError(error));
    }
  };

  const send = (): void => {
    isAsked = false;
    while (underWay < mostStatements && waiting.length > 0) {
      const reads = waiting.slice(0, mostReads);
      waiting = waiting.slice(mostReads);
      underWay += 1;
      void run(reads).finally(() => {
        underWay -= 1;
        send();
      });
    }
  };

  return {
    read: (accountId, subject) => {
      const { promise, resolve, reject } = Promise.withResolvers<StoredRecord | null>();
      waiting.push({ accountId, subject, resolve, reject });
      if (!isAsked && underWay < mostStatements) {
        isAsked = true;
        settings.apart(() => setImmediate(send));
      }
      return promise;
    },
    close: async () => {
      isClosed = true;
      await opened?.then(
        (client) => client.end(),
        () => undefined,
      );
    },
  };
}

function statementOf(reads: readonly Read[]): pg.QueryConfig {
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

function settle({ accountId, subject, resolve, reject }: Read, row: RecordRow | undefined): void {
  if (row === undefined) resolve(null);
  else if (row.account_id !== accountId || row.id !== subject.id)
    reject(new Error('a record was read for somebody else'));
  else resolve(toStoredRecord(row));
}

function publicError(error: unknown): unknown {
  if (!isDatabaseUnavailable(error)) return error;
  return new LandfallError('unavailable', 'The database is not available for the moment.', {
    retryAfterS: 2,
    cause: error,
  });
}

function newClient({ databaseUrl, applicationName }: RecordReaderSettings): pg.Client {
  return new pg.Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    // The server cancels first; this one ends the connection, and the wait of everybody on it, when the server itself is gone.
    query_timeout: statementTimeoutMs + 2000,
    options: `-c role=landfall_app -c search_path=landfall -c timezone=UTC -c statement_timeout=${statementTimeoutMs}`,
    types: { getTypeParser: typeParser },
  });
}

function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  if (oid === pg.types.builtins.TIMESTAMPTZ) return isoOfText;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

function toStoredRecord(row: RecordRow): StoredRecord {
  const journey = row.journey_text ?? row.record;
  if (journey === null) throw new Error('a shipment has no journey');
  return { ...toShipmentFields(row), status: row.status, journey };
}

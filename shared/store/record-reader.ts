import pg from 'pg';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Journey, Status } from '#shared/domain/shipment.ts';
import type { StoredRecord } from '#shared/domain/stored-record.ts';
import { type ShipmentRow, toShipment } from './shipment-row.ts';
import { isDatabaseUnavailable } from './store-errors.ts';

export type RecordSubject = { id: string; test: boolean; shape: number };

export type RecordReader = {
  /** The stored record, or null when this account has none with this id on this side of test mode. Throws LandfallError `unavailable`. */
  read: (accountId: string, subject: RecordSubject) => Promise<StoredRecord | null>;
  close: () => Promise<void>;
};

export type RecordReaderSettings = {
  databaseUrl: string;
  applicationName: string;
  /** Told of each connection that broke; the next read opens another. */
  onError: (error: Error) => void;
};

type RecordRow = Omit<ShipmentRow, 'record'> & { status: Status; journey_text: string | null; record: Journey | null };

const statementTimeoutMs = 5000;
const connectTimeoutMs = 5000;

/**
 * Reads single records over one connection that all requests share without waiting for each other's answers. Each read is a statement, and so
 * a transaction, of its own: nothing of an account is left on the connection.
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
    return connection;
  };

  return {
    read: async (accountId, { id, test, shape }) => {
      try {
        if (isClosed) throw new LandfallError('unavailable', 'The service is stopping.', { retryAfterS: 2 });
        opened ??= connect();
        const { rows } = await (await opened).query<RecordRow>({
          name: 'read-record',
          text: 'select * from landfall.read_record($1, $2, $3, $4)',
          values: [accountId, id, test, shape],
        });
        return rows[0] === undefined ? null : toStoredRecord(rows[0]);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        throw new LandfallError('unavailable', 'The database is not available for the moment.', { retryAfterS: 2, cause: error });
      }
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
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

function toStoredRecord(row: RecordRow): StoredRecord {
  const journey = row.journey_text ?? row.record;
  if (journey === null) throw new Error('a shipment has no journey');
  const { journey: _journey, ...columns } = toShipment({ ...row, record: noJourney });
  return { ...columns, status: row.status, journey };
}

/** In place of the journey, which is left as it is stored. */
const noJourney = null as unknown as Journey;

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { asLogin } from '#shared/domain/installation/database-logins.ts';
import type { Store } from '../open-store.ts';

export type FeedListenerSettings = {
  databaseUrl: string;
  applicationName: string;
  /** Feeds that have grown; null: any of them may have. */
  onGrown: (accountIds: readonly string[] | null) => void;
  /** Called when the connection breaks. The next check opens another one. */
  onError: (error: Error) => void;
};

export type FeedListener = {
  /**
   * Returns whether notifications arrive, which the listener finds out by sending some to itself. Behind a pooler that
   * gives each transaction another connection, none ever does.
   */
  isListening: () => boolean;
  /** Connects if there is no connection or nothing arrives on it, and sends the next notification to itself. */
  check: (store: Pick<Store, 'system'>) => Promise<void>;
  close: () => Promise<void>;
};

const channel = 'landfall_feed';
/** Marks the notifications that a listener sends to itself. */
const echo = 'echo:';
const connectTimeoutMs = 5000;

/** Listens for the sequences that sequencers give, over one connection. */
export function openFeedListener(settings: FeedListenerSettings): FeedListener {
  const name = echo + randomUUID();
  let connection: pg.Client | null = null;
  let isListening = false;
  let isEchoMissing = false;
  let isClosed = false;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: asLogin(settings.databaseUrl, 'system'),
      application_name: settings.applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    const forget = (): void => {
      if (connection !== client) return;
      connection = null;
      isListening = false;
    };
    client.on('error', (error) => {
      forget();
      settings.onError(error);
    });
    client.on('end', forget);
    client.on('notification', ({ payload = '' }) => {
      if (payload === name) {
        isListening = true;
        isEchoMissing = false;
      }
      if (!payload.startsWith(echo)) settings.onGrown(payload === '' ? null : payload.split(','));
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (isClosed) await client.end();
    else connection = client;
  };

  return {
    isListening: () => isListening,
    check: async ({ system }) => {
      if (isClosed) return;
      if (connection !== null && isEchoMissing) {
        // It may be lost without either end knowing.
        const lost = connection;
        connection = null;
        isListening = false;
        // It resolves only when the other end closes too, which a lost one does after minutes.
        lost.end().catch(() => undefined);
      }
      if (connection === null) {
        await connect();
        // Earlier notifications may be lost.
        settings.onGrown(null);
      }
      isEchoMissing = true;
      await system.query({ name: 'notify-echo', text: `select pg_notify('${channel}', $1)`, values: [name] });
    },
    close: async () => {
      isClosed = true;
      await connection?.end().catch(() => undefined);
    },
  };
}

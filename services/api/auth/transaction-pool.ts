import type { Store } from '#shared/store/open-store.ts';
import type { Tx } from '#shared/store/with-account.ts';

type Query = (text: string, values?: unknown[]) => Promise<unknown>;

/**
 * A pool for better-auth whose statements run in the transaction of `current`, if there is one. Its own transactions
 * become savepoints there, so that it commits nothing by itself.
 */
export function transactionPool(pool: Store['auth'], current: () => Tx | null): Store['auth'] {
  const connect = async () => {
    const tx = current();
    return tx === null ? pool.connect() : borrowed(tx);
  };
  return { connect, end: async () => undefined, options: pool.options } as unknown as Store['auth'];
}

function borrowed(tx: Tx) {
  const query = tx.query.bind(tx) as unknown as Query;
  return {
    query: (text: string, values: unknown[] = []) => query(savepoints[text] ?? text, values),
    release: () => undefined,
  };
}

const savepoints: Readonly<Record<string, string>> = {
  begin: 'savepoint better_auth',
  commit: 'release savepoint better_auth',
  rollback: 'rollback to savepoint better_auth',
};

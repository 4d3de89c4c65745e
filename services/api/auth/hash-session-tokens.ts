import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth';

type Row = Record<string, unknown>;

/**
 * Stores the SHA-256 of a session's token instead of the token, so that a copy of the database signs nobody in. The
 * token itself is known only to the cookie: a session that is found by it carries it, any other carries the hash.
 */
export function hashSessionTokens(adapter: DBAdapter, hashOf: HashOf): DBAdapter {
  return {
    ...wrapped(adapter, hashOf),
    transaction: (work) => adapter.transaction((within) => work(wrapped(within, hashOf))),
  } as DBAdapter;
}

/** A hex SHA-256. */
export type HashOf = (token: string) => string;

function wrapped<Adapter extends DBTransactionAdapter>(adapter: Adapter, hashOf: HashOf): Adapter {
  return {
    ...adapter,
    create: async (input: Parameters<Adapter['create']>[0]) => {
      const token = input.model === 'session' ? input.data.token : undefined;
      if (typeof token !== 'string') return adapter.create(input);
      const row: Row = await adapter.create({ ...input, data: { ...input.data, token: hashOf(token) } });
      return { ...row, token };
    },
    findOne: (input: Parameters<Adapter['findOne']>[0]) => found(input, hashOf, adapter.findOne),
    findMany: (input: Parameters<Adapter['findMany']>[0]) => adapter.findMany(hashed(input, hashOf)),
    count: (input: Parameters<Adapter['count']>[0]) => adapter.count(hashed(input, hashOf)),
    update: (input: Parameters<Adapter['update']>[0]) => found(input, hashOf, adapter.update),
    updateMany: (input: Parameters<Adapter['updateMany']>[0]) => adapter.updateMany(hashed(input, hashOf)),
    delete: (input: Parameters<Adapter['delete']>[0]) => adapter.delete(hashed(input, hashOf)),
    deleteMany: (input: Parameters<Adapter['deleteMany']>[0]) => adapter.deleteMany(hashed(input, hashOf)),
  };
}

type Input = { model: string; where?: Where[] | undefined };

/** Returns the presented token with the row. */
async function found<Given extends Input, R>(
  input: Given,
  hashOf: HashOf,
  run: (input: Given) => Promise<R>,
): Promise<R> {
  const row = await run(hashed(input, hashOf));
  const presented = input.model === 'session' ? input.where?.find(({ field }) => field === 'token')?.value : undefined;
  return row === null || typeof presented !== 'string' ? row : { ...row, token: presented };
}

function hashed<Given extends Input>(input: Given, hashOf: HashOf): Given {
  if (input.model !== 'session') return input;
  const where = input.where?.map((condition) => {
    if (condition.field !== 'token') return condition;
    const { value } = condition;
    const tokens = Array.isArray(value) ? value.map((token) => hashOf(String(token))) : hashOf(String(value));
    return { ...condition, value: tokens };
  });
  const update: unknown = 'update' in input ? input.update : undefined;
  const token: unknown = Object(update).token;
  return {
    ...input,
    ...(where && { where }),
    ...(typeof token === 'string' && { update: { ...Object(update), token: hashOf(token) } }),
  };
}

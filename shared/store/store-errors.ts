import { LandfallError } from '#shared/domain/errors.ts';

const diskFull = '53100';
const unavailableStates = new Set([
  '57P01',
  '57P02',
  '57P03',
  // The database was dropped, or an idle session timed out.
  '57P04',
  '57P05',
  // A write met a read-only server: a standby that a failover left behind, or one that its operator froze.
  '25006',
  '57014',
  '25P03',
  '55P03',
  // Out of resources: unspecified, disk, memory, connections, a configured limit.
  '53000',
  diskFull,
  '53200',
  '53300',
  '53400',
  // A read or write of a file failed.
  '58030',
]);
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
  // A certificate that expired or was replaced wrongly. The operator renews it without a restart of Landfall.
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
const driverMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
];

/**
 * The error for clients while the database is unavailable: LandfallError `unavailable` or `storage_full`. Null: the
 * error has another reason.
 */
export function unavailabilityOf(error: unknown): LandfallError | null {
  if (!isDatabaseUnavailable(error)) return null;
  return isDiskFull(error)
    ? new LandfallError('storage_full', 'The storage is full. Nothing was written. Retry later.', {
        retryAfterS: 30,
        cause: error,
      })
    : new LandfallError('unavailable', 'Service temporarily unavailable.', { retryAfterS: 2, cause: error });
}

/** True when a write failed because the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === diskFull;
}

/**
 * True for a refused, broken or timed-out connection, a server that is starting, stopping, read-only or out of
 * resources, and a cancelled statement. A retry on another connection may succeed.
 */
export function isDatabaseUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (
    code !== null &&
    (unavailableStates.has(code) || networkCodes.has(code) || /^(08[0-9A-Z]{3}|ERR_SSL_.+)$/.test(code))
  )
    return true;
  return driverMessages.some((text) => error.message.includes(text));
}

/** True for a statement that exceeded its timeout, but not for one whose client disconnected. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '57014' && error.message.includes('statement timeout');
}

/** True when the write violated one of the named unique constraints or indexes. */
export function isUniqueViolation(error: unknown, constraints: readonly string[]): boolean {
  if (!(error instanceof Error) || codeOf(error) !== '23505') return false;
  return 'constraint' in error && typeof error.constraint === 'string' && constraints.includes(error.constraint);
}

/** True when the write violated one of the named foreign keys. */
export function isForeignKeyViolation(error: unknown, constraints: readonly string[]): boolean {
  if (!(error instanceof Error) || codeOf(error) !== '23503') return false;
  return 'constraint' in error && typeof error.constraint === 'string' && constraints.includes(error.constraint);
}

/** True when the transaction conflicted with another one and can be retried. */
export function isTransactionConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === '40P01' || code === '40001';
}

/** True when the values themselves are why the statement failed: Postgres can't hold them, or a column refuses them. */
export function isUnstorable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /^(22[0-9A-Z]{3}|54[0-9A-Z]{3}|23502|23514)$/.test(codeOf(error) ?? '');
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

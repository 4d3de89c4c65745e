import { type ErrorCode, LandfallError } from '#shared/domain/errors.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { RawParams } from '../operation.ts';

/**
 * Parses the public id in a path into its uuid. A malformed id is treated like an unknown one. Throws LandfallError
 * with the given code.
 */
export function parseId(
  params: RawParams,
  name: string,
  { prefix, code, detail }: { prefix: string; code: ErrorCode; detail: string },
): string {
  const uuid = decodeTypeId(prefix, params[name] ?? '');
  if (uuid === null) throw new LandfallError(code, detail);
  return uuid;
}

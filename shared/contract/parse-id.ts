import { type ErrorCode, LandfallError } from '#shared/domain/errors.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { RawParams } from './operation.ts';

/**
 * Reads the public id in a path into its uuid. Text that is not such an id is treated like an unknown id, so that a client can't tell them
 * apart. Throws LandfallError with the given code.
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

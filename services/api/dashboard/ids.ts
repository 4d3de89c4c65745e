import type { FastifyRequest } from 'fastify';
import { type ErrorCode, LandfallError } from '#shared/domain/errors.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';

const named = {
  member_id: { prefix: 'user', code: 'member_not_found', detail: 'The account has no member with this id.' },
  invite_id: { prefix: 'inv', code: 'invite_not_found', detail: 'The account has no open invitation with this id.' },
  session_id: { prefix: 'ses', code: 'session_not_found', detail: 'You have no session with this id.' },
} as const satisfies Record<string, { prefix: string; code: ErrorCode; detail: string }>;

/** The uuid in the path. Text that is no id reads like something that is not there. */
export function idOf(request: FastifyRequest, name: keyof typeof named): string {
  const { prefix, code, detail } = named[name];
  const { [name]: text = '' } = request.params as Record<string, string>;
  const uuid = decodeTypeId(prefix, text);
  if (uuid === null) throw new LandfallError(code, detail);
  return uuid;
}

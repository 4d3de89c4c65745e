export type RpcId = string | number;
export type RpcRequest = { jsonrpc: '2.0'; id: RpcId; method: string; params?: Record<string, unknown> };
export type RpcError = { code: number; message: string; data?: unknown };
export type RpcAnswer = { jsonrpc: '2.0'; id: RpcId | null; result?: unknown; error?: RpcError };

/**
 * A message from a client. Landfall sends clients no requests, so their responses are ignored. `invalid` has the id if
 * it is readable.
 */
export type RpcMessage =
  | { kind: 'request'; request: RpcRequest }
  | { kind: 'notification' }
  | { kind: 'response' }
  | { kind: 'invalid'; id: RpcId | null };

/** Error codes of JSON-RPC 2.0 (section 5.1) and MCP. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  resourceNotFound: -32_002,
  unsupportedVersion: -32_022,
} as const;

/** Replaces the errors of the SDKs, which contain the dump of their schema library. */
export const misfit: RpcError = { code: rpcCodes.invalidParams, message: 'Invalid params for this method' };

/**
 * Reads a JSON-RPC 2.0 message with the restrictions of MCP: ids are strings or integers, params an object. Unknown
 * members are dropped.
 */
export function readRpcMessage(value: unknown): RpcMessage {
  if (!isObject(value)) return { kind: 'invalid', id: null };
  const { jsonrpc, id, method, params } = value;
  const readableId = isRpcId(id) ? id : null;
  const invalid = { kind: 'invalid', id: readableId } as const;
  if (jsonrpc !== '2.0') return invalid;
  if (method === undefined) return isResponse(value) ? { kind: 'response' } : invalid;
  const hasParams = params !== undefined && params !== null;
  if (typeof method !== 'string' || (hasParams && !isObject(params))) return invalid;
  if (id === undefined) return { kind: 'notification' };
  if (readableId === null) return invalid;
  return { kind: 'request', request: { jsonrpc, id: readableId, method, ...(hasParams ? { params } : {}) } };
}

export function rpcErrorAnswer(id: RpcId | null, error: RpcError): RpcAnswer {
  return { jsonrpc: '2.0', id, error };
}

/** The `_meta` of a message's params; empty if there is none. */
export function metaOf(message: unknown): Record<string, unknown> {
  if (!isObject(message) || !isObject(message.params)) return {};
  const { _meta: meta } = message.params;
  return isObject(meta) ? meta : {};
}

function isResponse(value: Record<string, unknown>): boolean {
  if ('result' in value) return isRpcId(value.id) && isObject(value.result) && !('error' in value);
  return isObject(value.error) && (value.id === null || value.id === undefined || isRpcId(value.id));
}

/** A number beyond 2^53 would be echoed incorrectly. */
function isRpcId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

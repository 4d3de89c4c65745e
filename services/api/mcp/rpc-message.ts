export type RpcId = string | number;
export type RpcRequest = { jsonrpc: '2.0'; id: RpcId; method: string; params?: Record<string, unknown> };
export type RpcError = { code: number; message: string; data?: unknown };
export type RpcAnswer = { jsonrpc: '2.0'; id: RpcId | null; result?: unknown; error?: RpcError };

/** What a client posted. Nothing is ever asked of clients, so what they answer is of no use; `invalid` names the id when it can be read. */
export type RpcMessage =
  | { kind: 'request'; request: RpcRequest }
  | { kind: 'notification' }
  | { kind: 'response' }
  | { kind: 'invalid'; id: RpcId | null };

/** Codes of JSON-RPC 2.0, section 5.1, and of MCP. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  unsupportedVersion: -32_022,
} as const;

/** In place of what the SDKs say of params: their schema library's dump. */
export const misfit: RpcError = { code: rpcCodes.invalidParams, message: 'params do not fit this method' };

/** Reads one message of JSON-RPC 2.0 as MCP narrows it: ids are texts or whole numbers, params an object. Unknown members are left out. */
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

/** The `_meta` of a message's params; empty when there is none. */
export function metaOf(message: unknown): Record<string, unknown> {
  if (!isObject(message) || !isObject(message.params)) return {};
  const { _meta: meta } = message.params;
  return isObject(meta) ? meta : {};
}

function isResponse(value: Record<string, unknown>): boolean {
  if ('result' in value) return isRpcId(value.id) && isObject(value.result) && !('error' in value);
  return isObject(value.error) && (value.id === null || value.id === undefined || isRpcId(value.id));
}

/** A number past 2^53 would be echoed as another one. */
function isRpcId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { inSpan } from '#shared/telemetry/events.ts';
import { durationHistogram } from '#shared/telemetry/metrics.ts';
import { isTool } from './call-tool.ts';
import { protocolVersions } from './protocol-versions.ts';
import { metaOf, type RpcRequest } from './rpc-message.ts';

// Buckets, names and attributes: OpenTelemetry's semantic conventions for MCP.
const durations = durationHistogram('mcp.server.operation.duration', {
  description: 'How long a request of MCP took, from its arrival to its answer',
  bucketsS: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
});

const methods: readonly string[] = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover'];
/** What the conventions put for a value that is not known beforehand: a client must not be able to make up series and span names. */
const otherMethod = '_OTHER';

/**
 * Runs one request in a server span of its own, linked to the trace that the client named in `_meta`, and measures it. `errorTypeOf` says
 * what is wrong with the answer, a JSON-RPC code or `tool_error`; null: nothing.
 */
export async function observeRequest<T>(
  request: RpcRequest,
  protocolVersion: string | null,
  work: { run: () => Promise<T>; errorTypeOf: (answer: T) => string | null },
): Promise<T> {
  const startedAtMs = performance.now();
  const method = methods.includes(request.method) ? request.method : otherMethod;
  const tool = method === 'tools/call' && isTool(request.params?.name) ? request.params.name : null;
  const version = versionOf(request, protocolVersion);
  const attributes = {
    'mcp.method.name': method,
    ...(method === 'tools/call' ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...(tool === null ? {} : { 'gen_ai.tool.name': tool }),
    ...(version === null ? {} : { 'mcp.protocol.version': version }),
  };
  const { traceparent } = metaOf(request);
  const links = typeof traceparent === 'string' ? [traceparent] : [];
  return inSpan(tool === null ? method : `${method} ${tool}`, { kind: 'server', attributes, links }, async (span) => {
    const answer = await work.run();
    const errorType = work.errorTypeOf(answer);
    if (errorType !== null) span.setAttribute('error.type', errorType);
    durations.recordSince(startedAtMs, errorType === null ? attributes : { ...attributes, 'error.type': errorType });
    return answer;
  });
}

/** `initialize` comes before the header: what is agreed on is named in the body. */
function versionOf(request: RpcRequest, header: string | null): string | null {
  const asked = request.method === 'initialize' ? request.params?.protocolVersion : header;
  return protocolVersions.find((version) => version === asked) ?? null;
}

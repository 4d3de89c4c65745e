import { inSpan } from '#shared/telemetry/events.ts';
import { recordSeconds } from '#shared/telemetry/instruments.ts';
import { isTool } from './call-tool.ts';
import { protocolVersions } from './protocol-versions.ts';
import { metaOf, type RpcRequest } from './rpc-message.ts';

const methods: readonly string[] = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
];
/** The conventional placeholder for unknown values. Clients must not be able to create metric series and span names. */
const otherMethod = '_OTHER';

/**
 * Runs one request in its own server span, linked to the trace that the client named in `_meta`, and measures it.
 * `errorTypeOf` returns the error of a response, a JSON-RPC code or `tool_error`, or null.
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
    recordSeconds('mcp.server.operation.duration', (performance.now() - startedAtMs) / 1000, {
      ...attributes,
      ...(errorType === null ? {} : { 'error.type': errorType }),
    });
    return answer;
  });
}

/** `initialize` negotiates the version in its body; the header comes later. */
function versionOf(request: RpcRequest, header: string | null): string | null {
  const asked = request.method === 'initialize' ? request.params?.protocolVersion : header;
  return protocolVersions.find((version) => version === asked) ?? null;
}

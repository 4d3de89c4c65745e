import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import { buildProblem } from '#shared/contract/problem.ts';
import { type ErrorCode, LandfallError } from '#shared/domain/errors.ts';
import { currentTraceId } from '#shared/telemetry/events.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import { newRequestId } from './request-id.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** More parameters of the challenge: where a client finds out how to get a token. */
    bearerHint?: string;
  }
}

const problemType = 'application/problem+json; charset=utf-8';
const unavailableRetryS = 2;
/** A longer unread body is not drained; the connection closes after the response. */
const maxDrainedBytes = 65_536;

const frameworkFailures: Record<string, { code: ErrorCode; detail: string }> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_json',
    detail: 'The length of the body does not match Content-Length.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'invalid_json', detail: 'The body is empty. Send a JSON object.' },
  FST_ERR_BAD_URL: { code: 'validation_failed', detail: 'The URL is not valid percent-encoding.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'uri_too_long', detail: 'The URL exceeds 8 KiB.' },
};

const clientFailures: Record<string, { code: ErrorCode; detail: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The URL and headers together exceed 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request did not arrive in time.' },
};

/** Sends every error as problem JSON. Unexpected errors are logged and not exposed. */
export function registerErrors(app: FastifyInstance, logger: Logger): void {
  // A listening socket that can't accept a connection must not end the process. Before it listens, `listen` rejects.
  app.server.on('error', (error) => {
    if (app.server.listening) logger.error({ err: error }, 'listening socket failed');
  });
  app.setErrorHandler((error, request, reply) => sendProblem(reply, failureOf(error, request, logger)));
}

/** The expected failure behind any thrown value. */
export function failureOf(error: unknown, request: FastifyRequest, logger: Logger): LandfallError {
  if (error instanceof LandfallError) {
    if (error.code === 'internal_error') logger.error({ err: error, request_id: request.id }, 'request failed');
    if (error.code === 'unavailable' || error.code === 'storage_full')
      logger.warn({ err: error, request_id: request.id }, 'request failed: dependency unavailable');
    return error;
  }
  const refused = isFrameworkError(error) ? refusedBody(error.code, request) : null;
  if (refused !== null) return refused;
  const framework = isFrameworkError(error) ? frameworkFailures[error.code] : undefined;
  if (framework !== undefined) return new LandfallError(framework.code, framework.detail);
  if (isFrameworkError(error) && error.code === 'ECONNRESET')
    return new LandfallError('invalid_json', 'The body ended early.');
  logger.error({ err: error, request_id: request.id }, 'request failed');
  return new LandfallError('internal_error', 'Internal error. If it persists, report the request_id.');
}

/** Names the limits of the operation. */
function refusedBody(code: string, request: FastifyRequest): LandfallError | null {
  const { config, bodyLimit } = request.routeOptions;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const limit = `The body exceeds ${Math.round((bodyLimit ?? 65_536) / 1024)} KiB.`;
    const hint = config?.operation?.body?.tooLarge;
    return new LandfallError('payload_too_large', hint === undefined ? limit : `${limit} ${hint}`);
  }
  if (code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return null;
  const types = config?.operation?.body?.mediaTypes ?? ['application/json'];
  return new LandfallError('unsupported_media_type', `Send the body with Content-Type: ${types.join(' or ')}.`);
}

/** Sends the error as a problem document. */
export function sendProblem(reply: FastifyReply, failure: LandfallError): FastifyReply {
  const status = errorCatalogue[failure.code].status;
  const retryAfterS = failure.retryAfterS ?? (status === 503 ? unavailableRetryS : null);
  if (retryAfterS !== null) reply.header('retry-after', String(Math.ceil(retryAfterS)));
  const challenge = challengeOf(failure, reply.request.routeOptions.config?.bearerHint);
  if (challenge !== null) reply.header('www-authenticate', challenge);
  if (leavesLongBodyUnread(reply.request)) reply.header('connection', 'close');
  // A compressed stream may fail before its first bytes.
  reply.removeHeader('content-encoding');
  return reply
    .status(status)
    .header('content-type', problemType)
    .send(JSON.stringify(problemOf(failure, reply.request.id)));
}

/**
 * Answers input that never became a request: invalid HTTP, oversized headers, a request that did not arrive in time.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // A client that has not read its last response would not read this one.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  const known = clientFailures[error.code ?? ''] ?? {
    code: 'validation_failed' as const,
    detail: 'Invalid HTTP request.',
  };
  endWithProblem(socket, new LandfallError(known.code, known.detail));
}

/** Answers what no request was read of, and closes the connection. */
export function endWithProblem(socket: Socket, failure: LandfallError): void {
  const requestId = newRequestId();
  const body = JSON.stringify(problemOf(failure, requestId));
  const head = [
    `HTTP/1.1 ${errorCatalogue[failure.code].status} ${failure.code}`,
    `content-type: ${problemType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...(failure.retryAfterS === null ? [] : [`retry-after: ${failure.retryAfterS}`]),
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

function problemOf(failure: LandfallError, requestId: string) {
  return buildProblem({
    code: failure.code,
    detail: failure.message,
    requestId,
    traceId: currentTraceId(),
    mistakes: failure.mistakes,
    shipmentIds: failure.shipmentIds,
  });
}

function challengeOf(failure: LandfallError, bearerHint = ''): string | null {
  const status = errorCatalogue[failure.code].status;
  if (failure.code === 'missing_api_key') return `Bearer realm="landfall"${bearerHint}`;
  // A 401 requires a challenge (RFC 9110), and no registered scheme matches how carriers sign.
  if (failure.code === 'invalid_signature') return 'Signature realm="landfall"';
  // A scheme that browsers don't know, because they would show a password prompt.
  if (failure.code === 'not_signed_in' || failure.code === 'wrong_password') return 'Session realm="landfall"';
  if (status === 401) return `Bearer realm="landfall", error="invalid_token"${bearerHint}`;
  return failure.code === 'insufficient_scope'
    ? `Bearer realm="landfall", error="insufficient_scope"${bearerHint}`
    : null;
}

function leavesLongBodyUnread(request: FastifyRequest): boolean {
  if (request.raw.complete) return false;
  const length = request.headers['content-length'];
  return length === undefined ? request.headers['transfer-encoding'] !== undefined : Number(length) > maxDrainedBytes;
}

function isFrameworkError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

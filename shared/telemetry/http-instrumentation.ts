import { IncomingMessage } from 'node:http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { spanContextOf } from './traceparent.ts';

const unwatchedPaths = new Set(['/livez', '/readyz']);

/** Incoming requests only: every one begins its own trace, linked to the one the client named in `traceparent`. */
export function createHttpInstrumentation(): HttpInstrumentation {
  return new HttpInstrumentation({
    disableOutgoingRequestInstrumentation: true,
    ignoreIncomingRequestHook: (request) => request.method === 'OPTIONS' || unwatchedPaths.has(request.url?.split('?', 1)[0] ?? ''),
    requestHook: (span, request) => {
      if (!(request instanceof IncomingMessage)) return;
      const claimed = request.headers.traceparent;
      const client = typeof claimed === 'string' ? spanContextOf(claimed) : null;
      if (client !== null) span.addLink({ context: client });
    },
  });
}

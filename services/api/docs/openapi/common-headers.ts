import type { ZodOpenApiHeaderObject } from 'zod-openapi';

/** Headers of several responses, by name. */
export const commonHeaders: Record<string, ZodOpenApiHeaderObject> = {
  'X-Request-Id': {
    description: 'Id of the request. Include it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9a-hjkmnp-tv-z]{26}$', examples: ['req_01kahf3m2xfr5tq4d8z9w6c7yb'] },
  },
  'X-Trace-Id': {
    description: 'Trace of the request in the telemetry of the installation. Absent if it was not traced.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$', examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] },
  },
  RateLimit: {
    description:
      'Remaining requests (`r`) and seconds until the limit resets (`t`). On 401: for failed sign-ins of the IP ' +
      'address.',
    schema: { type: 'string', examples: ['"read";r=5999;t=60'] },
  },
  'RateLimit-Policy': {
    description: 'Rate limit: `q` requests per `w` seconds. On 401: `q` failed sign-ins.',
    schema: { type: 'string', examples: ['"read";q=6000;w=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$', examples: ['2'] },
  },
  'WWW-Authenticate': {
    description: 'Authentication scheme.',
    required: true,
    schema: { type: 'string', examples: ['Bearer realm="landfall"'] },
  },
};

/** On every response. */
export const everywhere = ['X-Request-Id', 'X-Trace-Id', 'RateLimit', 'RateLimit-Policy'] as const;

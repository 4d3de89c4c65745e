import type { ZodOpenApiHeaderObject } from 'zod-openapi';

/** Headers that more than one answer has, by name. */
export const commonHeaders: Record<string, ZodOpenApiHeaderObject> = {
  'X-Request-Id': {
    description: 'The id of the request: name it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9a-hjkmnp-tv-z]{26}$', examples: ['req_01kahf3m2xfr5tq4d8z9w6c7yb'] },
  },
  'X-Trace-Id': {
    description: 'The trace of the request in the installation’s telemetry. Absent when it was not traced.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$', examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] },
  },
  RateLimit: {
    description:
      'What is left of the allowance (`r`) and the seconds until it is whole again (`t`). On 401: of the address, for failed sign-ins.',
    schema: { type: 'string', examples: ['"read";r=5999;t=60'] },
  },
  'RateLimit-Policy': {
    description: 'The allowance: `q` requests in `w` seconds. On 401: `q` failed sign-ins.',
    schema: { type: 'string', examples: ['"read";q=6000;w=60'] },
  },
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$', examples: ['2'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', examples: ['Bearer realm="landfall"'] },
  },
};

/** On every answer. */
export const everywhere = ['X-Request-Id', 'X-Trace-Id', 'RateLimit', 'RateLimit-Policy'] as const;

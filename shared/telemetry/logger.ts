import { type DestinationStream, type Logger, pino } from 'pino';
import { currentIds } from './events.ts';
import { openLineOutput } from './line-output.ts';
import { createRepeatHook } from './repeated-warnings.ts';

export type { Logger } from 'pino';

export type LoggerSettings = {
  name: string;
  level: string;
  /** `auto` is pretty in a terminal and JSON lines elsewhere. */
  format?: 'auto' | 'json' | 'pretty';
  /** Receives JSON lines instead of standard output. */
  destination?: DestinationStream;
};

const secretFields = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-api-key"]',
  '["consumer-key"]',
  'apiKey',
  'api_key',
  'secret',
  'clientSecret',
  'password',
  'token',
];

/**
 * Creates a logger that adds the ids of the active trace to each line, redacts secrets of callers and carriers, and
 * writes repeated warnings once a minute.
 */
export function createLogger(settings: LoggerSettings): Logger {
  const options = {
    name: settings.name,
    level: settings.level,
    redact: {
      paths: secretFields.flatMap((field) => [field, under('*', field), under('*.*', field)]),
      censor: '[redacted]',
    },
    mixin: traceIds,
    hooks: { logMethod: createRepeatHook() },
  };
  if (settings.destination !== undefined) return pino(options, settings.destination);
  if (!isPretty(settings.format ?? 'auto'))
    return pino(options, openLineOutput(pino.destination({ fd: 1, sync: true })));
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { ignore: 'pid,hostname,trace_id,span_id', translateTime: 'SYS:HH:MM:ss' },
    },
  });
}

function under(parent: string, field: string): string {
  return field.startsWith('[') ? `${parent}${field}` : `${parent}.${field}`;
}

function traceIds(): Record<string, string> {
  const ids = currentIds();
  return ids === null ? {} : { trace_id: ids.traceId, span_id: ids.spanId };
}

function isPretty(format: 'auto' | 'json' | 'pretty'): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true);
}

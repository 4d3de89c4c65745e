import type { LogFn, Logger, LoggerOptions } from 'pino';

export type RepeatSettings = {
  /** Interval at which a repeated warning is written. Default: a minute. */
  everyMs?: number;
};

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;
type Warning = { fields: Record<string, unknown>; error: Error & { code?: unknown }; text: string };

const warnLevel = 40;
const minuteMs = 60_000;
/** Kinds of warnings that are counted at the same time. Others are written in full. */
const maxKinds = 200;
/** Warnings that differ in these fields are of different kinds. One cause has many ids. */
const kindFields = ['job', 'connector', 'queue'];
const variable = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\d+/gi;

/**
 * Writes a warning with an error in full once, then its repetitions as one line a minute with their count, without a
 * stack. On a busy machine the same few warnings come thousands of times a minute. After a minute without one, the next
 * is written in full again. A warning of a request is always written, so that its client's request id is found.
 */
export function createRepeatHook({ everyMs = minuteMs }: RepeatSettings = {}): LogMethod {
  const kinds = new Map<string, { repeated: number; last: Warning }>();
  return function writeOnce(this: Logger, given: Parameters<LogFn>, method: LogFn, level: number): void {
    const warning = level === warnLevel ? warningOf(given) : null;
    if (warning === null) {
      method.apply(this, given);
      return;
    }
    const key = kindOf(warning);
    const known = kinds.get(key);
    if (known !== undefined && 'request_id' in warning.fields) {
      method.call(this, shortFields(warning), warning.text);
      return;
    }
    if (known !== undefined) {
      known.repeated += 1;
      known.last = warning;
      return;
    }
    method.apply(this, given);
    if (kinds.size >= maxKinds) return;
    const kind = { repeated: 0, last: warning };
    kinds.set(key, kind);
    const timer = setInterval(() => {
      if (kind.repeated === 0) {
        clearInterval(timer);
        kinds.delete(key);
        return;
      }
      method.call(this, { ...shortFields(kind.last), repeated: kind.repeated }, kind.last.text);
      kind.repeated = 0;
    }, everyMs);
    timer.unref();
  };
}

/** The fields without a stack: the serializer of `err` would add it. */
function shortFields({ fields, error }: Warning): Record<string, unknown> {
  return { ...fields, error: String(error), ...(error.code === undefined ? {} : { code: error.code }) };
}

function warningOf([fields, text]: readonly unknown[]): Warning | null {
  if (typeof fields !== 'object' || fields === null || !('err' in fields) || typeof text !== 'string') return null;
  const { err, ...others } = fields;
  return err instanceof Error ? { fields: others, error: err, text } : null;
}

function kindOf({ fields, error, text }: Warning): string {
  const message = error.message.replaceAll(variable, '#');
  return JSON.stringify([text, error.name, error.code, message, ...kindFields.map((field) => fields[field])]);
}

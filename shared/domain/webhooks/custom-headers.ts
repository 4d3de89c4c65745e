import { maxHeaderBytes, maxHeaders } from './endpoint.ts';

/** A token of RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, space and tab (RFC 9110, section 5.5), not beginning or ending with a space. */
const fieldValue = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Set by the delivery, or about the connection. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'traceparent',
  'tracestate',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const ownPrefixes = ['webhook-', 'proxy-', 'sec-', ':'];

export type HeaderMistake = { name: string; code: string; detail: string };

/** Returns the mistakes in custom headers. Details name the header, never its value. */
export function headerMistakes(headers: Readonly<Record<string, string>>): HeaderMistake[] {
  const names = Object.keys(headers);
  if (names.length > maxHeaders) {
    return [{ name: '', code: 'too_long', detail: `headers must have at most ${maxHeaders} entries.` }];
  }
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const isRepeated = seen.has(lower);
    seen.add(lower);
    const mistake = isRepeated
      ? { code: 'repeated', detail: 'occurs more than once. Header names are case-insensitive.' }
      : mistakeIn(lower, value);
    const shown = name.length <= 64 ? name : `${name.slice(0, 61)}...`;
    return mistake === null ? [] : [{ name, code: mistake.code, detail: `headers.${shown} ${mistake.detail}` }];
  });
}

function mistakeIn(name: string, value: string): { code: string; detail: string } | null {
  if (!token.test(name)) {
    return { code: 'invalid_name', detail: 'is not a valid header name: letters, digits and hyphens (RFC 9110).' };
  }
  if (ownHeaders.has(name) || ownPrefixes.some((prefix) => name.startsWith(prefix))) {
    return { code: 'reserved_name', detail: 'is set by Landfall or controls the connection. Choose another name.' };
  }
  if (name.length > maxHeaderBytes || value.length > maxHeaderBytes) {
    return { code: 'too_long', detail: `must have at most ${maxHeaderBytes} bytes in its name and in its value.` };
  }
  if (!fieldValue.test(value)) {
    return {
      code: 'invalid_text',
      detail: 'must be printable ASCII without line breaks or spaces at its ends, and not empty.',
    };
  }
  return null;
}

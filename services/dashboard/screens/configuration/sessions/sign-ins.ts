import { queryOptions } from '@tanstack/react-query';
import type { WireSignIns } from '#shared/contract/people/session-wire.ts';
import { call } from '../../../api/call.ts';

/** A place where one is signed in. */
export type SignIn = WireSignIns['data'][number];

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async () => (await call('listSignIns')).data,
});

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox on Windows`, as far as the browser says; only to recognise one's own by. */
export function deviceWords(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device';
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return system ?? userAgent.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}

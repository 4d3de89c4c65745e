import { queryOptions } from '@tanstack/react-query';
import type { WireSignIns } from '#shared/contract/members/session-wire.ts';
import { call } from '../../../api/call.ts';

export type SignIn = WireSignIns['data'][number];

/** The sessions of the signed-in user. */
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

/** `Firefox on Windows`, as the browser states it. Only helps to recognize one's own device. */
export function deviceWords(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device';
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return system ?? userAgent.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}

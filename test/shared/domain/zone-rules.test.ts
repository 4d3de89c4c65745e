import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { checkTimeZones } from '#infra/doctor/check-time-zones.ts';
import { zoneWords } from '#services/dashboard/parts/time-words.ts';
import { momentOf } from '#services/worker/alerts/message-words.ts';
import type { OutgoingMessage } from '#shared/domain/alerts/outgoing.ts';
import { instantOf, isTimezone, offsetAt } from '#shared/domain/instant-of.ts';
import { zoneRulesRelease } from '#shared/domain/zone-rules.ts';
import { fileText, repositoryPath } from '#test/support/repository.ts';

type Packed = { version: string; zones: string[]; links: string[] };
const packed = createRequire(import.meta.url)('moment-timezone/data/packed/latest.json') as Packed;
const hourMs = 3_600_000;

/** By the release notes of tzdata 2026a to 2026f. */
it.each([
  ['America/Winnipeg', '2026-12-15T12:00', '2026-12-15T17:00:00.000Z'],
  ['Canada/Central', '2026-12-15T12:00', '2026-12-15T17:00:00.000Z'],
  ['America/Inuvik', '2026-12-15T12:00', '2026-12-15T18:00:00.000Z'],
  ['America/Havana', '2026-12-15T12:00', '2026-12-15T16:00:00.000Z'],
  ['America/Havana', '2027-12-15T12:00', '2027-12-15T17:00:00.000Z'],
  ['America/Vancouver', '2026-12-15T12:00', '2026-12-15T19:00:00.000Z'],
  ['America/Edmonton', '2026-12-15T12:00', '2026-12-15T18:00:00.000Z'],
  ['america/winnipeg', '2025-12-15T12:00', '2025-12-15T18:00:00.000Z'],
  ['America/Toronto', '2026-12-15T12:00', '2026-12-15T17:00:00.000Z'],
])('a clock in %s of %s is %s', (zone, local, instant) => {
  expect(new Date(instantOf(Date.parse(`${local}Z`), zone) ?? 0).toISOString()).toBe(instant);
});

it('gives every zone the offsets of the release it names, through 2037', () => {
  expect(packed.version).toBe(zoneRulesRelease);
  const links = packed.links.map((link) => link.split('|') as [string, string]);
  const differing = packed.zones.flatMap((zone) => {
    const changes = changesOf(zone);
    const names = [changes.name, ...links.filter(([target]) => target === changes.name).map(([, alias]) => alias)];
    // Runtimes that bundle the database without its historic names know fewer of them.
    return names.filter((name) => isTimezone(name) && changes.at.some(([ms, offset]) => offsetAt(name, ms) !== offset));
  });
  expect(differing).toEqual([]);
});

/** An hour before and after each change from 2026 to 2037, and each January and July, with the offset at that time. */
function changesOf(text: string): { name: string; at: [number, number][] } {
  const [name = '', , offsets = '', indices = '', gaps = ''] = text.split('|');
  const minutes = offsets.split(' ').map(base60);
  const order = [...indices].map(base60);
  let sum = 0;
  const untils = gaps === '' ? [] : gaps.split(' ').map((gap) => (sum += Math.round(base60(gap) * 60_000)));
  const [firstMs, lastMs] = [Date.UTC(2026, 0, 1), Date.UTC(2038, 0, 1)];
  const sampled = [
    ...untils.filter((ms) => ms > firstMs && ms < lastMs).flatMap((ms) => [ms - hourMs, ms + hourMs]),
    ...Array.from({ length: 12 }, (_, year) => [Date.UTC(2026 + year, 0, 1), Date.UTC(2026 + year, 6, 1)]).flat(),
  ];
  const offsetOf = (ms: number) => {
    const index = untils.findIndex((until) => ms < until);
    return -(minutes[order.at(index === -1 ? -1 : index) ?? 0] ?? 0) * 60_000;
  };
  return { name, at: sampled.map((ms) => [ms, offsetOf(ms) + 0]) };
}

/** The number format of moment-timezone: base 60 with `0-9a-zA-X`, and fractions. */
function base60(text: string): number {
  const digit = (letter: string) => '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'.indexOf(letter);
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const large = [...whole].reduce((value, letter) => value * 60 + digit(letter), 0);
  const small = [...fraction].reduce((value, letter, index) => value + digit(letter) / 60 ** (index + 1), 0);
  return (text.startsWith('-') ? -1 : 1) * (large + small);
}

/** PostgreSQL has its own copy of the database, as old as the server. Only UTC is the same everywhere. */
it('computes no local time in SQL', () => {
  const paths = globSync('{shared,services,infra/migrations}/**/*.{ts,sql}', { cwd: repositoryPath('.') });
  const offending = paths.flatMap((path) =>
    [...fileText(path).matchAll(/at time zone\s+(\S+)/gi)]
      .filter(([found]) => !/'UTC'/.test(found))
      .map(([found]) => `${path}: ${found}`),
  );
  expect(offending).toEqual([]);
});

it('names no summer time in a winter of the newer rules', () => {
  expect(zoneWords('2026-12-15T19:00:00.000Z', 'America/Vancouver')).toBe('GMT-7');
  expect(zoneWords('2026-12-15T17:00:00.000Z', 'America/Winnipeg')).toBe('GMT-5');
  expect(zoneWords('2026-12-15T17:00:00.000Z', 'America/Toronto')).toBe('EST');
  const message = { timeZone: 'America/Vancouver' } as OutgoingMessage;
  expect(momentOf(message, '2026-12-15T19:00:00.000Z')).toMatch(/^15 Dec,? 12:00 GMT-7$/);
});

it('reports the release and the zones of which the runtime is older', () => {
  const nowMs = Date.UTC(2026, 11, 1);
  expect(checkTimeZones('2026c', nowMs)).toMatchObject({ level: 'ok', found: expect.stringContaining('2026f') });
  expect(checkTimeZones('2027a', nowMs)).toMatchObject({ level: 'warning' });
});

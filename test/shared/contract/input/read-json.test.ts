import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyLimits, type JsonLimits, readJson, rowLimits } from '#shared/contract/input/read-json.ts';
import { hostileShapes } from '#test/support/arbitraries/hostile-bodies.ts';
import { cpuMsOf, leastMsOf } from '#test/support/cpu.ts';
import { runs } from '#test/support/run-scale.ts';

const noLimits: JsonLimits = { keys: 1e9, entries: 1e9, depth: 1e9 };

/** Reference for the scan: a reviver sees every key, but is slow. */
function hasPrototypeKey(text: string): boolean {
  let found = false;
  JSON.parse(text, (key, value) => {
    found ||= key === '__proto__';
    return value;
  });
  return found;
}

function countsOf(value: unknown): JsonLimits {
  if (typeof value !== 'object' || value === null) return { keys: 0, entries: 0, depth: 0 };
  const inner = Object.values(value).map(countsOf);
  const sum = (name: 'keys' | 'entries') => inner.reduce((total, one) => total + one[name], 0);
  const own = inner.length;
  const isList = Array.isArray(value);
  return {
    keys: sum('keys') + (isList ? 0 : own),
    entries: sum('entries') + (isList || own === 0 ? Math.max(1, own) : 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

const key = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('__proto__', '__proto', '\\', '"', '{', ':', ','));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1.5e9),
    fc.string({ maxLength: 6 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** The same JSON with characters of texts as escapes. */
const escaped = (text: string, places: readonly number[]) =>
  [...text]
    .map((one, at) =>
      places.includes(at) && /[a-z_]/.test(one) ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : one,
    )
    .join('');

test('reads what JSON.parse reads, from text and from bytes, and refuses __proto__ wherever a reviver finds it', () => {
  fc.assert(
    fc.property(json, fc.array(fc.nat(60)), fc.boolean(), (value, places, spaced) => {
      // `fromEntries` drops __proto__ as a prototype, so it is put in as text.
      const plain = JSON.stringify(value, null, spaced ? 1 : 0).replaceAll('"__proto"', '"__proto__"');
      const changed = escaped(plain, places);
      const text = isJson(changed) ? changed : plain;
      const expected = hasPrototypeKey(text) ? { problem: 'prototype_key' } : { value: JSON.parse(text) };
      expect(readJson(text, noLimits)).toEqual(expected);
      expect(readJson(Buffer.from(text), noLimits)).toEqual(readJson(Buffer.from(text).toString(), noLimits));
    }),
    { numRuns: runs(2000) },
  );
});

test('counts keys, entries and depth: a limit is exceeded by one more', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value);
      // Of the value, not of the parsed text: V8 can drop a key such as `"\\"` when it has parsed similar objects before.
      const counts = countsOf(value);
      fc.pre(!text.includes('"__proto__":'));
      expect(readJson(text, counts)).toHaveProperty('value');
      for (const name of ['keys', 'entries', 'depth'] as const) {
        if (counts[name] === 0) continue;
        expect(readJson(text, { ...noLimits, [name]: counts[name] - 1 })).toEqual({ problem: name });
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('names the mistake in a text that is not JSON', () => {
  expect(readJson(Uint8Array.from([0x22, 0xff, 0x22]), rowLimits)).toEqual({ problem: 'not_utf8' });
  for (const text of ['', '{', '}', '"', '"\\', '{"a":}', '[1,]', "{'a':1}", ':', '\\', '\ufeff{}'])
    expect([text, readJson(text, bodyLimits)]).toEqual([text, { problem: 'not_json' }]);
});

test('spends less than 10 ms of CPU time on 64 KiB of any shape', async () => {
  for (const { name, build } of hostileShapes) {
    const body = build(65_536, ['carrier', 'identifiers', 'metadata']);
    const least = await leastMsOf(9.99, () => cpuMsOf(async () => void readJson(body, bodyLimits)));
    expect([name, least < 10]).toEqual([name, true]);
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

import { expect, it } from 'vitest';
import { readStatusWords } from '#services/worker/carriers/reading/status-words/read-status-words.ts';

let readings = 0;

/** The least time of several readings (ms). Each text is new, since known ones are not read again. */
function leastMsOf(text: string): number {
  const times = Array.from({ length: 8 }, () => {
    const unread = `${readings++} ${text}`;
    const started = performance.now();
    readStatusWords(unread);
    return performance.now() - started;
  });
  return Math.min(...times);
}

// Twice the text may take four times as long. A pattern that tries every split takes thousands of times as long.
it.each([
  ['a chain of numbers with dots', 'wird ', '1.2.3.'],
  ['a chain of auxiliaries', 'die sendung ', 'wird '],
  ['a chain of denials', 'is ', 'not '],
  ['a chain of hand-overs', 'it was ', 'delivered to the '],
  ['initials of who signed', 'signed for by: ', 'a. '],
])('reads %s in time that grows with its square at most', (_name, start, part) => {
  const [short, long] = [start + part.repeat(5), start + part.repeat(10)];
  leastMsOf(long);
  expect(leastMsOf(long)).toBeLessThan(60 * Math.max(leastMsOf(short), 0.01));
});

import { expect, it } from 'vitest';
import { delayReasonWords } from '#shared/domain/events/delay-reasons.ts';

it.each([
  ['PTF', 'port traffic restrictions'],
  [' wea ', 'bad weather'],
  ['Vessel bunching at the strait', 'Vessel bunching at the strait'],
  ['XQ7', null],
])('words the delay reason %s as %s, so that no person reads a code', (reason, words) => {
  expect(delayReasonWords(reason)).toBe(words);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  evaluateRefusal,
  noRefusals,
  numbersToSuspend,
  openRefusalMemory,
  pardonRefused,
  type RefusalRecord,
} from '#services/worker/credentials/evaluate-refusals.ts';

const credential = { id: 'account:1', version: 1 };
const refusalOf = (shipmentId: string, changes = {}) => ({
  shipmentId,
  by: 'call' as const,
  isKnown: false,
  ...changes,
});

describe('a refused call', () => {
  it('never counts against the credentials as long as it is one number, however often', () => {
    let record: RefusalRecord = noRefusals;
    for (let turn = 0; turn < 50; turn += 1) {
      const evaluated = evaluateRefusal(record, refusalOf('a', { by: turn % 2 === 0 ? 'call' : 'key' }));
      expect(evaluated.verdict).toBe('number');
      record = evaluated.record;
    }
  });

  it('counts against the credentials if the token endpoint refuses them', () => {
    expect(evaluateRefusal(noRefusals, refusalOf('a', { by: 'sign_in' })).verdict).toBe('credentials');
  });

  it('counts against the credentials with the third different number in a row', () => {
    const memory = openRefusalMemory();
    const verdicts = ['a', 'a', 'b', 'a', 'c'].map((id) => memory.refused(credential, refusalOf(id)));
    expect(verdicts).toEqual(['number', 'number', 'number', 'number', 'credentials']);
    // A changed credential starts anew.
    expect(memory.refused({ ...credential, version: 2 }, refusalOf('c'))).toBe('number');
  });

  it('never counts again after another number was accepted, nor if an earlier worker recorded it', () => {
    const memory = openRefusalMemory();
    for (const id of ['a', 'b']) memory.refused(credential, refusalOf(id));
    memory.accepted(credential);
    const known = ['x', 'y', 'z'].map((id) => memory.refused(credential, refusalOf(id, { isKnown: true })));
    expect(known).toEqual(['number', 'number', 'number']);
    for (let turn = 0; turn < 5; turn += 1)
      for (const id of ['a', 'b', 'c', 'd']) expect(memory.refused(credential, refusalOf(id))).toBe('number');
  });
});

it('suspends only after so many different numbers since the last accepted call', () => {
  const step = fc.oneof(
    fc.record({ refused: fc.constantFrom('a', 'b', 'c', 'd', 'e') }),
    fc.constant('accepted' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let record: RefusalRecord = noRefusals;
      let since = new Set<string>();
      for (const one of steps) {
        if (one === 'accepted') {
          record = pardonRefused(record);
          since = new Set();
          continue;
        }
        since.add(one.refused);
        const evaluated = evaluateRefusal(record, refusalOf(one.refused));
        record = evaluated.record;
        if (since.size < numbersToSuspend) expect(evaluated.verdict).toBe('number');
      }
    }),
  );
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeTypeId, encodeTypeId, uuidv7 } from '#shared/domain/type-id.ts';

it.each([
  ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
  ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
  ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
  ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
  ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'],
  ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
])('encodes %s as %s like the TypeID specification', (uuid, suffix) => {
  expect(encodeTypeId('shp', uuid)).toBe(`shp_${suffix}`);
  expect(decodeTypeId('shp', `shp_${suffix}`)).toBe(uuid);
});

it('decodes every encoded uuid', () => {
  fc.assert(fc.property(fc.uuid(), (uuid) => decodeTypeId('evt', encodeTypeId('evt', uuid)) === uuid));
});

it.each([
  'shp_8zzzzzzzzzzzzzzzzzzzzzzzzz',
  'shp_01H455VB4PEX5VSKNK084SN02Q',
  'shp_01h455vb4pex5vsknk084sn02u',
  'shp_01h455vb4pex5vsknk084sn02',
  'evt_01h455vb4pex5vsknk084sn02q',
  '01h455vb4pex5vsknk084sn02q',
  'shp_-1h455vb4pex5vsknk084sn02q',
  '',
])('rejects %s as the id of a shipment', (text) => {
  expect(decodeTypeId('shp', text)).toBeNull();
});

it('never throws while decoding', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 26, maxLength: 26 }), (suffix) => {
      const uuid = decodeTypeId('shp', `shp_${suffix}`);
      return uuid === null || encodeTypeId('shp', uuid) === `shp_${suffix}`;
    }),
  );
});

it('refuses text that is not a uuid', () => {
  expect(() => encodeTypeId('shp', 'hello')).toThrow(RangeError);
  expect(() => uuidv7(0, new Uint8Array(9))).toThrow(RangeError);
});

it('creates a UUIDv7 with its time, version and variant that sorts by time', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 31 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 }), (seconds, random) => {
      const nowMs = seconds * 1000;
      const uuid = uuidv7(nowMs, random);
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).toBe(nowMs);
      expect(uuidv7(nowMs + 1, random) > uuid).toBe(true);
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { cmaCgmPayloads } from './cma-cgm.ts';
import { dcsaPayloads } from './dcsa.ts';
import { dhlPayloads } from './dhl.ts';
import { fedexPayloads } from './fedex.ts';
import { readForeign } from './foreign-payload.ts';
import { hapagLloydPayloads } from './hapag-lloyd.ts';
import { lufthansaCargoPayloads } from './lufthansa-cargo.ts';
import { maerskPayloads } from './maersk.ts';
import { mscPayloads } from './msc.ts';
import { nmftaDsdcPayloads } from './nmfta-dsdc.ts';
import { oneRecordPayloads } from './one-record.ts';
import { evergreenPayloads, hmmPayloads, onePayloads, yangMingPayloads, zimPayloads } from './other-lines.ts';
import { laterDhlPayloads, laterFedexPayloads, laterLinePayloads, laterUpsPayloads } from './second-round.ts';
import { upsPayloads } from './ups.ts';

/** Payloads that no reader was written from. Each record was expected before the reader had seen the payload. */
const carriers = [
  upsPayloads,
  fedexPayloads,
  dhlPayloads,
  maerskPayloads,
  hapagLloydPayloads,
  cmaCgmPayloads,
  mscPayloads,
  onePayloads,
  yangMingPayloads,
  zimPayloads,
  evergreenPayloads,
  hmmPayloads,
  dcsaPayloads,
  oneRecordPayloads,
  lufthansaCargoPayloads,
  nmftaDsdcPayloads,
];

it('evaluates at least 60 payloads of at least 12 carriers', () => {
  expect(carriers.length).toBeGreaterThanOrEqual(12);
  expect(carriers.flatMap(({ payloads }) => payloads).length).toBeGreaterThanOrEqual(60);
});

const later = [laterUpsPayloads, laterFedexPayloads, laterDhlPayloads, laterLinePayloads];

describe.each([...carriers, ...later])('$connector', (carrier) => {
  it.each(carrier.payloads)('reads $name', async (payload) => {
    expect(await readForeign(carrier, payload)).toMatchObject(payload.expected);
  });
});

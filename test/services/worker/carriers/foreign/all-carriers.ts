import { cmaCgmPayloads } from './cma-cgm.ts';
import { dcsaPayloads } from './dcsa.ts';
import { dhlPayloads } from './dhl.ts';
import { fedexPayloads } from './fedex.ts';
import type { ForeignCarrier } from './foreign-payload.ts';
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
export const firstRound: readonly ForeignCarrier[] = [
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

/** Payloads that came later, and some carriers a second time. */
const secondRound: readonly ForeignCarrier[] = [
  laterUpsPayloads,
  laterFedexPayloads,
  laterDhlPayloads,
  laterLinePayloads,
];

export const foreignCarriers: readonly ForeignCarrier[] = [...firstRound, ...secondRound];

import type { CarrierContext, CarrierFetch } from '#services/worker/carriers/carrier.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type CannedAnswer, type CannedRequest, cannedCarrier, cannedNow } from '../canned-carrier.ts';
import { shipments } from '../contract-carrier.ts';
import { answerTo as oneRecordAnswer } from '../fields/one-record.ts';
import { responsesOf } from '../fields/read-fixtures.ts';
import { foreignCarriers } from '../foreign/all-carriers.ts';
import { freightSubject } from '../freight/simulated-carrier.ts';
import type { Fixture } from './read-varied.ts';
import { simulatedFixtures } from './simulated-fixtures.ts';

/** Numbers that the fixtures of docs/reference/carrier-fields answer for. */
const askedNumbers = {
  cosco: { mbl: 'COSU6103622780' },
  dhl: { tracking_number: '7777777770' },
  fedex: { tracking_number: '794643569140' },
  gls: { tracking_number: '93835330599' },
  'lufthansa-cargo': { awb: '020-08002050' },
  'nmfta-dsdc': { pro: '012345678' },
  'one-record': { awb: '157-12345675' },
  ups: { tracking_number: '1Z5R89390357567127' },
  usps: { tracking_number: '9400109104250532908587' },
} satisfies Partial<Record<ConnectorCode, object>>;

/** Every answer that a test of a connector is made from: by hand, in the shape of public ones, and of the simulator. */
export async function allFixtures(): Promise<Fixture[]> {
  return [...foreignFixtures(), ...fieldFixtures(), ...(await simulatedFixtures())];
}

function foreignFixtures(): Fixture[] {
  return foreignCarriers.flatMap(({ connector, carrier, mode, identifiers, payloads }) =>
    payloads
      .filter(({ expected }) => !('outcome' in expected))
      .map((payload) => ({
        connector,
        name: payload.name,
        subject: freightSubject(mode, payload.identifiers ?? identifiers, { carrier }),
        ...canned((asked) => (typeof payload.answer === 'function' ? payload.answer(asked) : payload.answer)),
      })),
  );
}

function fieldFixtures(): Fixture[] {
  return (Object.keys(askedNumbers) as (keyof typeof askedNumbers)[]).flatMap((connector) =>
    responsesOf(connector).map((response, index) => {
      const { carrier, mode } = shipments[connector];
      const answer = (asked: CannedRequest): CannedAnswer => {
        const body = connector === 'one-record' ? oneRecordAnswer(response)(asked.url) : response;
        return body === undefined ? { status: 404, body: '{}' } : { body };
      };
      return {
        connector,
        name: `all fields, ${index + 1}`,
        subject: freightSubject(mode, askedNumbers[connector], { carrier }),
        ...canned(answer, {
          simulated: true,
          ...(mode === 'parcel' || connector === 'cosco' ? {} : { authUrl: null, apiKey: 'key' }),
        }),
      };
    }),
  );
}

function canned(
  answer: (asked: CannedRequest) => CannedAnswer,
  settings: Partial<CarrierContext['settings']> = {},
): Pick<Fixture, 'settings' | 'fetch' | 'nowMs'> {
  const { ctx } = cannedCarrier(answer, settings);
  const fetch: CarrierFetch = (url, request) => ctx.fetch(url, request);
  return { settings: ctx.settings, fetch, nowMs: cannedNow.getTime() };
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ediOperations } from '#shared/contract/edi/edi-operations.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;
let key = '';

beforeAll(async () => {
  api = await startTestApi();
  const { secret } = await api.createKey({ scopes: ['shipments:read', 'shipments:write', 'events:write'] });
  key = secret;
});

afterAll(() => api?.close());

function send(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  type = 'text/plain',
  secret = key,
): Promise<Response> {
  return api.request(path, {
    method: 'POST',
    body,
    headers: { 'content-type': type, authorization: `Bearer ${secret}` },
  });
}

async function register(body: object): Promise<string> {
  const answer = await api.request('/v1/shipments', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  });
  return (await jsonOf(answer)).shipment_id;
}

async function eventsOf(id: string): Promise<Json[]> {
  const answer = await api.request(`/v1/shipments/${id}/events?include=raw`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return (await jsonOf(answer)).data;
}

const isa =
  'ISA*00*          *00*          *ZZ*ACMELINE       *ZZ*EXAMPLE        *260415*0930*U*00401*000000041*0*P*>~';
const x12 = (messages: string[], control = '000000041') =>
  `${isa}GS*QO*ACMELINE*EXAMPLE*20260415*0930*41*X*004010~${messages.join('')}GE*${messages.length}*41~IEA*1*${control}~`;
const ocean = (mbl: string, { control = '0001', date = '20260414', code = 'VD', port = 'HKHKG' } = {}) =>
  `ST*315*${control}~B4***${code}*${date}*2210**MSCU*473000*L*4500*${port}*UN*9~N9*BM*${mbl}~SE*4*${control}~`;

test('records the events of a message, keeps its text, and recognizes it when it is sent again', async () => {
  const mbl = uniqueNumber();
  const id = await register({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } });
  const file = x12([ocean(mbl)]);
  const answer = await send('/v1/edi/x12', file, 'application/edi-x12');
  expect(answer.status).toBe(200);
  const body = await jsonOf(answer);
  expect(body).toMatchObject({
    interchanges: [
      {
        control_number: '000000041',
        sender: 'ACMELINE',
        source_name: 'acmeline',
        faults: [],
        messages: [
          {
            type: '315',
            control_number: '0001',
            group: '41',
            outcome: 'taken',
            events: [
              {
                segment: 2,
                tag: 'B4',
                shipments: [{ shipment_id: id, outcome: 'added', event_id: expect.any(String) }],
              },
            ],
            faults: [],
          },
        ],
      },
    ],
    summary: { messages: 1, taken: 1, partly_taken: 0, no_shipment: 0, refused: 0, added: 1, unchanged: 0 },
  });
  const [event, ...others] = await eventsOf(id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    code: 'departed',
    source: 'client:acmeline',
    carrier_code: 'VD',
    container: 'MSCU4730009',
    time: { local: '2026-04-14T22:10', timezone: 'Asia/Hong_Kong' },
    raw: { format: 'x12', interchange: '000000041', message: '0001', text: ocean(mbl) },
  });
  const again = await jsonOf(await send('/v1/edi/x12', file));
  expect([again.summary.added, again.summary.unchanged]).toEqual([0, 1]);
  expect(await eventsOf(id)).toHaveLength(1);
});

test('accepts a message beside others that are refused or about shipments that nobody tracks', async () => {
  const mbl = uniqueNumber();
  const id = await register({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } });
  const file = x12([
    ocean(mbl, { control: '1', date: '19700101' }),
    ocean(mbl, { control: '2', date: '20900101' }),
    ocean(uniqueNumber(), { control: '3' }).replace('MSCU*473000', 'TCLU*100000').replace('UN*9', 'UN*5'),
    ocean(mbl, { control: '4', port: 'QQZZZ' }),
    ocean(mbl, { control: '5', code: 'VA' }),
  ]);
  const { interchanges, summary } = await jsonOf(await send('/v1/edi/x12', file));
  const { messages } = interchanges[0];
  expect(messages.map(({ outcome }: Json) => outcome)).toEqual([
    'refused',
    'refused',
    'no_shipment',
    'refused',
    'taken',
  ]);
  expect(messages.slice(0, 4).map(({ faults }: Json) => [faults[0].segment, faults[0].tag, faults[0].reason])).toEqual([
    [2, 'B4', 'The time is in 1970. It must not be before 2000.'],
    [2, 'B4', 'The time is 2090-01-01. It must be at most one year ahead.'],
    [2, 'B4', expect.stringContaining('No open shipment has this number.')],
    [2, 'B4', 'QQZZZ is not a UN/LOCODE known to Landfall.'],
  ]);
  expect(summary).toEqual({
    messages: 5,
    taken: 1,
    partly_taken: 0,
    no_shipment: 1,
    refused: 3,
    added: 1,
    unchanged: 0,
  });
  expect((await eventsOf(id)).map(({ code }) => code)).toEqual(['arrived']);
});

test('records nothing of an interchange whose end does not match', async () => {
  const mbl = uniqueNumber();
  const id = await register({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } });
  const { interchanges, summary } = await jsonOf(await send('/v1/edi/x12', x12([ocean(mbl)], '000000099')));
  expect(interchanges[0].faults[0].reason).toBe(
    'IEA has control number 000000099, but the interchange began with 000000041.',
  );
  expect([summary.refused, summary.added, await eventsOf(id)]).toEqual([1, 0, []]);
});

test('reads Latin text, and accepts another name for the source', async () => {
  const mbl = uniqueNumber();
  const id = await register({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } });
  const file =
    `UNB+UNOC:3+SENDER+ACME+260415:0930+7'UNH+1+IFTSTA:D:95B:UN'BGM+23+1+9'CNI+1'STS+1+24'RFF+BM:${mbl}'` +
    "DTM+334:202604142210:203'LOC+175+DEHAM:139:6:KÖHLBRAND'UNT+8+1'UNZ+1+7'";
  const answer = await send(
    '/v1/edi/edifact?source_name=acme-rail',
    Buffer.from(file, 'latin1'),
    'application/edifact',
  );
  expect((await jsonOf(answer)).interchanges[0].source_name).toBe('acme-rail');
  const [event] = await eventsOf(id);
  expect(event).toMatchObject({ source: 'client:acme-rail', location: { unlocode: 'DEHAM', name: 'KÖHLBRAND' } });
});

test('accepts the examples of the document', async () => {
  for (const { path, body } of Object.values(ediOperations))
    for (const { value } of Object.values(body.examples)) {
      const { interchanges } = await jsonOf(await send(path, value as string));
      const [message] = interchanges[0].messages;
      const others = message.faults.filter(({ reason }: Json) => !reason.startsWith('No open shipment'));
      expect([message.outcome, others]).toEqual([expect.stringMatching(/^(taken|no_shipment)$/), []]);
    }
});

test('refuses a file without messages, with a clear reason', async () => {
  const detailOf = async (answer: Response) => [answer.status, (await jsonOf(answer)).detail];
  expect(await detailOf(await send('/v1/edi/x12', '{"a": 1}'))).toEqual([
    400,
    'An interchange must begin with ISA (segment 1).',
  ]);
  expect(await detailOf(await send('/v1/edi/cargo-imp', 'HELLO'))).toEqual([
    400,
    'A message must begin with its identifier, as in FSU/14 (line 1).',
  ]);
  expect(await detailOf(await send('/v1/edi/x12', ''))).toEqual([
    400,
    'The body is empty. Send the text of the messages.',
  ]);
  expect(await detailOf(await send('/v1/edi/x12', `${isa}\0`))).toEqual([
    400,
    'The body contains NUL bytes, so it is no text.',
  ]);
  expect((await send('/v1/edi/x12', isa, 'application/json')).status).toBe(415);
});

test('refuses an upload of 200 MB before it has arrived', async () => {
  const chunk = new Uint8Array(64 * 1024).fill(65);
  let sent = 0;
  const stream = new ReadableStream({
    pull(controller) {
      sent += chunk.length;
      if (sent > 200 * 1024 * 1024) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const init = {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { 'content-type': 'text/plain', authorization: `Bearer ${key}` },
  };
  const answer = await fetch(`${api.url}/v1/edi/x12`, init as RequestInit).catch((error: unknown) => error as Error);
  if (answer instanceof Response) expect(answer.status).toBe(413);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  const announced = await fetch(`${api.url}/v1/edi/x12`, {
    ...init,
    body: new Uint8Array(9 * 1024 * 1024),
  } as RequestInit);
  expect([announced.status, (await jsonOf(announced)).detail]).toEqual([
    413,
    expect.stringContaining('Send the messages in parts.'),
  ]);
});

test('needs the scope of events', async () => {
  const { secret } = await api.createKey({ scopes: ['shipments:read', 'shipments:write'] });
  expect((await send('/v1/edi/x12', x12([ocean(uniqueNumber())]), 'text/plain', secret)).status).toBe(403);
});

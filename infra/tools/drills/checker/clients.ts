import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type ApiClient, type Failure, isAnswer } from './api-client.ts';
import type { Entry, Ledger } from './ledger.ts';
import { noteUndecided } from './note-undecided.ts';

export type ClientSettings = {
  count: number;
  /** Registrations per second of all clients together. In between, they read back. */
  registrationsPerS: number;
  /** After so many they only read back: on a slow machine, a load that grows with time would never end. */
  maxRegistrations?: number;
};

export type RegisteringClients = {
  /** Registers one more shipment, however often it must be sent. */
  register: () => Promise<Entry>;
  /** Stops registering. Resolves once every client has decided its last registration. */
  stop: () => Promise<void>;
};

const retryPauseMs = 100;
/** Between two reads of one client: the load must not take the CPU of the processes that it checks. */
const readPauseMs = 200;
/** One of so many reads sends an earlier registration again instead. */
const replayEvery = 10;

/**
 * Clients that register shipments for as long as they run. Half of them send a registration without an answer again
 * with its `Idempotency-Key`; the others give up, so that its outcome stays unknown.
 */
export function startClients(call: ApiClient, ledger: Ledger, settings: ClientSettings): RegisteringClients {
  const startedAt = performance.now();
  let isStopping = false;
  let registered = 0;
  const { registrationsPerS, maxRegistrations = Number.POSITIVE_INFINITY } = settings;
  const isDue = () =>
    registered < Math.min(maxRegistrations, ((performance.now() - startedAt) / 1000) * registrationsPerS);

  const run = async (index: number): Promise<void> => {
    for (let turn = 0; !isStopping; turn += 1) {
      if (isDue()) {
        registered += 1;
        await register(call, ledger, { givesUp: index % 2 === 1 });
        continue;
      }
      await checkEarlier(call, ledger, turn);
      await pause(readPauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: settings.count }, (_, index) => run(index)));
  return {
    register: () => register(call, ledger, { givesUp: false }),
    stop: async () => {
      isStopping = true;
      await running;
    },
  };
}

async function register(call: ApiClient, ledger: Ledger, { givesUp }: { givesUp: boolean }): Promise<Entry> {
  const entry = ledger.add();
  for (;;) {
    const outcome = await send(call, entry);
    if (isAcknowledged(outcome)) {
      ledger.count(String(outcome.status));
      ledger.acknowledgedAt.push(performance.now());
      acknowledge(ledger, entry, outcome);
      return entry;
    }
    noteUndecided(ledger, outcome, `POST ${entry.number}`);
    entry.unknownTries += 1;
    if (givesUp) return entry;
    await pause(retryPauseMs);
  }
}

/** Reads a random acknowledged shipment, or sends its registration again. */
async function checkEarlier(call: ApiClient, ledger: Ledger, turn: number): Promise<void> {
  const known = ledger.entries.filter(({ shipmentIds }) => shipmentIds.size > 0);
  const entry = known[Math.floor(Math.random() * known.length)];
  if (entry === undefined) return;
  if (turn % replayEvery === 0) await replay(call, ledger, entry);
  else await readBack(call, ledger, entry);
}

/** Sends a registration again that was acknowledged. Its first answer must come back, with the status of that time. */
export async function replay(call: ApiClient, ledger: Ledger, entry: Entry): Promise<boolean> {
  const outcome = await send(call, entry);
  if (!isAcknowledged(outcome)) {
    noteUndecided(ledger, outcome, `POST ${entry.number} again`);
    return false;
  }
  ledger.count('replayed');
  if (outcome.headers.get('idempotent-replayed') !== 'true')
    ledger.find('doubled', `${entry.number}: its Idempotency-Key registered it again`);
  acknowledge(ledger, entry, outcome);
  return true;
}

/** Reads an acknowledged shipment. It must be there, be the one that was registered, and not have gone back. */
export async function readBack(call: ApiClient, ledger: Ledger, entry: Entry): Promise<Answer['body'] | null> {
  const [id] = entry.shipmentIds;
  const outcome = await call('GET', `/v1/shipments/${id}`);
  if (!isAnswer(outcome) || outcome.status !== 200) {
    if (isAnswer(outcome) && outcome.status === 404) ledger.find('lost', `${entry.number}: ${id} isn't found`);
    else noteUndecided(ledger, outcome, `GET ${entry.number}`);
    return null;
  }
  ledger.count('read');
  const { identifiers, reference, status } = outcome.body;
  if (identifiers.mbl !== entry.number || reference !== entry.reference)
    ledger.find('untrue', `${id} is ${identifiers.mbl} ${reference}, not ${entry.number} ${entry.reference}`);
  ledger.sawStatus(entry, status, 'read back');
  return outcome.body;
}

function send(call: ApiClient, { number, carrier, reference, idempotencyKey }: Entry): Promise<Answer | Failure> {
  const body = { transport_mode: 'ocean', carrier, identifiers: { mbl: number }, reference };
  return call('POST', '/v1/shipments', { body, idempotencyKey });
}

function isAcknowledged(outcome: Answer | Failure): outcome is Answer {
  return isAnswer(outcome) && (outcome.status === 200 || outcome.status === 201);
}

function acknowledge(ledger: Ledger, entry: Entry, { body }: Answer): void {
  entry.shipmentIds.add(body.shipment_id);
  if (entry.shipmentIds.size > 1)
    ledger.find('doubled', `${entry.number} was acknowledged as ${[...entry.shipmentIds].join(' and ')}`);
}

import type { Truth } from './carrier-route.ts';
import { faultName } from './faults/faults.ts';

type Counts = Record<string, number>;

export type ServedCall = {
  connector: string;
  kind: string;
  numbers: readonly string[];
  status: number;
  fault: string | null;
  credential: string;
  nowMs: number;
  /** The events of each number in a fault-free response. */
  truths: ReadonlyMap<string, Truth>;
};

export type ConnectorCounts = {
  calls: number;
  /** By kind of route: events, token, object. */
  byKind: Counts;
  byStatus: Counts;
  byFault: Counts;
  byCredential: Counts;
  /** Calls by minute (ISO 8601), the latest 60 minutes. */
  byMinute: Counts;
  /** Calls by how many numbers they contain. */
  byNumbersOfCall: Counts;
};

/** The requests for one number at one connector. `shown` contains each event of the fault-free responses once. */
export type NumberCounts = { calls: number; byStatus: Counts; byFault: Counts; shown: Truth['events'] };

export type ServedLog = {
  record: (call: ServedCall) => void;
  connectors: () => Record<string, ConnectorCounts>;
  /** By connector. */
  ofNumber: (number: string) => Record<string, NumberCounts>;
  countOf: (number: string) => number;
  byReference: () => Counts;
};

const keptMinutes = 60;

type Ledger = Omit<NumberCounts, 'shown'> & { shown: Map<string, Truth['events'][number]> };

/** Counts what was served. */
export function createServedLog(): ServedLog {
  const connectors = new Map<string, ConnectorCounts>();
  const numbers = new Map<string, Map<string, Ledger>>();

  return {
    record: (call) => {
      const counts = connectors.get(call.connector) ?? emptyCounts();
      connectors.set(call.connector, counts);
      counts.calls += 1;
      add(counts.byKind, call.kind);
      add(counts.byStatus, String(call.status));
      if (call.fault !== null) add(counts.byFault, call.fault);
      add(counts.byCredential, call.credential);
      add(counts.byMinute, `${new Date(call.nowMs).toISOString().slice(0, 16)}Z`);
      for (const minute of Object.keys(counts.byMinute).sort().slice(0, -keptMinutes)) delete counts.byMinute[minute];
      if (call.kind === 'events') add(counts.byNumbersOfCall, String(call.numbers.length));
      for (const number of call.numbers) {
        const name = faultName(number);
        const ofNumber = numbers.get(name) ?? new Map<string, Ledger>();
        numbers.set(name, ofNumber);
        const ledger = ofNumber.get(call.connector) ?? { calls: 0, byStatus: {}, byFault: {}, shown: new Map() };
        ofNumber.set(call.connector, ledger);
        ledger.calls += 1;
        add(ledger.byStatus, String(call.status));
        if (call.fault !== null) add(ledger.byFault, call.fault);
        for (const event of call.truths.get(number)?.events ?? []) ledger.shown.set(JSON.stringify(event), event);
      }
    },
    connectors: () => Object.fromEntries(connectors),
    ofNumber: (number) =>
      Object.fromEntries(
        [...(numbers.get(faultName(number)) ?? [])].map(([connector, ledger]) => [
          connector,
          { ...ledger, shown: [...ledger.shown.values()] },
        ]),
      ),
    countOf: (number) => total(numbers.get(faultName(number))),
    byReference: () => Object.fromEntries([...numbers].map(([name, ofNumber]) => [name, total(ofNumber)])),
  };
}

function total(ofNumber: ReadonlyMap<string, Ledger> | undefined): number {
  return [...(ofNumber?.values() ?? [])].reduce((sum, { calls }) => sum + calls, 0);
}

function add(counts: Counts, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function emptyCounts(): ConnectorCounts {
  return { calls: 0, byKind: {}, byStatus: {}, byFault: {}, byCredential: {}, byMinute: {}, byNumbersOfCall: {} };
}

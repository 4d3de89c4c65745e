import { randomUUID } from 'node:crypto';

/** Everything the clients know about one registration. */
export type Entry = {
  /** The whole B/L number, unique in the drill. */
  number: string;
  carrier: string;
  reference: string;
  idempotencyKey: string;
  /** Number of attempts without a decisive answer. */
  unknownTries: number;
  /** Ids in acknowledging answers. More than one is a finding. */
  shipmentIds: Set<string>;
  /** The furthest status that an answer showed. */
  furthest: string;
};

/** Violation that a drill must never show. */
export type Finding = {
  kind: 'lost' | 'doubled' | 'backwards' | 'feed' | 'untrue' | 'answer';
  detail: string;
};

/** Record of the clients' requests and observations. */
export type Ledger = {
  entries: Entry[];
  findings: Finding[];
  /** Requests by outcome: a status, or why there was none. */
  outcomes: Record<string, number>;
  /** The first requests without an answer, with the reason. */
  failures: string[];
  /** When each registration was acknowledged, in ms of `performance.now()`. */
  acknowledgedAt: number[];
  add: () => Entry;
  find: (kind: Finding['kind'], detail: string) => void;
  count: (outcome: string) => void;
  /** Notes a status that was read, and finds one that went back. */
  sawStatus: (entry: Entry, status: string, where: string) => void;
};

/** Simulated lines whose times carry their zone. */
const carriers = ['HLCU', 'ONEY', 'EGLV', 'YMLU'] as const;
/** The statuses of a voyage without incident, in order. */
const order = [
  'pending',
  'booked',
  'in_transit',
  'arrived',
  'available_for_pickup',
  'out_for_delivery',
  'delivered',
] as const;
const maxFindings = 200;
/** Kept of the requests without an answer. */
export const maxFailures = 20;

/** Returns the rank of a status. -1: no status of an ordinary voyage. */
export function rankOf(status: string | null): number {
  return status === null ? -1 : order.indexOf(status as (typeof order)[number]);
}

/** The number as the simulated carrier is asked. */
export function askedNumber(entry: Entry): string {
  return entry.number.slice(4);
}

/** An empty ledger. `first` separates the numbers of drills that share simulated carriers. */
export function openLedger(first: number): Ledger {
  const ledger: Ledger = {
    entries: [],
    findings: [],
    outcomes: {},
    failures: [],
    acknowledgedAt: [],
    add: () => {
      const index = ledger.entries.length;
      const carrier = carriers[index % carriers.length] ?? carriers[0];
      const entry: Entry = {
        number: `${carrier}${fastNumber(first + index)}`,
        carrier,
        reference: `drill-${index}`,
        idempotencyKey: randomUUID(),
        unknownTries: 0,
        shipmentIds: new Set(),
        furthest: 'pending',
      };
      ledger.entries.push(entry);
      return entry;
    },
    find: (kind, detail) => {
      if (ledger.findings.length < maxFindings) ledger.findings.push({ kind, detail });
    },
    count: (outcome) => {
      ledger.outcomes[outcome] = (ledger.outcomes[outcome] ?? 0) + 1;
    },
    sawStatus: (entry, status, where) => {
      if (rankOf(status) < rankOf(entry.furthest))
        ledger.find('backwards', `${entry.number}: ${status} after ${entry.furthest}, ${where}`);
      else entry.furthest = status;
    },
  };
  return ledger;
}

/**
 * Nine digits. The last eight are base 4: a number that ends in 0 to 4 plays its voyage in fast motion, and one that
 * contains 404 would be unknown to the simulator.
 */
function fastNumber(index: number): string {
  const lead = 5 + (Math.floor(index / 4 ** 8) % 5);
  return `${lead}${(index % 4 ** 8).toString(4).padStart(8, '0')}`;
}

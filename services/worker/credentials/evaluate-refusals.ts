import type { RefusedBy } from '#shared/domain/record/shipment.ts';

/** So many different numbers, none accepted between them, speak against the credentials and not against a number. */
export const numbersToSuspend = 3;
const maxPardoned = 1000;

/** Responses to calls with one set of credentials. Both sets hold shipments. */
export type RefusalRecord = {
  /** Refused since the carrier last accepted a call. */
  refused: ReadonlySet<string>;
  /** Refused before the carrier accepted another call: their refusals say nothing about the credentials. */
  pardoned: ReadonlySet<string>;
};

export type Refusal = {
  shipmentId: string;
  by: RefusedBy;
  /** The shipment's last refresh was refused too, which outlives a restart of the worker. */
  isKnown: boolean;
};

/** Subject of the refusal: the credentials, or only this shipment's number. */
export type Verdict = 'credentials' | 'number';

export const noRefusals: RefusalRecord = { refused: new Set(), pardoned: new Set() };

/**
 * Evaluates one refusal. Credentials are suspended, which stops all their shipments, only on the word of the token
 * endpoint or after several different numbers in a row: carriers also refuse a single number, of a shipment that the
 * customer is not a party to, in the same words. A number that was refused while others were accepted never counts
 * again, so it can't suspend the credentials over and over.
 */
export function evaluateRefusal(
  { refused, pardoned }: RefusalRecord,
  { shipmentId, by, isKnown }: Refusal,
): { verdict: Verdict; record: RefusalRecord } {
  if (by === 'sign_in') return { verdict: 'credentials', record: { refused, pardoned } };
  const counts = !isKnown && !pardoned.has(shipmentId);
  const now = counts && refused.size < numbersToSuspend ? new Set([...refused, shipmentId]) : refused;
  const isSeveral = now.size >= numbersToSuspend && now.has(shipmentId);
  return { verdict: isSeveral ? 'credentials' : 'number', record: { refused: now, pardoned } };
}

/** After the carrier has accepted a call: those refused before were refused for themselves. */
export function pardonRefused({ refused, pardoned }: RefusalRecord): RefusalRecord {
  if (refused.size === 0) return { refused, pardoned };
  return { refused: new Set(), pardoned: new Set([...pardoned, ...refused].slice(-maxPardoned)) };
}

/** The records of this worker, by credential in one version. */
export type RefusalMemory = {
  refused: (credential: { id: string; version: number }, refusal: Refusal) => Verdict;
  accepted: (credential: { id: string; version: number }) => void;
};

const maxCredentials = 10_000;

export function openRefusalMemory(): RefusalMemory {
  const records = new Map<string, RefusalRecord>();
  const keyOf = ({ id, version }: { id: string; version: number }) => `${id} ${version}`;
  return {
    refused: (credential, refusal) => {
      const { verdict, record } = evaluateRefusal(records.get(keyOf(credential)) ?? noRefusals, refusal);
      const [oldest] = records.size < maxCredentials ? [] : records.keys();
      if (oldest !== undefined) records.delete(oldest);
      records.set(keyOf(credential), record);
      return verdict;
    },
    accepted: (credential) => {
      const record = records.get(keyOf(credential));
      if (record !== undefined) records.set(keyOf(credential), pardonRefused(record));
    },
  };
}

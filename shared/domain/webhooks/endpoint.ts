import { type ChangeType, type DisabledReason, shipmentChangeTypes } from '../feed/change-types.ts';

/** Contents of a delivery's `data`: the change as in the feed, with the whole record, or ids only. */
export const payloads = ['summary', 'full', 'thin'] as const;
export type Payload = (typeof payloads)[number];

/** `shipment`: the changes of a shipment are delivered strictly in order. */
export const orderings = ['none', 'shipment'] as const;
export type Ordering = (typeof orderings)[number];

/** `failing`: enabled, and the last delivery failed. */
export const endpointStates = ['enabled', 'failing', 'disabled'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** Reason for which a worker disables an endpoint. */
export type FailureReason = Extract<DisabledReason, 'gone' | 'failing'>;

/** The versions of the payload. */
export const apiVersions = ['v1'] as const;
export type ApiVersion = (typeof apiVersions)[number];

export const maxEndpoints = 50;
export const maxUrlLength = 2048;
export const maxHeaders = 20;
/** Of the name and of the value of a custom header, in bytes. */
export const maxHeaderBytes = 1024;
export const timeoutSeconds = { default: 10, most: 30 };
export const maxRatePerSecond = 1000;
/** Days without a success, with failures, after which an endpoint is disabled. */
export const disableAfterDays = 3;
/** Hours for which the previous secret still signs after a rotation. */
export const secretOverlapHours = { default: 24, most: 168 };

/** Pending work of an endpoint is counted up to here. */
export const maxCountedBacklog = 1000;

/** A JSON object: the filter of the list, with the names of its query and arrays for lists. */
export type EndpointFilter = { readonly [name: string]: unknown };

/** Settings of an endpoint that a client chooses. */
export type EndpointSettings = {
  url: string;
  description: string | null;
  /** Null: all types. */
  types: readonly ChangeType[] | null;
  /** Null: all shipments. Changes without a shipment never match a filter. */
  filter: EndpointFilter | null;
  payload: Payload;
  apiVersion: ApiVersion;
  ordering: Ordering;
  /** Null: no limit. */
  ratePerSecond: number | null;
  timeoutS: number;
};

/** Of a new endpoint, unless its creator says otherwise. */
export const newEndpointSettings: Omit<EndpointSettings, 'url'> = {
  description: null,
  types: null,
  filter: null,
  payload: 'summary',
  apiVersion: 'v1',
  ordering: 'none',
  ratePerSecond: null,
  timeoutS: timeoutSeconds.default,
};

/** Custom headers to set, by name; null removes one. Null in place of them removes all. */
export type HeaderUpdate = Readonly<Record<string, string | null>> | null;

/** Absent: unchanged, or the default of a new endpoint. */
export type EndpointUpdate = Partial<EndpointSettings> & { headers?: HeaderUpdate };

/** Ids are uuids, times ISO UTC. */
export type WebhookEndpoint = EndpointSettings & {
  id: string;
  /** Delivers the changes of test shipments. */
  test: boolean;
  /** Of the custom headers, whose values are write-only. */
  headerNames: readonly string[];
  secretMadeAt: string;
  /** When the previous secret ends. Null: there is none. */
  previousSecretUntil: string | null;
  enabled: boolean;
  disabledAt: string | null;
  disabledReason: DisabledReason | null;
  /** Each change up to here was delivered, is waiting for its next try, or was given up. */
  sequence: number;
  failingSince: string | null;
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  consecutiveFailures: number;
  createdAt: string;
  updatedAt: string;
};

/** A filter selects shipments, so with it only changes of shipments are delivered. Whether that leaves none. */
export function selectsNothing({ types, filter }: Pick<EndpointSettings, 'types' | 'filter'>): boolean {
  return (
    filter !== null && types !== null && !types.some((type) => shipmentChangeTypes.some((known) => known === type))
  );
}

export function stateOf({ enabled, failingSince }: Pick<WebhookEndpoint, 'enabled' | 'failingSince'>): EndpointState {
  if (!enabled) return 'disabled';
  return failingSince === null ? 'enabled' : 'failing';
}

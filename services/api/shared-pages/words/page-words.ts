import type { MilestoneCode } from '#shared/contract/shares/shared-view.ts';
import type { IdentifierKey, Status } from '#shared/domain/record/shipment.ts';

/** The texts of a shared page in one language. `{…}` is replaced; spans such as “3 days” come from `Intl`. */
export type PageWords = {
  /** The language's own name. */
  language: string;
  title: string;
  statuses: Readonly<Record<Status, string>>;
  milestones: Readonly<Record<MilestoneCode, string>>;
  identifiers: Readonly<Record<IdentifierKey, string>>;
  expectedArrival: string;
  expectedDelivery: string;
  arrived: string;
  delivered: string;
  noEstimate: string;
  /** With `{span}`. */
  later: string;
  earlier: string;
  onTime: string;
  route: string;
  from: string;
  to: string;
  /** With `{from}` and `{to}`. */
  mapOf: string;
  approximate: string;
  estimates: string;
  estimatedOn: string;
  estimate: string;
  milestonesTitle: string;
  expected: string;
  nothingYet: string;
  localTimes: string;
  /** With `{time}`. */
  updated: string;
  details: string;
  carrier: string;
  reference: string;
  tags: string;
  containers: string;
  pieces: string;
  support: string;
  languages: string;
  openPage: string;
  passwordTitle: string;
  passwordText: string;
  password: string;
  show: string;
  passwordWrong: string;
  notFoundTitle: string;
  notFoundText: string;
  unavailableTitle: string;
  tooManyTitle: string;
  /** Advice for too many requests and for an unavailable page. */
  tooManyText: string;
};

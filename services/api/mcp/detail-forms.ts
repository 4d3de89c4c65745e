import type { EventForm } from './event-rows.ts';
import type { PlaceForm } from './tool-result.ts';

/** Tokens that an answer may take: 450 and 6,000; the estimate is sometimes a few too low. */
export const mostTokens = { concise: 415, detailed: 5100 } as const;
/** In a detailed answer, what is kept free for containers and events. */
export const roomForLists = 2500;

/** How much of a shipment an answer shows. */
export type Form = {
  isDetailed: boolean;
  /** How many events, containers, legs and exceptions at most. */
  events: number;
  containers: number;
  legs: number;
  exceptions: number;
  places: PlaceForm;
  eventForm: EventForm;
  /** Longest message of an exception, reference, identifier. */
  message: number;
  reference: number;
  identifier: number;
  vehicle: number;
  /** Without what a careful reader can do without. */
  isBare?: boolean;
  /** How many statuses of containers are counted. */
  statuses: number;
};

const shortEvent: EventForm = { places: 'full', description: 0, isDetailed: false };
const codeEvent: EventForm = { ...shortEvent, places: 'code' };
const bareEvent: EventForm = { ...codeEvent, isBare: true };
const concise: Form = {
  isDetailed: false,
  events: 5,
  containers: 4,
  legs: 0,
  exceptions: 3,
  places: 'full',
  eventForm: shortEvent,
  message: 80,
  reference: 60,
  identifier: 120,
  vehicle: 40,
  statuses: 10,
};
const lean: Form = { ...concise, eventForm: bareEvent, message: 0, places: 'code', containers: 0, statuses: 3 };
/** From the richest to the leanest. */
export const conciseForms: readonly [Form, ...Form[]] = [
  concise,
  { ...concise, eventForm: codeEvent, message: 0 },
  { ...concise, eventForm: codeEvent, message: 0, places: 'code', containers: 2, reference: 30, identifier: 60 },
  { ...lean, exceptions: 2, reference: 20, identifier: 40 },
  { ...lean, exceptions: 1, events: 4, reference: 12, identifier: 20 },
  {
    ...lean,
    places: 'start',
    eventForm: { ...bareEvent, places: 'start' },
    exceptions: 1,
    events: 2,
    reference: 8,
    identifier: 10,
    vehicle: 6,
    statuses: 1,
    isBare: true,
  },
];

const detailed: Form = {
  ...concise,
  isDetailed: true,
  events: 0,
  containers: 0,
  legs: 20,
  exceptions: 20,
  message: 200,
  reference: 255,
};
/** What stands around the lists of a detailed answer. */
export const detailedForms: readonly [Form, ...Form[]] = [
  detailed,
  { ...detailed, message: 80, legs: 12, exceptions: 12, reference: 60 },
  { ...detailed, message: 0, legs: 8, exceptions: 8, places: 'code', reference: 30, identifier: 60 },
];
/** How the events of a detailed answer are shown, from the richest to the leanest. */
export const detailedEvents: readonly EventForm[] = [
  { places: 'full', description: 200, isDetailed: true },
  { places: 'full', description: 60, isDetailed: true },
  { places: 'full', description: 0, isDetailed: true },
  { places: 'code', description: 0, isDetailed: true },
  bareEvent,
];
export const mostEvents = 100;
/** Estimates of the arrival; the newest ones. */
export const mostEstimates = 10;

import type { EventForm } from './event-rows.ts';
import type { PlaceForm } from './tool-result.ts';

/** Token limits of a response, below the promised 650 and 6,000, because the estimate can be slightly too low. */
export const maxTokens = { concise: 600, detailed: 5100 } as const;
/** Reserved for containers, pieces and events in a detailed response. */
export const roomForLists = 2500;

/** Level of detail of a shipment in a response. */
export type Form = {
  isDetailed: boolean;
  /** Maximum number of events, containers, pieces, legs, exceptions and proofs. */
  events: number;
  containers: number;
  /** Maximum number of further containers of which only the number, status and last event are named. */
  numbers: number;
  pieces: number;
  legs: number;
  exceptions: number;
  proofs: number;
  places: PlaceForm;
  eventForm: EventForm;
  /** Maximum length of an exception message, reference, identifier and vehicle name. */
  message: number;
  reference: number;
  identifier: number;
  vehicle: number;
  /** Maximum length of each of the carrier's words about delivery, pickup and return. */
  words: number;
  /** Maximum length of the tracking number of a piece or a return. */
  pieceNumber: number;
  /** True when each piece shows the time of its latest event. */
  isPieceTimed: boolean;
  /** Omits redundant fields. */
  isBare?: boolean;
  /** Maximum number of container statuses that are counted. */
  statuses: number;
};

const shortEvent: EventForm = { places: 'full', description: 0, isDetailed: false, pieceNumber: 40 };
const codeEvent: EventForm = { ...shortEvent, places: 'code' };
const bareEvent: EventForm = { ...codeEvent, isBare: true, pieceNumber: 20 };
const concise: Form = {
  isDetailed: false,
  events: 5,
  containers: 4,
  numbers: 200,
  pieces: 4,
  legs: 0,
  exceptions: 3,
  proofs: 5,
  places: 'full',
  eventForm: shortEvent,
  message: 80,
  reference: 60,
  identifier: 120,
  vehicle: 40,
  words: 60,
  pieceNumber: 40,
  isPieceTimed: true,
  statuses: 10,
};
const coded: Form = { ...concise, eventForm: codeEvent, message: 0, places: 'code', containers: 2, words: 40 };
const lean: Form = {
  ...coded,
  eventForm: bareEvent,
  containers: 0,
  numbers: 45,
  statuses: 3,
  proofs: 3,
  words: 24,
  pieceNumber: 20,
};
const bare: Form = {
  ...lean,
  places: 'start',
  eventForm: { ...bareEvent, places: 'start' },
  exceptions: 1,
  events: 2,
  reference: 8,
  identifier: 10,
  vehicle: 6,
  pieces: 3,
  numbers: 10,
  proofs: 1,
  words: 10,
  isPieceTimed: false,
  statuses: 1,
  isBare: true,
};
/** From most to least detailed. */
export const conciseForms: readonly [Form, ...Form[]] = [
  { ...concise, pieces: 12, exceptions: 5, words: 100 },
  concise,
  { ...concise, eventForm: codeEvent, message: 0 },
  { ...coded, reference: 30, identifier: 60 },
  { ...coded, containers: 0, events: 3, reference: 30, identifier: 60 },
  { ...lean, exceptions: 2, reference: 20, identifier: 40 },
  { ...lean, exceptions: 1, events: 4, reference: 12, identifier: 20, isPieceTimed: false },
  { ...lean, exceptions: 1, events: 2, reference: 12, identifier: 20, isPieceTimed: false, numbers: 25 },
  bare,
  {
    ...bare,
    eventForm: { ...bareEvent, places: 'start', pieceNumber: 8 },
    events: 1,
    numbers: 0,
    pieces: 0,
    pieceNumber: 8,
    words: 6,
  },
];

const detailed: Form = {
  ...concise,
  isDetailed: true,
  events: 0,
  containers: 0,
  numbers: 0,
  pieces: 0,
  legs: 20,
  exceptions: 20,
  proofs: 20,
  message: 200,
  words: 200,
  reference: 255,
};
/** The part of a detailed response outside its lists. */
export const detailedForms: readonly [Form, ...Form[]] = [
  detailed,
  { ...detailed, message: 80, legs: 12, exceptions: 12, reference: 60, words: 100 },
  {
    ...detailed,
    message: 0,
    legs: 8,
    exceptions: 8,
    places: 'code',
    reference: 30,
    identifier: 60,
    words: 40,
    proofs: 6,
  },
];
const longEvent: EventForm = { ...shortEvent, isDetailed: true };
/** Forms of the events in a detailed response, from most to least detailed. */
export const detailedEvents: readonly EventForm[] = [
  { ...longEvent, description: 200 },
  { ...longEvent, description: 60 },
  longEvent,
  { ...longEvent, places: 'code' },
  bareEvent,
];
export const maxEvents = 100;
/** Newest estimates of the arrival. */
export const maxEstimates = 10;

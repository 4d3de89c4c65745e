import type { Registration } from '#shared/domain/record/shipment.ts';
import type { Journey } from './journeys.ts';
import { carrierDown, carrierRefuses, nothingKnown, notKnownYet, type Story } from './story.ts';

type Client = Story['registration'] & { tags?: Registration['tags'] };
type More = Partial<Pick<Story, 'staleFor' | 'changedFor' | 'trackingState' | 'isArchived'>>;

/** Old enough for any question about yesterday. */
const longAgo = 72;

export function story(name: string, registration: Client, journey: Journey, more: More = {}): Story {
  return {
    name,
    registration,
    ...journey,
    trackingState: 'active',
    staleFor: null,
    changedFor: longAgo,
    isArchived: false,
    ...more,
  };
}

/** The carrier stopped answering after the last event of the story. */
export function silenced({ refreshes, truth }: Journey): Journey {
  return { refreshes: [...refreshes, carrierDown, carrierDown, carrierDown], truth };
}

export const unknownYet: Journey = { refreshes: [notKnownYet], truth: nothingKnown };
export const refused: Journey = { refreshes: [carrierRefuses], truth: nothingKnown };
export const neverRefreshed: Journey = { refreshes: [], truth: nothingKnown };

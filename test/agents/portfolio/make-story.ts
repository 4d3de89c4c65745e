import type { Registration } from '#shared/domain/shipments/shipment.ts';
import type { Told } from './journeys.ts';
import { carrierDown, carrierRefuses, nothingKnown, notKnownYet, type Story } from './story.ts';

type Client = Story['registration'] & { tags?: Registration['tags'] };
type More = Partial<Pick<Story, 'staleFor' | 'changedFor' | 'trackingState'>>;

/** Old enough for any question about yesterday. */
const longAgo = 72;

export function story(name: string, registration: Client, told: Told, more: More = {}): Story {
  return { name, registration, ...told, trackingState: 'active', staleFor: null, changedFor: longAgo, ...more };
}

/** The carrier stopped answering after the last event of the story. */
export function silenced({ refreshes, truth }: Told): Told {
  return { refreshes: [...refreshes, carrierDown, carrierDown, carrierDown], truth };
}

export const unknownYet: Told = { refreshes: [notKnownYet], truth: nothingKnown };
export const refused: Told = { refreshes: [carrierRefuses], truth: nothingKnown };
export const unasked: Told = { refreshes: [], truth: nothingKnown };

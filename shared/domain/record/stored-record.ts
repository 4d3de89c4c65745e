import type { Journey, Shipment, Status } from './shipment.ts';

/** A journey as clients read it, composed when it was written. `shape` numbers the form of the text. */
export type JourneyText = { text: string; shape: number };

/** A shipment as it is stored for reading. Its journey is text, or a `Journey` if the stored text has another form. */
export type StoredRecord = Omit<Shipment, 'journey'> & { status: Status; journey: string | Journey };

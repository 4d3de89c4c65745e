import type { Journey, Shipment, Status } from './shipment.ts';

/** A journey as clients read it, composed when it was written; `shape` numbers the form of the text. */
export type JourneyText = { text: string; shape: number };

/** A shipment as it is stored for reading: its journey as text, or, where the stored text has another form, as itself. */
export type StoredRecord = Omit<Shipment, 'journey'> & { status: Status; journey: string | Journey };

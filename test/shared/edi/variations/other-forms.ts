import type { EdiFormat } from '#shared/domain/events-in/edi-report.ts';
import { airStatuses, oceanStatus, railDeparture } from '../published-messages.ts';

/** Interchanges that stand beside another one in a body, with separators of their own and with the usual ones. */
export const forms: Readonly<Record<EdiFormat, readonly string[]>> = {
  x12: [oceanStatus, oceanStatus.replaceAll('*', '|').replaceAll('~', '!')],
  edifact: [railDeparture, `UNA;|.? !${railDeparture.replaceAll(':', ';').replaceAll('+', '|').replaceAll("'", '!')}`],
  cargo_imp: [airStatuses],
};

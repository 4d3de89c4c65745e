import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { FetchFailure } from './fetch-failure.ts';

/** The prefix and serial number of the shipment's air waybill. Throws `FetchFailure` when the shipment has none. */
export function airWaybillOf({ identifiers }: Pick<RefreshSubject, 'identifiers'>): { prefix: string; number: string } {
  const match = /^(\d{3})(\d{8})$/.exec(identifiers.awb?.replace(/\D/g, '') ?? '');
  if (!match)
    throw new FetchFailure(
      'wrong_identifier_type',
      'this carrier requires an air waybill number and the shipment has none',
      {
        permanent: true,
      },
    );
  return { prefix: match[1] ?? '', number: match[2] ?? '' };
}

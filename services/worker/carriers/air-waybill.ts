import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import { FetchFailure } from './fetch-failure.ts';

/** The two parts of the shipment's air waybill number; throws `FetchFailure` when it has none. */
export function airWaybillOf({ identifiers }: Pick<RefreshSubject, 'identifiers'>): { prefix: string; number: string } {
  const match = /^(\d{3})(\d{8})$/.exec(identifiers.awb?.replace(/\D/g, '') ?? '');
  if (!match)
    throw new FetchFailure(
      'wrong_identifier_type',
      'this carrier is asked by air waybill number, and the shipment has none',
      {
        permanent: true,
      },
    );
  return { prefix: match[1] ?? '', number: match[2] ?? '' };
}

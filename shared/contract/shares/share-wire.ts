import { z } from 'zod';
import { type Share, shareParts, shareStateOf, shareStates } from '#shared/domain/shares/share.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { parseId } from '../input/parse-id.ts';
import type { RawParams } from '../operation.ts';
import { toShipmentId } from '../record/shipment-id.ts';
import { instant, instantOrNull, openEnum, textOrNull } from '../schema-parts.ts';

const shareId = z.string().meta({
  description: 'Id of the share: `shr_` followed by 26 characters.',
  examples: ['shr_01kahf3m2xfr5tq4d8z9w6c7yb'],
});

export const shareParams = z.object({ share_id: shareId });

/** The uuid of the share in the path. Throws LandfallError `share_not_found`. */
export function parseShareParams(params: RawParams): { shareId: string } {
  const missing = { prefix: 'shr', code: 'share_not_found', detail: 'Share not found.' } as const;
  return { shareId: parseId(params, 'share_id', missing) };
}

const fields = {
  share_id: shareId,
  object: z.literal('share').meta({ description: 'Always `share`.' }),
  shipment_id: z.string().meta({ description: 'Id of the shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
  label: textOrNull('Your label. The page does not show it.', 'Customer portal'),
  state: openEnum(shareStates, 'Only an `active` link opens the page.'),
  shows: z.array(openEnum(shareParts, 'A part of the record.')).meta({
    description: 'Parts that the page shows beyond status, route, expected arrival and milestones.',
    examples: [['identifiers', 'carrier']],
  }),
  has_password: z.boolean().meta({ description: 'Whether the page asks for a password.' }),
  expires_at: instantOrNull(
    'When the link expires. Null while that depends on a shipment that has not closed. See `expires_after_days`.',
  ),
  expires_after_days: z
    .int()
    .nullable()
    .meta({
      description: 'Days from the closing of the shipment to the expiry of the link. Null if you set `expires_at`.',
      examples: [30],
    }),
  created_by: z.string().meta({
    description: 'Id of the key or user that created it.',
    examples: ['key_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
  created_at: instant('When it was created.'),
  revoked_at: instantOrNull('When it was revoked. Null if it was not.'),
};

/** A link to the public page of a shipment, without its address. */
export const wireShare = z
  .strictObject(fields)
  .meta({ id: 'Share', description: 'A link to the public page of a shipment.' });

export const wireShareWithUrl = z
  .strictObject({
    ...fields,
    url: z.string().meta({
      description: 'Address of the page. Returned only here: Landfall stores a hash of it.',
      examples: ['https://track.example.com/t/Ue4yk1Jx3mZ8wq0Lr5Tn7A'],
    }),
  })
  .meta({ id: 'ShareWithUrl', description: 'A new link with its address.' });

export const wireShareList = z
  .strictObject({ data: z.array(wireShare).meta({ description: 'Newest first, at most 100.' }) })
  .meta({ description: 'The links to a shipment, with those that have ended.' });

export function toWireShare(share: Share): z.infer<typeof wireShare> {
  return {
    share_id: encodeTypeId('shr', share.id),
    object: 'share',
    shipment_id: toShipmentId(share.shipmentId),
    label: share.label,
    state: shareStateOf(share),
    shows: share.shows,
    has_password: share.hasPassword,
    expires_at: share.expiresAt,
    expires_after_days: share.daysAfterClose,
    created_by: share.createdBy,
    created_at: share.createdAt,
    revoked_at: share.revokedAt,
  };
}

import { LandfallError } from '#shared/domain/errors.ts';
import type { CoreContext } from '../core-context.ts';

/** Throws LandfallError `unavailable` in a process that was opened without. */
export function webhookSendingOf({ webhooks }: CoreContext): NonNullable<CoreContext['webhooks']> {
  if (webhooks !== undefined) return webhooks;
  throw new LandfallError('unavailable', 'This process does not send webhooks.');
}

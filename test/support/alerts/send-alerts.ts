import { type SendContext, sendLane } from '#services/worker/alerts/send-alerts.ts';

/** Sends what waits, mails and posts, as the two jobs of a worker do. Returns whether there may be more. */
export async function sendAlerts(ctx: SendContext, signal: AbortSignal): Promise<boolean> {
  const lanes = await Promise.all((['mails', 'posts'] as const).map((lane) => sendLane(ctx, lane, signal)));
  return lanes.includes(true);
}

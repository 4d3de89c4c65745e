import { beginRefresh } from '#shared/core/begin-refresh.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { recordLook } from '#shared/core/record-look.ts';
import { type ConnectorCode, testConnector } from '#shared/domain/carrier-catalogue.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookResult, TrackingReason } from '#shared/domain/shipment.ts';
import { annotateSpan, currentTraceId, inSpan, type SpanOptions } from '#shared/telemetry/events.ts';
import type { CarrierContext, Connector } from '../carriers/carrier.ts';
import { connectors, isConnectorCode } from '../carriers/registry.ts';
import { playTestJourney } from '../carriers/test/play-test-journey.ts';

/** What refreshing needs: core, and for each connector its way to the carrier. */
export type RefreshContext = {
  core: CoreContext;
  /** Null: the connector has neither configuration nor simulator. */
  carrierFor: (connector: ConnectorCode) => CarrierContext | null;
  /** Whether the instance's credentials may be used for this account: a carrier's answers are for the parties of a shipment only. */
  servesAccount: (connector: ConnectorCode, accountId: string) => boolean;
};

/**
 * Looks at the carrier for each claim and records what it said, each claim by itself: one that fails is logged, and is due again when its
 * lease ends. After `signal` nothing more is recorded.
 */
export async function refreshShipments(
  ctx: RefreshContext,
  job: { connector: string; items: RefreshClaim[] },
  signal: AbortSignal,
): Promise<void> {
  const subjects = await beginRefresh(ctx.core, job.items);
  await Promise.all(
    subjects.map(async (subject) => {
      try {
        await inSpan('refresh-shipment', spanOf(subject), () => refreshOne(ctx, { connector: job.connector, subject, signal }));
      } catch (error) {
        ctx.core.log.error(
          { err: error, shipmentId: subject.shipmentId, accountId: subject.accountId },
          'a refresh failed and will be repeated',
        );
      }
    }),
  );
}

type Refresh = { connector: string; subject: RefreshSubject; signal: AbortSignal };

async function refreshOne(ctx: RefreshContext, refresh: Refresh): Promise<void> {
  const { subject, signal } = refresh;
  const look = await lookAtCarrier(ctx, refresh);
  if (signal.aborted) return;
  const recorded = await recordLook(ctx.core, subject, look, currentTraceId());
  annotateSpan({
    'refresh.outcome': recorded.outcome,
    'refresh.fenced': recorded.stale,
    ...(look.outcome === 'error' ? { 'error.type': look.reason } : {}),
  });
}

async function lookAtCarrier(ctx: RefreshContext, refresh: Refresh): Promise<LookResult> {
  const { connector: code, subject, signal } = refresh;
  if (code === testConnector) return playTestJourney(subject);
  if (!isConnectorCode(code)) return notAsked(code, 'carrier_not_supported', 'this release has no connector for the carrier');
  const carrier = ctx.carrierFor(code);
  if (carrier === null || !ctx.servesAccount(code, subject.accountId)) {
    return notAsked(code, 'credentials_missing', 'no credentials for this carrier serve the account');
  }
  const connector: Connector = connectors[code];
  try {
    const looks = await connector.look(carrier, [subject], signal);
    return looks.get(subject.shipmentId) ?? notAsked(code, 'internal_error', 'the connector gave no result');
  } catch (error) {
    ctx.core.log.error({ err: error, connector: code, shipmentId: subject.shipmentId }, 'a connector failed');
    return notAsked(code, 'internal_error', 'the connector failed');
  }
}

function notAsked(source: string, reason: TrackingReason, detail: string): LookResult {
  return { outcome: 'error', httpStatus: null, durationMs: 0, reason, permanent: false, retryAfterMs: null, detail, source };
}

/**
 * The first look belongs to the registration's trace, and one that a client asked for to the trace of that request, in which its job runs.
 * Later ones begin their own and link to the registration, or one trace would grow for ever.
 */
function spanOf(subject: RefreshSubject): SpanOptions {
  const registration = subject.registrationTraceparent;
  const attributes = { 'account.id': subject.accountId, 'shipment.id': subject.shipmentId, 'carrier.code': subject.carrier };
  if (subject.requested === true && currentTraceId() !== null) return { attributes, links: registration === null ? [] : [registration] };
  if (subject.lookedBefore) return { attributes, root: true, links: registration === null ? [] : [registration] };
  const isInside = registration !== null && registration.split('-')[1] === currentTraceId();
  return isInside ? { attributes } : { attributes, parent: registration };
}

import type { CoreContext } from '#shared/core/core-context.ts';
import type { Postponed } from '#shared/core/postpone-looks.ts';
import { type ConnectorCode, testConnector } from '#shared/domain/carrier-catalogue.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookResult, TrackingReason } from '#shared/domain/shipment.ts';
import type { CarrierAccess, CarrierAccesses } from '../carrier-access.ts';
import type { Connector } from '../carriers/carrier.ts';
import { isConnectorCode } from '../carriers/registry.ts';
import { playTestJourney } from '../carriers/test/play-test-journey.ts';
import type { Credential, Credentials } from '../credentials.ts';

export type LookContext = {
  core: CoreContext;
  connectors: Record<ConnectorCode, Connector>;
  accessFor: CarrierAccesses['accessFor'];
  /** Told when the carrier refuses a credential itself, and when it takes a suspended one again. */
  credentials: Pick<Credentials, 'suspend' | 'lift'>;
};

/** A look that was taken or need not be, or one that has to wait for the budget. */
export type TakenLook = { subject: RefreshSubject; look: LookResult };
export type TakenLooks = { taken: TakenLook[]; postponed: Postponed[] };

type OpenAccess = CarrierAccess & { kind: 'open' };
type Group = { access: OpenAccess; subjects: RefreshSubject[] };

/** Asks the carrier about the subjects of one job: those of one credential together, as many in one call as the connector can. */
export async function lookAtCarrier(
  ctx: LookContext,
  code: string,
  subjects: readonly RefreshSubject[],
  signal: AbortSignal,
): Promise<TakenLooks> {
  if (code === testConnector) {
    return { taken: subjects.map((subject) => ({ subject, look: playTestJourney(subject) })), postponed: [] };
  }
  if (!isConnectorCode(code)) {
    const look = notAsked(code, 'carrier_not_supported', 'this release has no connector for the carrier');
    return { taken: subjects.map((subject) => ({ subject, look })), postponed: [] };
  }
  const looks: TakenLooks = { taken: [], postponed: [] };
  const groups = new Map<string, Group>();
  for (const subject of subjects) {
    const access = await ctx.accessFor(code, subject.accountId, subject.carrier);
    if (access.kind === 'closed') {
      looks.taken.push({ subject, look: notAsked(code, access.reason, access.detail, access.retryAfterMs) });
      continue;
    }
    const key = `${access.credential.id} ${subject.requested === true || subject.urgent === true}`;
    const group = groups.get(key) ?? { access, subjects: [] };
    group.subjects.push(subject);
    groups.set(key, group);
  }
  for (const group of groups.values()) {
    const { taken, postponed } = await lookTogether(ctx, code, group, signal);
    looks.taken.push(...taken);
    looks.postponed.push(...postponed);
  }
  return looks;
}

async function lookTogether(ctx: LookContext, code: ConnectorCode, { access, subjects }: Group, signal: AbortSignal): Promise<TakenLooks> {
  const connector = ctx.connectors[code];
  const priority = subjects.some((subject) => subject.requested === true || subject.urgent === true);
  const begun = await access.begin(Math.ceil(subjects.length / connector.batchSize), { priority });
  const asked = subjects.slice(0, begun.granted * connector.batchSize);
  const postponed = subjects.slice(asked.length).map((claim) => ({ claim, waitMs: begun.waitMs * (1 + 0.2 * Math.random()) }));
  if (asked.length === 0) return { taken: [], postponed };
  try {
    const looks = await connector.look({ ...access.carrier, budget: begun.budget }, asked, signal);
    const taken = asked.map((subject) => ({
      subject,
      look: looks.get(subject.shipmentId) ?? notAsked(code, 'internal_error', 'the connector gave no result'),
    }));
    await judgeCredential(ctx, access.credential, taken);
    return { taken, postponed };
  } catch (error) {
    ctx.core.log.error({ err: error, connector: code, shipments: asked.length }, 'a connector failed');
    const look = notAsked(code, 'internal_error', 'the connector failed');
    return { taken: asked.map((subject) => ({ subject, look })), postponed };
  } finally {
    begun.end();
  }
}

/** A refused credential is suspended, for each shipment would only be refused in the same way; one that is taken again is not any more. */
async function judgeCredential(ctx: LookContext, credential: Credential, taken: readonly TakenLook[]): Promise<void> {
  const looks = taken.map(({ look }) => look);
  const refused = looks.find((look) => look.outcome === 'error' && look.reason === 'carrier_auth_failed');
  try {
    if (refused?.outcome === 'error') await ctx.credentials.suspend(credential, refused.reason, refused.detail);
    else if (credential.suspended !== null && looks.some((look) => look.outcome !== 'error')) await ctx.credentials.lift(credential);
  } catch (error) {
    ctx.core.log.warn(
      { err: error, credentialId: credential.id },
      'what a carrier says of a credential could not be kept; the next look tries again',
    );
  }
}

function notAsked(source: string, reason: TrackingReason, detail: string, retryAfterMs: number | null = null): LookResult {
  return { outcome: 'error', httpStatus: null, durationMs: 0, reason, permanent: false, retryAfterMs, detail, source };
}

import type { DcsaEvent } from './event.ts';
import { localTime, utcTime } from './local-time.ts';
import type { Milestone } from './milestones.ts';
import { uuidOf } from './random.ts';
import type { Voyage } from './voyage.ts';

/**
 * Returns the events that the carrier has published about a voyage at a virtual moment, oldest publication first.
 * `startMs` and `virtualMs` are epoch milliseconds. A vessel's plans and estimates stay in its history; a container's
 * disappear after the actual event.
 */
export function eventsAt(voyage: Voyage, startMs: number, virtualMs: number): DcsaEvent[] {
  const published: { createdMs: number; event: DcsaEvent }[] = [];
  for (const milestone of voyage.milestones) {
    if (milestone.withdrawnMs !== undefined && startMs + milestone.withdrawnMs <= virtualMs) continue;
    for (const version of versionsOf(milestone)) {
      const createdMs = startMs + version.publishedMs;
      const happened = startMs + milestone.reportedMs <= virtualMs;
      const replaced =
        happened && version.classifier !== 'ACT' && milestone.subject.equipmentEventTypeCode !== undefined;
      if (createdMs <= virtualMs && !replaced)
        published.push({ createdMs, event: eventOf(voyage, milestone, version, startMs) });
    }
  }
  published.sort((one, other) => one.createdMs - other.createdMs || (one.event.eventID < other.event.eventID ? -1 : 1));
  return published.map(({ event }) => event);
}

type Version = { classifier: 'PLN' | 'EST' | 'ACT'; publishedMs: number; timeMs: number; delayReason: string | null };

function versionsOf(milestone: Milestone): Version[] {
  const versions: Version[] = [];
  if (milestone.plan) versions.push({ classifier: 'PLN', ...milestone.plan, delayReason: null });
  for (const revision of milestone.revisions) versions.push({ classifier: 'EST', ...revision });
  const forecasts = versions.filter((version) => version.publishedMs < milestone.reportedMs);
  return [
    ...forecasts,
    { classifier: 'ACT', publishedMs: milestone.reportedMs, timeMs: milestone.actualMs, delayReason: null },
  ];
}

function eventOf(voyage: Voyage, milestone: Milestone, version: Version, startMs: number): DcsaEvent {
  const { subject, zone } = milestone;
  const { bl, booking, containers } = voyage.identifiers;
  const eventDateTime = localTime(startMs + version.timeMs, zone);
  const eventType = subject.transportEventTypeCode
    ? 'TRANSPORT'
    : subject.equipmentEventTypeCode
      ? 'EQUIPMENT'
      : 'SHIPMENT';
  const containerReferences =
    eventType === 'EQUIPMENT'
      ? []
      : containers.map((referenceValue) => ({ referenceType: 'EQ' as const, referenceValue }));
  const delay = version.delayReason
    ? { delayReasonCode: version.delayReason, changeRemark: 'Schedule revised by the vessel operator' }
    : {};
  return {
    eventID: uuidOf(voyage.key, milestone.id, version.classifier, String(version.publishedMs)),
    eventType,
    eventCreatedDateTime: eventType === 'SHIPMENT' ? eventDateTime : utcTime(startMs + version.publishedMs),
    eventClassifierCode: version.classifier,
    eventDateTime,
    ...subject,
    ...delay,
    documentReferences: [
      { documentReferenceType: 'BKG', documentReferenceValue: booking },
      { documentReferenceType: 'TRD', documentReferenceValue: bl },
    ],
    references: [{ referenceType: 'FF', referenceValue: voyage.forwarderReference }, ...containerReferences],
  };
}

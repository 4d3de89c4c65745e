import type { EventCode, Vehicle } from '#shared/domain/events/event.ts';
import type { ExceptionCode, FetchResult, Status } from '#shared/domain/record/shipment.ts';
import type { PlaceCode } from './places.ts';
import { foundSteps, lastOf, type Step, type Truth } from './story.ts';

/** The carrier's readings, oldest refresh first, and what is true after the last one. */
export type Journey = { refreshes: FetchResult[]; truth: Truth };

/** An event at the end of the journey. */
export type Ending = { code: EventCode; hour: number; container?: string; description?: string };

type Plan = {
  from: PlaceCode;
  to: PlaceCode;
  departs: number;
  arrives: number;
  /** First estimate of the arrival; defaults to `arrives`. */
  first?: number;
  /** Estimates between the first and the present one. */
  between?: { arrives: number; reportedAt: number }[];
  endings?: Ending[];
  /** Exceptions that the endings left open. */
  open?: ExceptionCode[];
  /** If the endings of several containers differ: the one with the least progress. */
  status?: Status;
  /** Named in the events at the destination. */
  terminal?: string;
  /** The terminal's last free day, stated with the discharge. */
  freeDay?: string;
};

export type OceanPlan = Plan & {
  vessel: string;
  containers: string[];
  via?: { port: PlaceCode; arrives: number; departs: number; vessel: string };
};

const dayLate = 24;

/** A voyage from port to port. */
export function ocean(plan: OceanPlan): Journey {
  const { from, to, via, departs, arrives, containers } = plan;
  const [first, last] = [ship(plan.vessel), ship(via?.vessel ?? plan.vessel)];
  const ashore = (at: PlaceCode) => (at === to ? { facility: plan.terminal } : {});
  const boxes = (code: EventCode, hour: number, at: PlaceCode, vehicle?: Vehicle): Step[] =>
    containers.map((container) => ({
      code,
      hour,
      at,
      mode: 'ocean',
      container,
      ...ashore(at),
      ...(code === 'discharged' && at === to ? { freeDay: plan.freeDay } : {}),
      ...(vehicle === undefined ? {} : { vehicle }),
    }));
  const vessel = (code: EventCode, hour: number, at: PlaceCode, vehicle: Vehicle): Step => ({
    code,
    hour,
    at,
    mode: 'ocean',
    vehicle,
    ...ashore(at),
  });
  const steps: Step[] = [
    { code: 'booking_confirmed', hour: Math.min(departs - 240, -2), at: from, mode: 'ocean' },
    ...(departs - 36 <= 0 ? boxes('gate_in_full', departs - 36, from) : []),
    ...(departs - 6 <= 0 ? boxes('loaded', departs - 6, from, first) : []),
    vessel('departed', departs, from, first),
  ];
  if (via !== undefined) {
    steps.push(
      vessel('arrived', via.arrives, via.port, first),
      ...boxes('discharged', via.arrives + 4, via.port, first),
    );
    steps.push(...boxes('loaded', via.departs - 4, via.port, last), vessel('departed', via.departs, via.port, last));
  }
  const arrival = (hour: number): Step => vessel('arrived', hour, to, last);
  const unloaded = arrives + 6 <= 0 ? boxes('discharged', arrives + 6, to, last) : [];
  const journey = journeyOf(plan, { steps, arrival, afterArrival: [...unloaded, ...endingSteps(plan, 'ocean')] });
  const { status } = journey.truth;
  const before = departs - 6 <= 0 ? 'loaded' : departs - 36 <= 0 ? 'gate_in_full' : 'booking_confirmed';
  const common =
    journey.refreshes.length > 0 && journey.truth.lastEvent !== null ? journey.truth.lastEvent.code : before;
  return {
    ...journey,
    truth: {
      ...journey.truth,
      vessels: [...new Set([plan.vessel, via?.vessel ?? plan.vessel])],
      terminal: plan.terminal ?? null,
      lastFreeDay: plan.freeDay ?? null,
      // A container is known once an event names it.
      boxes:
        departs - 36 > 0 ? [] : containers.toSorted().map((number) => boxTruth(plan, number, { status, last: common })),
    },
  };
}

/** Endings of one container are its own; the others are of all. */
function boxTruth({ endings = [], arrives }: OceanPlan, number: string, all: { status: Status; last: EventCode }) {
  const own = endings.filter(({ container }) => container === undefined || container === number);
  const isMixed = endings.some(({ container }) => container !== undefined);
  if (!isMixed || arrives > 0) return { number, ...all };
  const last = own.at(-1)?.code ?? 'discharged';
  return { number, status: statusAfter(own) ?? ('arrived' as const), last };
}

/** A flight from airport to airport. */
export function air(plan: Plan & { flight: string }): Journey {
  const vehicle = { name: null, imo: null, voyage: null, flight: plan.flight };
  const at = (code: EventCode, hour: number, place: PlaceCode): Step => ({
    code,
    hour,
    at: place,
    mode: 'air',
    vehicle,
  });
  const steps = [
    at('received_from_shipper', Math.min(plan.departs - 9, -1), plan.from),
    at('departed', plan.departs, plan.from),
  ];
  const received = plan.arrives + 2 <= 0 ? [at('received_from_flight', plan.arrives + 2, plan.to)] : [];
  const arrival = (hour: number) => at('arrived', hour, plan.to);
  const journey = journeyOf(plan, { steps, arrival, afterArrival: [...received, ...endingSteps(plan, 'air')] });
  return { ...journey, truth: { ...journey.truth, vessels: [plan.flight] } };
}

type DoorPlan = {
  mode: 'parcel' | 'road';
  from: PlaceCode;
  to: PlaceCode;
  pickedUp: number;
  /** Expected only; omitted once the shipment is delivered. */
  due: number;
  hub?: { at: PlaceCode; hour: number };
  endings?: Ending[];
  open?: ExceptionCode[];
};

/** A parcel or truck from door to door. */
export function door({ mode, from, to, pickedUp, due, hub, endings = [], open = [] }: DoorPlan): Journey {
  const steps: Step[] = [{ code: 'information_received', hour: pickedUp - 12, at: from, mode }];
  if (pickedUp <= 0) steps.push({ code: 'picked_up', hour: pickedUp, at: from, mode });
  if (hub !== undefined) steps.push({ code: 'arrived_at_facility', hour: hub.hour, at: hub.at, mode });
  steps.push(...endings.map((ending): Step => ({ ...ending, at: to, mode })));
  const status = statusAfter(endings) ?? (pickedUp <= 0 ? 'in_transit' : 'booked');
  const delivered = deliveredAt(endings);
  const eta = delivered === null && due > 0 ? due : null;
  if (eta !== null) steps.push({ code: 'delivered', hour: eta, at: to, mode, reportedAt: pickedUp - 12 });
  const truth: Truth = {
    status,
    eta,
    shownEta: eta,
    delay: eta === null ? null : 0,
    exceptions: open,
    // A label alone doesn't show where the journey begins, and without an expected or actual delivery its end is
    // unknown.
    origin: pickedUp <= 0 ? from : null,
    destination: eta !== null || delivered !== null ? to : null,
    delivered,
    lastEvent: lastOf(steps),
    vessels: [],
    departed: pickedUp <= 0 ? pickedUp : null,
    terminal: null,
    lastFreeDay: null,
    boxes: [],
  };
  return { refreshes: [foundSteps(steps)], truth };
}

/** The refreshes of a journey whose estimate may have moved, and what is true now. */
function journeyOf(
  plan: Plan,
  parts: { steps: Step[]; arrival: (hour: number) => Step; afterArrival: Step[] },
): Journey {
  const { arrives, departs, between = [], open = [], endings = [] } = plan;
  const first = plan.first ?? arrives;
  const hasArrived = arrives <= 0;
  const estimates = [{ arrives: first, reportedAt: Math.min(departs - 100, -150) }, ...between];
  if (first !== arrives && !hasArrived)
    estimates.push({ arrives, reportedAt: Math.max(-20, ...between.map((one) => one.reportedAt + 10)) });
  const all = hasArrived ? [...parts.steps, parts.arrival(arrives), ...parts.afterArrival] : parts.steps;
  const refreshes = estimates.map((estimate, index): FetchResult => {
    const isNewest = index === estimates.length - 1 && !hasArrived;
    const seen = isNewest ? all : parts.steps.filter((step) => step.hour <= estimate.reportedAt);
    return foundSteps([
      ...seen,
      { ...parts.arrival(estimate.arrives), classifier: 'estimated', reportedAt: estimate.reportedAt },
    ]);
  });
  if (hasArrived) refreshes.push(foundSteps(all));
  const delay = Math.round(arrives - first);
  return {
    refreshes,
    truth: {
      status:
        plan.status ?? (hasArrived ? (statusAfter(endings) ?? 'arrived') : departs <= 0 ? 'in_transit' : 'booked'),
      eta: hasArrived ? null : arrives,
      shownEta: estimates.at(-1)?.arrives ?? null,
      delay,
      exceptions: [...open, ...(delay >= dayLate && !hasArrived ? (['delayed'] as const) : [])],
      origin: plan.from,
      destination: plan.to,
      delivered: deliveredAt(endings),
      lastEvent: lastOf(all),
      vessels: [],
      departed: departs <= 0 ? departs : null,
      terminal: null,
      lastFreeDay: null,
      boxes: [],
    },
  };
}

const endStatuses: Partial<Record<EventCode, Status>> = {
  consignee_notified: 'available_for_pickup',
  available_for_pickup: 'available_for_pickup',
  gate_out_full: 'out_for_delivery',
  out_for_delivery: 'out_for_delivery',
  delivery_attempted: 'out_for_delivery',
  delivered: 'delivered',
  gate_in_empty: 'delivered',
  returned: 'returned',
  lost: 'failed',
};

function statusAfter(endings: readonly Ending[]): Status | null {
  return endings.map((ending) => endStatuses[ending.code]).findLast((status) => status !== undefined) ?? null;
}

function deliveredAt(endings: readonly Ending[]): number | null {
  return endings.find((ending) => ending.code === 'delivered')?.hour ?? null;
}

function endingSteps({ to, terminal, endings = [] }: Plan, mode: 'ocean' | 'air'): Step[] {
  return endings.map((ending): Step => ({ ...ending, at: to, mode, facility: terminal }));
}

function ship(name: string): Vehicle {
  return { name, imo: null, voyage: `${name.slice(-3).toUpperCase()}01W`, flight: null };
}

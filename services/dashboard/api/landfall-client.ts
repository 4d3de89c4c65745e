// Generated from the OpenAPI document by npm run generate.
// @ts-nocheck
/**
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    thisInstallation: "/"
};
export type RegisterShipmentBody = {
    /** How the cargo travels. */
    transport_mode: "ocean" | "air" | "road" | "rail" | "parcel";
    /** Carrier code: SCAC (ocean, road, rail), IATA code or air waybill prefix, or slug (parcel); names work too. GET /v1/carriers lists them. */
    carrier: string;
    /** Numbers of the shipment, at least one of which the carrier can be asked about. Ocean: mbl, booking, container; reference only: hbl. Air: awb; reference only: hawb. Parcel: tracking_number. Road: pro, bol, and equipment with service_type ftl; reference only: pickup_number, po. Rail: container, waybill, railcar; reference only: bol, mbl. Names such as mbl_number and mawb work too. A check digit that does not fit is a warning. With a test key: a TEST- number, as in TEST-DELIVERED. */
    identifiers: {
        [key: string]: unknown;
    };
    /** For road only: less than a truckload, or a full one. */
    service_type?: ("ltl" | "ftl" | null) | ("ltl" | "ftl" | null);
    /** Your own id, unique in your account. */
    reference?: string | null;
    /** Up to 20 words of yours to filter by. */
    tags?: string[] | null;
    /** Up to 20 texts of yours, 4 KB together; given back as they are. */
    metadata?: {
        [key: string]: string;
    } | {
        [key: string]: string;
    };
    /** Postal code of the receiver, which some parcel carriers ask for. */
    destination_postal_code?: string | null;
};
export type ShipmentIdentifiers = {
    [key: string]: string | null;
};
export type Place = {
    /** The name as the carrier writes it, or that of the UN/LOCODE. */
    name: string | null;
    /** UN/LOCODE, 5 characters. */
    unlocode: string | null;
    /** IATA code of an airport or city. */
    iata: string | null;
    /** ISO 3166-1 alpha-2. */
    country: string | null;
    /** Latitude in degrees (WGS 84), north positive. */
    lat: number | null;
    /** Longitude in degrees (WGS 84), east positive. */
    lng: number | null;
    /** IANA name of the zone. */
    timezone: string | null;
    /** The terminal, depot, ramp or hub within the place. */
    facility: string | null;
};
export type CarrierTime = {
    /** The instant in UTC. A date without a clock time stands at noon UTC, so that it never shifts by a day. */
    at: string;
    /** The clock where it happened, without an offset; a date alone when `precision` is `date`. */
    local: string;
    /** IANA name of the zone of `local`; null when it is not known. */
    timezone: string | null;
    /** How the zone is known: the carrier gave it, the place has it, or UTC was assumed. Open: accept new values. Known: carrier, location, assumed_utc. */
    zone_source: string;
    /** How exactly the carrier told the time. Open: accept new values. Known: date, minute, second. */
    precision: string;
};
export type Times = {
    /** As first scheduled by the carrier. */
    planned: CarrierTime | null;
    /** The latest estimate. */
    estimated: CarrierTime | null;
    /** When it happened; null until then. */
    actual: CarrierTime | null;
};
export type Arrival = {
    /** As first scheduled by the carrier. */
    planned: CarrierTime | null;
    /** The latest estimate. */
    estimated: CarrierTime | null;
    /** When it happened; null until then. */
    actual: CarrierTime | null;
    /** The first estimate that we saw. */
    original_estimated: CarrierTime | null;
    /** Whole hours between the first estimate and the arrival, actual or expected; negative when early; null without an estimate. */
    delay_hours: number | null;
    /** Who estimated; null without an estimate. Open: accept new values. */
    eta_source: string | null;
};
export type Vehicle = {
    /** Name of the vessel. */
    name: string | null;
    /** IMO number of the vessel. */
    imo: string | null;
    /** Voyage number of the carrier. */
    voyage: string | null;
    /** Flight number. */
    flight: string | null;
};
export type Event = {
    /** The id of the event: `evt_` and 26 characters. */
    event_id: string;
    /** What happened, in the same words for every mode. Open: accept new values. Known: information_received, booking_confirmed, document_issued, gate_out_empty, stuffed, received_from_shipper, gate_in_full, manifested, picked_up, loaded, departed, in_transit, arrived, discharged, rail_loaded, rail_departed, rail_arrived, rail_unloaded, received_from_flight, customs_inspection, customs_hold, customs_released, consignee_notified, documents_delivered, available_for_pickup, not_available, gate_out_full, arrived_at_facility, departed_facility, out_for_delivery, delivery_attempted, delivered, gate_in_empty, return_started, returned, delayed, cancelled, lost, destroyed, undeliverable, exception, other. */
    code: string;
    /** Only actual events move the status. Open: accept new values. Known: planned, estimated, actual. */
    classifier: string;
    time: CarrierTime;
    /** Where; null when the carrier does not say. */
    location: Place | null;
    /** Where on the journey: the place of receipt, the port of loading, of transshipment, of discharge, the final place, in between. Open: accept new values. Known: origin, pol, transshipment, pod, destination, inland, unknown. */
    leg_role: string;
    /** The container it is about; null: the whole shipment. */
    container: string | null;
    /** The `sequence` of the leg it belongs to; null when it belongs to none. */
    leg: number | null;
    /** The vessel or flight; null when the carrier does not say. */
    vehicle: Vehicle | null;
    /** What happened, in words, where the carrier gives any. */
    description: string | null;
    /** The carrier’s own code. */
    carrier_code: string | null;
    /** The carrier’s own words about its code. */
    carrier_description: string | null;
    /** Who says so. Open: accept new values. Known: carrier, client, test. */
    source: string;
    /** When we received it. */
    received_at: string;
    /** The id of the event that took its place; null while it is current. */
    superseded_by: string | null;
    /** Empty for an event that counts. `suspect_future`: it claims to have happened more than 24 hours from now, and counts when that is so no longer. */
    flags: string[];
};
export type Leg = {
    /** Its place in the journey, from 1. */
    sequence: number;
    /** How this leg moves. Open: accept new values. Known: ocean, air, road, rail, parcel. */
    mode: string;
    /** Where it begins. */
    "from": Place | null;
    /** Where it ends. */
    to: Place | null;
    /** What carries the cargo on it. */
    vehicle: Vehicle | null;
    departure: Times;
    arrival: Times;
};
export type Container = {
    /** The container’s number. */
    "number": string;
    /** ISO 6346 size and type. */
    iso_type: string | null;
    /** Where this container is. Open: accept new values. Known: pending, booked, in_transit, arrived, available_for_pickup, out_for_delivery, delivered, returned, failed, cancelled. */
    status: string;
    /** Seal numbers. */
    seals: string[];
    /** The open holds that concern it. */
    holds: string[];
    /** The last day without demurrage, a local date; null when it is not known. */
    last_free_day: string | null;
};
export type Exception = {
    /** What is wrong. Open: accept new values. Known: customs_hold, carrier_hold, terminal_hold, freight_hold, delivery_attempt_failed, address_problem, damaged, delayed, rolled, misrouted, weather, last_free_day_passed, other. */
    code: string;
    /** How much it matters. Open: accept new values. Known: info, warning, critical. */
    severity: string;
    /** The carrier’s words, else ours. */
    message: string;
    /** When it began, by the carrier’s time. */
    opened_at: string;
    /** When it ended, by the carrier’s time; null while it is open. */
    resolved_at: string | null;
    /** The event that opened it. */
    event_id: string;
};
export type Tracking = {
    /** Whether the shipment is being followed. Open: accept new values. Known: queued, active, awaiting_carrier, degraded, failed, stopped, completed. */
    state: string;
    /** Why it is not simply being followed; null when there is nothing to say. Open: accept new values. Known: carrier_not_found_yet, not_found, invalid_identifier, wrong_identifier_type, carrier_not_supported, carrier_unreachable, carrier_rate_limited, carrier_auth_failed, credentials_missing, unrecognized_response, booking_cancelled, data_withheld, no_updates_60d, superseded_by_new_journey, stopped_by_client, internal_error. */
    reason: string | null;
    /** How far the record can be trusted to be current, at the moment of reading. Open: accept new values. Known: fresh, stale, never, final. */
    freshness: string;
    /** The last refresh that the carrier answered; null before the first. */
    last_succeeded_at: string | null;
    /** When the carrier is asked next; null when it is not. */
    next_refresh_at: string | null;
    /** Where the data come from; `simulator:…` for simulated ones. */
    source: string | null;
    /** The last refresh, answered or not; null before the first. */
    last_refreshed_at: string | null;
    /** The last refresh that brought news; null before the first. */
    last_changed_at: string | null;
    /** Refreshes that failed since the last success. */
    consecutive_failures: number;
    /** The trace of the last refresh. */
    trace_id: string | null;
};
export type Warning = {
    /** What was noticed. Open: accept new values. */
    code: string;
    /** Where. */
    field: string;
    /** The warning in words. */
    detail: string;
    /** What was expected there. */
    expected: string | null;
};
export type Shipment = {
    /** Always `shipment`. */
    "object": "shipment";
    /** Made with a test key; never reaches a carrier. */
    test: boolean;
    /** Road only; null otherwise. */
    service_type: ("ltl" | "ftl" | null) | ("ltl" | "ftl" | null);
    /** The carrier’s name. */
    carrier_name: string;
    /** As you sent it; some parcel carriers need it. */
    destination_postal_code: string | null;
    /** Your own data. */
    metadata: {
        [key: string]: string;
    };
    /** The id of the shipment: `shp_` and 26 characters. */
    shipment_id: string;
    /** How the cargo moves. Open: accept new values. Known: ocean, air, road, rail, parcel. */
    transport_mode: string;
    /** The carrier’s code: SCAC, IATA code or slug. */
    carrier: string;
    identifiers: ShipmentIdentifiers;
    /** Your own id of the shipment. */
    reference: string | null;
    /** Your own labels. */
    tags: string[];
    /** Where the cargo is. Whether it can still be seen says `tracking`. Open: accept new values. Known: pending, booked, in_transit, arrived, available_for_pickup, out_for_delivery, delivered, returned, failed, cancelled. */
    status: string;
    /** When the cargo reached the status, by the time of the deciding event; null while no event has decided it. */
    status_changed_at: string | null;
    /** Where the main carriage begins. */
    origin: Place | null;
    /** Where the main carriage ends. */
    destination: Place | null;
    departure: Times;
    arrival: Arrival;
    /** An exception is open. */
    has_exception: boolean;
    /** The last event that happened; null before the first one. */
    latest_event: Event | null;
    /** When it was registered. */
    created_at: string;
    /** When it last changed visibly. */
    updated_at: string;
    /** When it was archived; null unless it is. */
    archived_at: string | null;
    /** Grows with each visible change; a refresh that found nothing new leaves it. */
    version: number;
    /** The event that decided the status; null while none has. */
    status_evidence: {
        /** The deciding event. */
        event_id: string;
        /** What happened. Open: accept new values. Known: information_received, booking_confirmed, document_issued, gate_out_empty, stuffed, received_from_shipper, gate_in_full, manifested, picked_up, loaded, departed, in_transit, arrived, discharged, rail_loaded, rail_departed, rail_arrived, rail_unloaded, received_from_flight, customs_inspection, customs_hold, customs_released, consignee_notified, documents_delivered, available_for_pickup, not_available, gate_out_full, arrived_at_facility, departed_facility, out_for_delivery, delivery_attempted, delivered, gate_in_empty, return_started, returned, delayed, cancelled, lost, destroyed, undeliverable, exception, other. */
        code: string;
        /** Who says so. Open: accept new values. Known: carrier, client, test. */
        source: string;
    } | null;
    /** Where the last event left the cargo; null while it is between places. */
    current_location: Place | null;
    /** Delivery to the consignee. */
    delivery: {
        /** The latest estimate. */
        estimated: CarrierTime | null;
        /** When it was delivered. */
        actual: CarrierTime | null;
    };
    /** How the estimate of the arrival moved, oldest first. */
    eta_history: {
        eta: CarrierTime;
        /** When the carrier made the estimate, else when we saw it. */
        seen_at: string;
        /** Who estimated. Open: accept new values. Known: carrier, client, test. */
        source: string;
    }[];
    /** The journey, stop by stop. */
    legs: Leg[];
    /** By number. */
    containers: Container[];
    /** How many containers are where. */
    container_status_counts: {
        [key: string]: number;
    };
    /** Open and resolved ones, oldest first. */
    exceptions: Exception[];
    /** All events, also those that do not count. */
    events_count: number;
    /** Newest first, the first 50; the rest is at `…/events`. */
    events: Event[];
    /** Null under `as_of`: the past has no tracking. */
    tracking: Tracking | null;
    /** Oddities of what you sent. */
    warnings: Warning[];
    /** The moment of the past that `as_of` asked for; null in a current record. */
    as_of: string | null;
};
export type Problem = {
    /** The address of the page that explains the code. */
    "type": string;
    /** The code in words; the same for every error of this code. */
    title: string;
    /** The HTTP status. */
    status: number;
    /** What is wrong with this request, and what to do about it. */
    detail: string;
    /** What a program decides by. Open: accept new values. */
    code: string;
    /** Name it when you report a problem; also in `X-Request-Id`. */
    request_id: string;
    /** The trace of the request; null when it was not traced. */
    trace_id: string | null;
    /** The same request may succeed later without any change to it. */
    retryable: boolean;
    /** Every mistake that was found in the input; empty for other errors. */
    errors: {
        /** Where: a JSON Pointer into the body, or `?name` for a query parameter. */
        pointer: string;
        /** What kind of mistake. Open: accept new values. */
        code: string;
        /** The mistake in words. */
        detail: string;
    }[];
    /** The shipments in conflict; there for conflicts only. */
    shipment_ids?: string[];
};
export type TrackingSummary = {
    /** Whether the shipment is being followed. Open: accept new values. Known: queued, active, awaiting_carrier, degraded, failed, stopped, completed. */
    state: string;
    /** Why it is not simply being followed; null when there is nothing to say. Open: accept new values. Known: carrier_not_found_yet, not_found, invalid_identifier, wrong_identifier_type, carrier_not_supported, carrier_unreachable, carrier_rate_limited, carrier_auth_failed, credentials_missing, unrecognized_response, booking_cancelled, data_withheld, no_updates_60d, superseded_by_new_journey, stopped_by_client, internal_error. */
    reason: string | null;
    /** How far the record can be trusted to be current, at the moment of reading. Open: accept new values. Known: fresh, stale, never, final. */
    freshness: string;
    /** The last refresh that the carrier answered; null before the first. */
    last_succeeded_at: string | null;
    /** When the carrier is asked next; null when it is not. */
    next_refresh_at: string | null;
};
export type ShipmentPage = {
    /** The shipments, in the order of `sort`. Each is a summary with all its fields, unless `fields` named some; `include` adds `events` (newest first, at most 50), `containers`, `legs` and `exceptions`. */
    data: {
        /** The id of the shipment: `shp_` and 26 characters. */
        shipment_id: string;
        /** How the cargo moves. Open: accept new values. Known: ocean, air, road, rail, parcel. */
        transport_mode?: string;
        /** The carrier’s code: SCAC, IATA code or slug. */
        carrier?: string;
        identifiers?: ShipmentIdentifiers;
        /** Your own id of the shipment. */
        reference?: string | null;
        /** Your own labels. */
        tags?: string[];
        /** Where the cargo is. Whether it can still be seen says `tracking`. Open: accept new values. Known: pending, booked, in_transit, arrived, available_for_pickup, out_for_delivery, delivered, returned, failed, cancelled. */
        status?: string;
        /** When the cargo reached the status, by the time of the deciding event; null while no event has decided it. */
        status_changed_at?: string | null;
        /** Where the main carriage begins. */
        origin?: Place | null;
        /** Where the main carriage ends. */
        destination?: Place | null;
        departure?: Times;
        arrival?: Arrival;
        /** An exception is open. */
        has_exception?: boolean;
        /** The last event that happened; null before the first one. */
        latest_event?: Event | null;
        /** When it was registered. */
        created_at?: string;
        /** When it last changed visibly. */
        updated_at?: string;
        /** When it was archived; null unless it is. */
        archived_at?: string | null;
        /** Grows with each visible change; a refresh that found nothing new leaves it. */
        version?: number;
        /** Whole hours between the first estimate and the arrival, actual or expected; negative when early; null without an estimate. */
        delay_hours?: number | null;
        tracking?: TrackingSummary;
        /** Newest first, the first 50; the rest is at `…/events`. */
        events?: Event[];
        /** By number. */
        containers?: Container[];
        /** The journey, stop by stop. */
        legs?: Leg[];
        /** Open and resolved ones, oldest first. */
        exceptions?: Exception[];
    }[];
    /** Which page this is. */
    page: {
        /** The most shipments of a page. */
        limit: number;
        /** Whether there is another page. */
        has_more: boolean;
        /** The `cursor` of the next page; null on the last one. */
        next_cursor: string | null;
        /** How many shipments match, as `GET /v1/shipments/counts` counts them; null unless `include_total=true`. */
        total: number | null;
        /** True when more than `total` match. */
        total_is_lower_bound: boolean;
    };
    /** How many of all that match have each status; null unless `include_total=true`. */
    counts_by_status: {
        [key: string]: number;
    } | {
        [key: string]: number;
    };
    /** When the first page was read. Under a sort whose key moves, what changed since then is left to the change feed. */
    as_of: string;
};
export type RegisterBatchBody = {
    /** What to follow: 1 to 1000 registrations, each as for registering one. */
    shipments: RegisterShipmentBody[];
};
export type RegisterBatchAnswer = {
    /** One result for each row, in order. */
    results: {
        /** Place in `shipments`, from 0. */
        index: number;
        /** What became of the row. */
        outcome: "created" | "existing" | "failed";
        /** The shipment; absent when the row failed. */
        shipment_id?: string;
        /** Why the row failed; absent otherwise. */
        error?: {
            /** What a program decides by, as in any error. Open: accept new values. */
            code: string;
            /** The code in words. */
            title: string;
            /** What is wrong with this row. */
            detail: string;
            /** Every mistake of the row. */
            errors: {
                /** Where in the body (JSON Pointer). */
                pointer: string;
                /** What kind of mistake. */
                code: string;
                /** The mistake in words. */
                detail: string;
            }[];
            /** The shipments in conflict; there for conflicts only. */
            shipment_ids?: string[];
        };
    }[];
    /** The counts of the outcomes. */
    summary: {
        /** Rows in the body. */
        received: number;
        /** New shipments. */
        created: number;
        /** Rows whose shipment was there already. */
        existing: number;
        /** Rows that were refused. */
        failed: number;
    };
};
export type CreateImportAnswer = {
    /** `imp_` and 26 characters. */
    import_id: string;
    /** Always `import`. */
    "object": "import";
    /** `receiving`: the upload still runs, or broke and may be continued; `running`: every row is stored, some are not registered yet; `completed`: every row was looked at; `interrupted`: the upload broke and nobody continued it, what had been received was registered. */
    state: "receiving" | "running" | "completed" | "interrupted";
    /** Nothing is registered: the counts and the failed rows are what would have been. */
    dry_run: boolean;
    /** How the rows were sent. */
    format: "csv" | "ndjson";
    /** Rows that are stored. */
    received: number;
    /** Rows that were looked at: the sum of the next three. */
    processed: number;
    /** New shipments. */
    created: number;
    /** Rows whose shipment was there already. */
    existing: number;
    /** Rows that were refused; `/errors` gives them as a file. */
    failed: number;
    /** When the upload began. */
    created_at: string;
    /** When the last row was looked at; null before. */
    completed_at: string | null;
    /** Why the import is not complete; null otherwise. */
    error: {
        /** `upload_interrupted`. Open: accept new values. */
        code: string;
        /** What happened, and what to do. */
        detail: string;
    } | null;
};
export type CountShipmentsAnswer = {
    /** How many shipments match. By `status`, `tracking_state`, `has_exception` and `archived` alone this is exact; with any other filter it is counted to 10,000. */
    total: number;
    /** True when more than 10,000 match and were not all counted: each of the other numbers is then counted to 10,000 by itself or, where that takes too long, is a lower bound too. */
    total_is_lower_bound: boolean;
    /** By status; every status is there. */
    by_status: {
        /** How many are pending. */
        pending: number;
        /** How many are booked. */
        booked: number;
        /** How many are in_transit. */
        in_transit: number;
        /** How many are arrived. */
        arrived: number;
        /** How many are available_for_pickup. */
        available_for_pickup: number;
        /** How many are out_for_delivery. */
        out_for_delivery: number;
        /** How many are delivered. */
        delivered: number;
        /** How many are returned. */
        returned: number;
        /** How many are failed. */
        failed: number;
        /** How many are cancelled. */
        cancelled: number;
    };
    /** By how following stands; every state is there. */
    by_tracking_state: {
        /** How many are queued. */
        queued: number;
        /** How many are active. */
        active: number;
        /** How many are awaiting_carrier. */
        awaiting_carrier: number;
        /** How many are degraded. */
        degraded: number;
        /** How many are failed. */
        failed: number;
        /** How many are stopped. */
        stopped: number;
        /** How many are completed. */
        completed: number;
    };
    /** Those whose last successful refresh is too old, to 10,000. */
    stale: number;
    /** Those with an open exception. */
    has_exception: number;
    /** When they were counted. */
    as_of: string;
};
export type UpdateShipmentBody = {
    /** Your own id, unique in your account; null removes it. An archived shipment keeps its reference. */
    reference?: string | null;
    /** Replaces all tags; null or an empty list removes them. */
    tags?: string[] | null;
    /** Merged by key: a key that is sent is set, one with null is removed, the others stay. Null as a whole removes them all. At most 20 keys and 4 KB after merging. */
    metadata?: {
        [key: string]: string | null;
    } | {
        [key: string]: string | null;
    };
    /** Numbers to add, named as in a registration. One that the shipment has may be repeated; another value for it is a conflict. Null is the same as absent: a number cannot be taken away. They are asked for with the next refresh. */
    identifiers?: {
        [key: string]: unknown;
    };
    /** Another carrier: code or name. Only while no carrier has given an event; tracking then begins anew. */
    carrier?: string;
    /** Some parcel carriers need it; null removes it. */
    destination_postal_code?: string | null;
    /** False restores an archived shipment; true archives it, as DELETE does. */
    archived?: boolean;
};
export type RefreshShipmentBody = {};
export type StopShipmentBody = {};
export type ResumeShipmentBody = {};
export type CancelShipmentBody = {};
export type HistoryEvent = {
    /** The id of the event: `evt_` and 26 characters. */
    event_id: string;
    /** What happened, in the same words for every mode. Open: accept new values. Known: information_received, booking_confirmed, document_issued, gate_out_empty, stuffed, received_from_shipper, gate_in_full, manifested, picked_up, loaded, departed, in_transit, arrived, discharged, rail_loaded, rail_departed, rail_arrived, rail_unloaded, received_from_flight, customs_inspection, customs_hold, customs_released, consignee_notified, documents_delivered, available_for_pickup, not_available, gate_out_full, arrived_at_facility, departed_facility, out_for_delivery, delivery_attempted, delivered, gate_in_empty, return_started, returned, delayed, cancelled, lost, destroyed, undeliverable, exception, other. */
    code: string;
    /** Only actual events move the status. Open: accept new values. Known: planned, estimated, actual. */
    classifier: string;
    time: CarrierTime;
    /** Where; null when the carrier does not say. */
    location: Place | null;
    /** Where on the journey: the place of receipt, the port of loading, of transshipment, of discharge, the final place, in between. Open: accept new values. Known: origin, pol, transshipment, pod, destination, inland, unknown. */
    leg_role: string;
    /** The container it is about; null: the whole shipment. */
    container: string | null;
    /** The `sequence` of the leg it belongs to; null when it belongs to none. */
    leg: number | null;
    /** The vessel or flight; null when the carrier does not say. */
    vehicle: Vehicle | null;
    /** What happened, in words, where the carrier gives any. */
    description: string | null;
    /** The carrier’s own code. */
    carrier_code: string | null;
    /** The carrier’s own words about its code. */
    carrier_description: string | null;
    /** Who says so. Open: accept new values. Known: carrier, client, test. */
    source: string;
    /** When we received it. */
    received_at: string;
    /** The id of the event that took its place; null while it is current. */
    superseded_by: string | null;
    /** Empty for an event that counts. `suspect_future`: it claims to have happened more than 24 hours from now, and counts when that is so no longer. */
    flags: string[];
    /** What the carrier literally said; only with `include=raw`. Null where nothing was kept. Beyond 16,384 characters it is the beginning of the JSON, as text. */
    raw?: unknown;
    /** `raw` is only the beginning; there only with `include=raw`. */
    raw_truncated?: boolean;
};
export type EventPage = {
    /** The events of this page, also superseded and voided ones, which `flags` tells. */
    data: HistoryEvent[];
    /** Where this page stands. */
    page: {
        /** The most events of a page. */
        limit: number;
        /** There is a next page. */
        has_more: boolean;
        /** Send it as `cursor` for the next page; null on the last one. */
        next_cursor: string | null;
    };
};
export type Refresh = {
    /** When; of a run, its last refresh. */
    at: string;
    /** Of a run, its first refresh; else the same as `at`. */
    first_at: string;
    /** Refreshes in this row: a run of refreshes without news is one row. */
    count: number;
    /** What came of it. Open: accept new values. Known: changed, unchanged, not_found, error. */
    outcome: string;
    /** Why it brought nothing; null when the carrier answered. Open: accept new values. Known: carrier_not_found_yet, not_found, invalid_identifier, wrong_identifier_type, carrier_not_supported, carrier_unreachable, carrier_rate_limited, carrier_auth_failed, credentials_missing, unrecognized_response, booking_cancelled, data_withheld, no_updates_60d, superseded_by_new_journey, stopped_by_client, internal_error. */
    reason: string | null;
    /** The HTTP status of the carrier’s answer; null when there was none. */
    http_status: number | null;
    /** How long the carrier took, in milliseconds. */
    duration_ms: number;
    /** Events that it brought. */
    events_added: number;
    /** Where it looked; `simulator:…` for the simulator. */
    source: string | null;
    /** Its trace; null when it was not traced. */
    trace_id: string | null;
};
export type RefreshList = {
    /** Newest first, at most 20 rows. */
    data: Refresh[];
};
export type ShipmentSummary = {
    /** The id of the shipment: `shp_` and 26 characters. */
    shipment_id: string;
    /** How the cargo moves. Open: accept new values. Known: ocean, air, road, rail, parcel. */
    transport_mode: string;
    /** The carrier’s code: SCAC, IATA code or slug. */
    carrier: string;
    identifiers: ShipmentIdentifiers;
    /** Your own id of the shipment. */
    reference: string | null;
    /** Your own labels. */
    tags: string[];
    /** Where the cargo is. Whether it can still be seen says `tracking`. Open: accept new values. Known: pending, booked, in_transit, arrived, available_for_pickup, out_for_delivery, delivered, returned, failed, cancelled. */
    status: string;
    /** When the cargo reached the status, by the time of the deciding event; null while no event has decided it. */
    status_changed_at: string | null;
    /** Where the main carriage begins. */
    origin: Place | null;
    /** Where the main carriage ends. */
    destination: Place | null;
    departure: Times;
    arrival: Arrival;
    /** An exception is open. */
    has_exception: boolean;
    /** The last event that happened; null before the first one. */
    latest_event: Event | null;
    /** When it was registered. */
    created_at: string;
    /** When it last changed visibly. */
    updated_at: string;
    /** When it was archived; null unless it is. */
    archived_at: string | null;
    /** Grows with each visible change; a refresh that found nothing new leaves it. */
    version: number;
    /** Whole hours between the first estimate and the arrival, actual or expected; negative when early; null without an estimate. */
    delay_hours: number | null;
    tracking: TrackingSummary;
};
export type Change = {
    /** `chg_` and 26 characters. */
    id: string;
    /** Its place in the feed. Rises from change to change; numbers in between belong to other accounts. */
    position: number;
    /** What happened. Open: accept new values. Known: shipment.created, shipment.updated, shipment.status_changed, shipment.eta_changed, shipment.event_added, shipment.exception_opened, shipment.exception_resolved, shipment.delivered, shipment.container_added, shipment.tracking_state_changed, shipment.stale. */
    "type": string;
    /** When it happened. */
    created_at: string;
    /** What happened to which shipment. */
    data: {
        /** The shipment right after the change, as in the list. */
        shipment: ShipmentSummary;
        /** The fields that the change is about, each with its old and its new value; empty when it is about other fields of the record. */
        changes: {
            /** The status; null before the first one. */
            status?: never[];
            /** The expected arrival: `arrival.estimated`, else `arrival.planned`; where no arrival is told, as for parcels, `delivery.estimated`. */
            eta?: never[];
            /** The number of events. */
            events_count?: never[];
            /** The numbers of the containers. */
            containers?: never[];
            /** The exception; null before it was opened, and as its new value when the event behind it was taken back. */
            exception?: never[];
            /** `tracking.state`. */
            tracking_state?: never[];
            /** `tracking.reason`. */
            tracking_reason?: never[];
            /** `tracking.freshness`. */
            freshness?: never[];
            /** All identifiers. */
            identifiers?: never[];
            /** The carrier’s code. */
            carrier?: never[];
            /** Your reference. */
            reference?: never[];
            /** Your tags. */
            tags?: never[];
            /** Your metadata. */
            metadata?: never[];
            /** The destination’s postal code. */
            destination_postal_code?: never[];
            /** Whether it is archived. */
            archived?: never[];
        };
    };
    /** W3C trace context of what caused the change. */
    traceparent: string | null;
};
export type ChangePage = {
    /** In the order of the feed. */
    data: Change[];
    /** How to read on. */
    page: {
        /** The most changes in one answer. */
        limit: number;
        /** True: there are more right now, ask again at once. */
        has_more: boolean;
        /** Send it as `after` to read on; nothing that matches is skipped. */
        next_after: number;
        /** The feed is kept from this position on. */
        oldest_position: number;
        /** The last position given so far. */
        latest_position: number;
        /** True: changes between `after` and `oldest_position` are no longer kept. Read the shipments anew with the list. */
        gap: boolean;
    };
    /** When this was read. */
    as_of: string;
};
export type ApiKey = {
    /** Public id of the key; not secret. */
    api_key_id: string;
    /** Always `api_key`. */
    "object": "api_key";
    /** What you called it. */
    name: string;
    /** How the key begins, to recognise it by. */
    prefix: string;
    /** How the key ends. */
    last_four: string;
    /** What the key may do. Open: accept new values. Known: shipments:read, shipments:write, webhooks:manage, carriers:manage, keys:manage. */
    scopes: string[];
    /** True: the key sees and makes test shipments only. */
    test: boolean;
    /** When the key was made. */
    created_at: string;
    /** When the key ends; null: never. */
    expires_at: string | null;
    /** When the key was revoked; null: it was not. */
    revoked_at: string | null;
    /** When the key was last used, to the minute; null: never. */
    last_used_at: string | null;
    /** Id of the key that replaces this one, which ends at `expires_at`; null: it was not rotated. */
    rotated_to: string | null;
};
export type ApiKeyList = {
    /** The keys, newest first. */
    data: ApiKey[];
    /** Where this page stands. */
    page: {
        /** Keys asked for. */
        limit: number;
        /** There are older keys. */
        has_more: boolean;
        /** Send as `cursor` for the next page; null on the last one. */
        next_cursor: string | null;
    };
};
export type CreateApiKeyBody = {
    /** What you call it: who or what uses the key. */
    name: string;
    /** What the key may do; no more than the key that makes it. */
    scopes?: ("shipments:read" | "shipments:write" | "webhooks:manage" | "carriers:manage" | "keys:manage")[];
    /** When the key ends, in the future; absent or null: never. */
    expires_at?: string | null;
    /** True: a key for test shipments. Default: of the same kind as the key that makes it. A test key makes test keys only. */
    test?: boolean;
};
export type CreatedApiKey = {
    /** Public id of the key; not secret. */
    api_key_id: string;
    /** Always `api_key`. */
    "object": "api_key";
    /** What you called it. */
    name: string;
    /** How the key begins, to recognise it by. */
    prefix: string;
    /** How the key ends. */
    last_four: string;
    /** What the key may do. Open: accept new values. Known: shipments:read, shipments:write, webhooks:manage, carriers:manage, keys:manage. */
    scopes: string[];
    /** True: the key sees and makes test shipments only. */
    test: boolean;
    /** When the key was made. */
    created_at: string;
    /** When the key ends; null: never. */
    expires_at: string | null;
    /** When the key was revoked; null: it was not. */
    revoked_at: string | null;
    /** When the key was last used, to the minute; null: never. */
    last_used_at: string | null;
    /** Id of the key that replaces this one, which ends at `expires_at`; null: it was not rotated. */
    rotated_to: string | null;
    /** The key itself, to send as `Authorization: Bearer …`. Shown in this one answer only and stored nowhere. */
    secret: string;
};
export type RotateApiKeyBody = {
    /** Hours that the old key goes on working, 0 to 168. 0: it ends at once. */
    overlap_hours?: number;
};
export type CarrierIdentifier = {
    /** Open: accept new values. Known: ocean, air, road, rail, parcel. */
    transport_mode: string;
    /** Open: accept new values. Known: mbl, booking, container, hbl, awb, hawb, tracking_number, pro, bol, equipment, pickup_number, po, waybill, railcar. */
    identifier: string;
    /** True: a carrier can be asked about it. False: it is stored and can be searched. */
    trackable: boolean;
    /** What it must look like. */
    shape: string;
    /** The rule of its check digit, which warns and never refuses; null: it has none. */
    check_digit: string | null;
};
export type CarrierHealth = {
    /** How the carrier answers your account. Open: accept new values. Known: unknown, healthy, degraded, down. */
    state: string;
    /** Its last answer, also that it does not know a number; null: none. */
    last_success_at: string | null;
    /** The last refresh that failed; null: none. */
    last_error_at: string | null;
    /** Refreshes that it answered. */
    answered: number;
    /** Refreshes that failed. */
    failed: number;
    /** Shipments whose last refresh found nothing or failed. */
    waiting: number;
};
export type CarrierCredentialReport = {
    /** Whose credentials the carrier is asked with. Open: accept new values. Known: account, instance, simulator, none. `account`: your own; `instance`: those of whoever runs this service; `simulator`: the carrier is simulated; `none`: its shipments wait for credentials (test shipments need none). */
    source: string;
    /** Open: accept new values. Known: active, suspended; null: there are none. Suspended: the carrier refused them, so they are not used until they are replaced; one refresh in half an hour tries them. */
    state: string | null;
    /** Names of the fields that are set. Open: accept new values. Known: client_id, client_secret, api_key, certificate, private_key, scope. */
    fields: string[];
    /** When they were last changed; null: there are none. */
    updated_at: string | null;
    /** Since when they are suspended; null: they are not. */
    suspended_at: string | null;
    /** Why they are suspended, as `tracking.reason` of its shipments says it; null: they are not. */
    reason: string | null;
};
export type CarrierService = {
    /** `open`: after repeated failures the carrier is not asked for a while; `half_open`: one refresh finds out whether it answers again. Open: accept new values. Known: closed, half_open, open. */
    circuit: string;
    /** Calls that may be made at once now. */
    budget_left: number;
    /** Requests of the last five minutes that were answered, from 0 to 1; null: none was sent. */
    success_rate: number | null;
    /** Half of those were answered within this time; null: none. */
    latency_ms: number | null;
    /** Seconds by which the refreshes that were due longest are late. */
    lag_s: number;
    /** When this was seen. */
    updated_at: string;
};
export type Carrier = {
    /** Always `carrier`. */
    "object": "carrier";
    /** What records carry: SCAC, IATA code, reporting mark or slug. */
    code: string;
    /** Its name. */
    name: string;
    /** How it carries. */
    transport_modes: string[];
    /** Other codes and names that may be sent as `carrier`. */
    aliases: string[];
    /** By which its numbers are recognised. */
    prefixes: {
        /** Put before its bills of lading and bookings; with or without one a number is the same. */
        bill_of_lading: string[];
        /** Owner codes of its containers. */
        container: string[];
        /** Begin its air waybills. */
        air_waybill: string[];
    };
    /** True: shipments with it can be followed; false: only test keys can register them. Credentials may be needed all the same. */
    supported: boolean;
    /** The numbers that its shipments may have, by mode. */
    identifiers: CarrierIdentifier[];
    health: CarrierHealth;
    credentials: CarrierCredentialReport;
    /** How it does now with the credentials that serve your account; null: it was not asked in the last minutes, or only test shipments are. */
    service: CarrierService | null;
};
export type CarrierList = {
    /** All that match, in one answer. */
    data: Carrier[];
};
export type DetectCarriersBody = {
    /** A number of any kind. Send this or `numbers`. */
    "number"?: string;
    /** Up to 100 numbers. Send this or `number`. */
    numbers?: string[];
    /** Only carriers of this mode. */
    transport_mode?: ("ocean" | "air" | "road" | "rail" | "parcel" | null) | ("ocean" | "air" | "road" | "rail" | "parcel" | null);
};
export type CarrierCandidate = {
    /** Code of the carrier; null: the number does not tell it. */
    carrier: string | null;
    /** Name of the carrier. */
    carrier_name: string | null;
    /** Open: accept new values. Known: ocean, air, road, rail, parcel. */
    transport_mode: string;
    /** Open: accept new values. Known: mbl, booking, container, hbl, awb, hawb, tracking_number, pro, bol, equipment, pickup_number, po, waybill, railcar. */
    identifier: string;
    /** How much the number itself tells. Open: accept new values. Known: high, medium, low. */
    confidence: string;
    /** Why. */
    reason: string;
    /** Whether the check digit fits. Open: accept new values. Known: valid, invalid, none. */
    check_digit: string;
    /** True: shipments with this carrier can be followed in this mode. */
    supported: boolean;
};
export type CarrierDetection = {
    /** One entry per number, in your order. */
    data: {
        /** The number as you sent it, trimmed. */
        "number": string;
        /** The likeliest first; empty: the number tells nothing. */
        candidates: CarrierCandidate[];
    }[];
};
export type SetCarrierCredentialsBody = {
    /** Your client id at the carrier. */
    client_id?: string;
    /** The secret of that client. */
    client_secret?: string;
    /** Your API key (consumer key, subscription key) at the carrier. */
    api_key?: string;
    /** Your certificate (PEM), where the carrier takes signed assertions instead of a secret. */
    certificate?: string;
    /** The private key (PEM, without a passphrase) of that certificate. */
    private_key?: string;
    /** The OAuth 2.0 scope that the carrier gave you. */
    scope?: string;
};
export type CarrierCredentials = {
    /** Always `carrier_credentials`. */
    "object": "carrier_credentials";
    /** Code of the carrier. */
    carrier: string;
    /** Open: accept new values. Known: active, suspended. Suspended ones were refused by the carrier and are not used. */
    state: string;
    /** Names of the fields that are set. Open: accept new values. Known: client_id, client_secret, api_key, certificate, private_key, scope. */
    fields: string[];
    /** One more with each change, also with a removal. */
    version: number;
    /** The last change. */
    updated_at: string;
};
export type Caller = {
    /** Always `caller`. */
    "object": "caller";
    /** Whose key it is. */
    account: {
        /** Id of the account. */
        account_id: string;
        /** Name of the account. */
        name: string;
    };
    /** The key of this request. */
    api_key: {
        /** Id of the key. */
        api_key_id: string;
        /** What you called it. */
        name: string;
        /** How it begins. */
        prefix: string;
        /** How it ends. */
        last_four: string;
        /** When it ends; null: never. */
        expires_at: string | null;
        /** When it was last used, to the minute. */
        last_used_at: string | null;
    };
    /** True: the key sees and makes test shipments only. */
    test: boolean;
    /** What the key may do. Open: accept new values. Known: shipments:read, shipments:write, webhooks:manage, carriers:manage, keys:manage. */
    scopes: string[];
    /** How much this key may ask. */
    limits: {
        /** Reads a minute. */
        read: number;
        /** Writes a minute. */
        write: number;
        /** Batches a minute. */
        batch: number;
        /** MCP requests a minute. */
        mcp: number;
    };
};
export type AdvanceTestShipmentBody = {
    /** Steps to go, 1 to 20; more than are left go to the end. */
    steps?: number;
};
export type RpcMessage = {
    /** The version of JSON-RPC. */
    jsonrpc: "2.0";
    /** What is asked for; absent in a client’s answer. */
    method?: string;
    /** The arguments of the method. */
    params?: {
        [key: string]: unknown;
    };
    /** Of your choice; a message without one is a notification and gets no answer. */
    id?: string | number | null;
    [key: string]: unknown;
};
export type McpBody = RpcMessage | RpcMessage[];
export type RpcAnswer = {
    /** The version of JSON-RPC. */
    jsonrpc: "2.0";
    /** Ties an answer to its request. */
    id?: string | number | null;
    /** What the method gives; absent when there is an error. */
    result?: {
        [key: string]: unknown;
    };
    /** Why there is no result. A tool that fails gives a result that says so. */
    error?: {
        /** The code of JSON-RPC or MCP. */
        code: number;
        /** The error in words. */
        message: string;
        [key: string]: unknown;
    };
    [key: string]: unknown;
};
export type McpAnswer = RpcAnswer | RpcAnswer[];
/**
 * Register one shipment
 */
export function registerShipment({ idempotencyKey, registerShipmentBody }: {
    idempotencyKey?: string;
    registerShipmentBody: RegisterShipmentBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Shipment;
    } | {
        status: 201;
        data: Shipment;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "identifier_conflict" | "reference_conflict" | "idempotency_in_progress";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 422;
        data: Problem & {
            status: 422;
            code: "carrier_not_supported" | "identifier_not_trackable" | "identifier_mode_mismatch" | "idempotency_mismatch";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>("/v1/shipments", oazapfts.json({
        ...opts,
        method: "POST",
        body: registerShipmentBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List and search shipments
 */
export function listShipments({ status, transportMode, carrier, hasException, delayedMinHours, stale, etaFrom, etaTo, updatedSince, trackingState, freshness, reference, tag, q, origin, destination, departedFrom, departedTo, createdFrom, createdTo, exception, archived, identifier, mbl, hbl, booking, container, awb, hawb, bol, pro, trackingNumber, sort, limit, cursor, includeTotal, fields, include }: {
    status?: ("pending" | "booked" | "in_transit" | "arrived" | "available_for_pickup" | "out_for_delivery" | "delivered" | "returned" | "failed" | "cancelled" | "exception")[];
    transportMode?: ("ocean" | "air" | "road" | "rail" | "parcel")[];
    carrier?: string[];
    hasException?: boolean;
    delayedMinHours?: number;
    stale?: boolean;
    etaFrom?: string;
    etaTo?: string;
    updatedSince?: string;
    trackingState?: ("queued" | "active" | "awaiting_carrier" | "degraded" | "failed" | "stopped" | "completed")[];
    freshness?: ("fresh" | "stale" | "never" | "final")[];
    reference?: string[];
    tag?: string[];
    q?: string;
    origin?: string[];
    destination?: string[];
    departedFrom?: string;
    departedTo?: string;
    createdFrom?: string;
    createdTo?: string;
    exception?: ("customs_hold" | "carrier_hold" | "terminal_hold" | "freight_hold" | "delivery_attempt_failed" | "address_problem" | "damaged" | "delayed" | "rolled" | "misrouted" | "weather" | "last_free_day_passed" | "other")[];
    archived?: boolean;
    identifier?: string[];
    mbl?: string[];
    hbl?: string[];
    booking?: string[];
    container?: string[];
    awb?: string[];
    hawb?: string[];
    bol?: string[];
    pro?: string[];
    trackingNumber?: string[];
    sort?: "-created_at" | "created_at" | "-updated_at" | "updated_at" | "-eta" | "eta" | "-status_changed_at" | "status_changed_at" | "-last_event_at" | "last_event_at";
    limit?: number;
    cursor?: string;
    includeTotal?: boolean;
    fields?: ("shipment_id" | "transport_mode" | "carrier" | "identifiers" | "reference" | "tags" | "status" | "status_changed_at" | "origin" | "destination" | "departure" | "arrival" | "has_exception" | "latest_event" | "created_at" | "updated_at" | "archived_at" | "version" | "delay_hours" | "tracking")[];
    include?: ("events" | "containers" | "legs" | "exceptions")[];
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ShipmentPage;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter" | "invalid_cursor";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable" | "list_too_slow";
        };
    }>(`/v1/shipments${QS.query(QS.form({
        status,
        transport_mode: transportMode,
        carrier,
        tracking_state: trackingState,
        freshness,
        reference,
        tag,
        origin,
        destination,
        exception,
        identifier,
        mbl,
        hbl,
        booking,
        container,
        awb,
        hawb,
        bol,
        pro,
        tracking_number: trackingNumber,
        fields,
        include
    }), QS.explode({
        has_exception: hasException,
        delayed_min_hours: delayedMinHours,
        stale,
        eta_from: etaFrom,
        eta_to: etaTo,
        updated_since: updatedSince,
        q,
        departed_from: departedFrom,
        departed_to: departedTo,
        created_from: createdFrom,
        created_to: createdTo,
        archived,
        sort,
        limit,
        cursor,
        include_total: includeTotal
    }))}`, {
        ...opts
    });
}
/**
 * Register many shipments
 */
export function registerBatch({ idempotencyKey, registerBatchBody }: {
    idempotencyKey?: string;
    registerBatchBody: RegisterBatchBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RegisterBatchAnswer;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "idempotency_in_progress";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 422;
        data: Problem & {
            status: 422;
            code: "idempotency_mismatch";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>("/v1/shipments/batch", oazapfts.json({
        ...opts,
        method: "POST",
        body: registerBatchBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Import shipments from a file
 */
export function createImport({ dryRun, carrier, transportMode, idempotencyKey, body }: {
    dryRun?: boolean;
    carrier?: string;
    transportMode?: "ocean" | "air" | "road" | "rail" | "parcel";
    idempotencyKey?: string;
    body: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: CreateImportAnswer;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "idempotency_in_progress";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 422;
        data: Problem & {
            status: 422;
            code: "idempotency_mismatch";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/imports${QS.query(QS.explode({
        dry_run: dryRun,
        carrier,
        transport_mode: transportMode
    }))}`, {
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Get the progress of an import
 */
export function getImport({ importId }: {
    importId: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CreateImportAnswer;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "import_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/imports/${encodeURIComponent(importId)}`, {
        ...opts
    });
}
/**
 * Download the rows that failed
 */
export function getImportErrors({ importId }: {
    importId: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "import_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/imports/${encodeURIComponent(importId)}/errors`, {
        ...opts
    });
}
/**
 * Count shipments
 */
export function countShipments({ status, transportMode, carrier, hasException, delayedMinHours, stale, etaFrom, etaTo, updatedSince, trackingState, freshness, reference, tag, q, origin, destination, departedFrom, departedTo, createdFrom, createdTo, exception, archived, identifier, mbl, hbl, booking, container, awb, hawb, bol, pro, trackingNumber }: {
    status?: ("pending" | "booked" | "in_transit" | "arrived" | "available_for_pickup" | "out_for_delivery" | "delivered" | "returned" | "failed" | "cancelled" | "exception")[];
    transportMode?: ("ocean" | "air" | "road" | "rail" | "parcel")[];
    carrier?: string[];
    hasException?: boolean;
    delayedMinHours?: number;
    stale?: boolean;
    etaFrom?: string;
    etaTo?: string;
    updatedSince?: string;
    trackingState?: ("queued" | "active" | "awaiting_carrier" | "degraded" | "failed" | "stopped" | "completed")[];
    freshness?: ("fresh" | "stale" | "never" | "final")[];
    reference?: string[];
    tag?: string[];
    q?: string;
    origin?: string[];
    destination?: string[];
    departedFrom?: string;
    departedTo?: string;
    createdFrom?: string;
    createdTo?: string;
    exception?: ("customs_hold" | "carrier_hold" | "terminal_hold" | "freight_hold" | "delivery_attempt_failed" | "address_problem" | "damaged" | "delayed" | "rolled" | "misrouted" | "weather" | "last_free_day_passed" | "other")[];
    archived?: boolean;
    identifier?: string[];
    mbl?: string[];
    hbl?: string[];
    booking?: string[];
    container?: string[];
    awb?: string[];
    hawb?: string[];
    bol?: string[];
    pro?: string[];
    trackingNumber?: string[];
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CountShipmentsAnswer;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable" | "list_too_slow";
        };
    }>(`/v1/shipments/counts${QS.query(QS.form({
        status,
        transport_mode: transportMode,
        carrier,
        tracking_state: trackingState,
        freshness,
        reference,
        tag,
        origin,
        destination,
        exception,
        identifier,
        mbl,
        hbl,
        booking,
        container,
        awb,
        hawb,
        bol,
        pro,
        tracking_number: trackingNumber
    }), QS.explode({
        has_exception: hasException,
        delayed_min_hours: delayedMinHours,
        stale,
        eta_from: etaFrom,
        eta_to: etaTo,
        updated_since: updatedSince,
        q,
        departed_from: departedFrom,
        departed_to: departedTo,
        created_from: createdFrom,
        created_to: createdTo,
        archived
    }))}`, {
        ...opts
    });
}
/**
 * Export shipments as CSV or NDJSON
 */
export function exportShipments({ status, transportMode, carrier, hasException, delayedMinHours, stale, etaFrom, etaTo, updatedSince, trackingState, freshness, reference, tag, q, origin, destination, departedFrom, departedTo, createdFrom, createdTo, exception, archived, identifier, mbl, hbl, booking, container, awb, hawb, bol, pro, trackingNumber, sort, format, fields }: {
    status?: ("pending" | "booked" | "in_transit" | "arrived" | "available_for_pickup" | "out_for_delivery" | "delivered" | "returned" | "failed" | "cancelled" | "exception")[];
    transportMode?: ("ocean" | "air" | "road" | "rail" | "parcel")[];
    carrier?: string[];
    hasException?: boolean;
    delayedMinHours?: number;
    stale?: boolean;
    etaFrom?: string;
    etaTo?: string;
    updatedSince?: string;
    trackingState?: ("queued" | "active" | "awaiting_carrier" | "degraded" | "failed" | "stopped" | "completed")[];
    freshness?: ("fresh" | "stale" | "never" | "final")[];
    reference?: string[];
    tag?: string[];
    q?: string;
    origin?: string[];
    destination?: string[];
    departedFrom?: string;
    departedTo?: string;
    createdFrom?: string;
    createdTo?: string;
    exception?: ("customs_hold" | "carrier_hold" | "terminal_hold" | "freight_hold" | "delivery_attempt_failed" | "address_problem" | "damaged" | "delayed" | "rolled" | "misrouted" | "weather" | "last_free_day_passed" | "other")[];
    archived?: boolean;
    identifier?: string[];
    mbl?: string[];
    hbl?: string[];
    booking?: string[];
    container?: string[];
    awb?: string[];
    hawb?: string[];
    bol?: string[];
    pro?: string[];
    trackingNumber?: string[];
    sort?: "-created_at" | "created_at" | "-updated_at" | "updated_at" | "-eta" | "eta" | "-status_changed_at" | "status_changed_at" | "-last_event_at" | "last_event_at";
    format?: "csv" | "ndjson";
    fields?: string[];
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable" | "list_too_slow";
        };
    }>(`/v1/shipments/export${QS.query(QS.form({
        status,
        transport_mode: transportMode,
        carrier,
        tracking_state: trackingState,
        freshness,
        reference,
        tag,
        origin,
        destination,
        exception,
        identifier,
        mbl,
        hbl,
        booking,
        container,
        awb,
        hawb,
        bol,
        pro,
        tracking_number: trackingNumber,
        fields
    }), QS.explode({
        has_exception: hasException,
        delayed_min_hours: delayedMinHours,
        stale,
        eta_from: etaFrom,
        eta_to: etaTo,
        updated_since: updatedSince,
        q,
        departed_from: departedFrom,
        departed_to: departedTo,
        created_from: createdFrom,
        created_to: createdTo,
        archived,
        sort,
        format
    }))}`, {
        ...opts
    });
}
/**
 * Get one shipment
 */
export function getShipment({ shipmentId, asOf, ifNoneMatch }: {
    shipmentId: string;
    asOf?: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Shipment;
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}${QS.query(QS.explode({
        as_of: asOf
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    });
}
/**
 * Change one shipment
 */
export function updateShipment({ shipmentId, updateShipmentBody }: {
    shipmentId: string;
    updateShipmentBody: UpdateShipmentBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Shipment;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "identifier_conflict" | "reference_conflict" | "invalid_state";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 422;
        data: Problem & {
            status: 422;
            code: "carrier_not_supported" | "identifier_mode_mismatch";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: updateShipmentBody
    }));
}
/**
 * Archive one shipment
 */
export function archiveShipment({ shipmentId }: {
    shipmentId: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Refresh at the carrier now
 */
export function refreshShipment({ shipmentId, refreshShipmentBody }: {
    shipmentId: string;
    refreshShipmentBody?: RefreshShipmentBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: Shipment;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "invalid_state";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited" | "refresh_too_soon";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}/refresh`, oazapfts.json({
        ...opts,
        method: "POST",
        body: refreshShipmentBody
    }));
}
/**
 * Stop tracking
 */
export function stopShipment({ shipmentId, stopShipmentBody }: {
    shipmentId: string;
    stopShipmentBody?: StopShipmentBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Shipment;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "invalid_state";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}/stop`, oazapfts.json({
        ...opts,
        method: "POST",
        body: stopShipmentBody
    }));
}
/**
 * Start tracking again
 */
export function resumeShipment({ shipmentId, resumeShipmentBody }: {
    shipmentId: string;
    resumeShipmentBody?: ResumeShipmentBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Shipment;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "invalid_state";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}/resume`, oazapfts.json({
        ...opts,
        method: "POST",
        body: resumeShipmentBody
    }));
}
/**
 * Say that the booking or label is cancelled
 */
export function cancelShipment({ shipmentId, cancelShipmentBody }: {
    shipmentId: string;
    cancelShipmentBody?: CancelShipmentBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Shipment;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "invalid_state";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}/cancel`, oazapfts.json({
        ...opts,
        method: "POST",
        body: cancelShipmentBody
    }));
}
/**
 * List the events of a shipment
 */
export function listShipmentEvents({ shipmentId, classifier, code, container, include, sort, limit, cursor }: {
    shipmentId: string;
    classifier?: ("planned" | "estimated" | "actual")[];
    code?: ("information_received" | "booking_confirmed" | "document_issued" | "gate_out_empty" | "stuffed" | "received_from_shipper" | "gate_in_full" | "manifested" | "picked_up" | "loaded" | "departed" | "in_transit" | "arrived" | "discharged" | "rail_loaded" | "rail_departed" | "rail_arrived" | "rail_unloaded" | "received_from_flight" | "customs_inspection" | "customs_hold" | "customs_released" | "consignee_notified" | "documents_delivered" | "available_for_pickup" | "not_available" | "gate_out_full" | "arrived_at_facility" | "departed_facility" | "out_for_delivery" | "delivery_attempted" | "delivered" | "gate_in_empty" | "return_started" | "returned" | "delayed" | "cancelled" | "lost" | "destroyed" | "undeliverable" | "exception" | "other")[];
    container?: string[];
    include?: "raw"[];
    sort?: "-time" | "time" | "-received_at" | "received_at";
    limit?: number;
    cursor?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: EventPage;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter" | "invalid_cursor";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}/events${QS.query(QS.form({
        classifier,
        code,
        container,
        include
    }), QS.explode({
        sort,
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * List the last refreshes
 */
export function listShipmentRefreshes({ shipmentId }: {
    shipmentId: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RefreshList;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/shipments/${encodeURIComponent(shipmentId)}/refreshes`, {
        ...opts
    });
}
/**
 * Read the change feed
 */
export function listChanges({ after, $type, shipmentId, limit }: {
    after?: number | "latest";
    $type?: ("shipment.created" | "shipment.updated" | "shipment.status_changed" | "shipment.eta_changed" | "shipment.event_added" | "shipment.exception_opened" | "shipment.exception_resolved" | "shipment.delivered" | "shipment.container_added" | "shipment.tracking_state_changed" | "shipment.stale")[];
    shipmentId?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ChangePage;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/events${QS.query(QS.explode({
        after,
        shipment_id: shipmentId,
        limit
    }), QS.form({
        "type": $type
    }))}`, {
        ...opts
    });
}
/**
 * List API keys
 */
export function listApiKeys({ limit, cursor }: {
    limit?: number;
    cursor?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ApiKeyList;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter" | "invalid_cursor";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/api-keys${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Create an API key
 */
export function createApiKey({ createApiKeyBody }: {
    createApiKeyBody: CreateApiKeyBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: CreatedApiKey;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope" | "test_key_not_allowed";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>("/v1/api-keys", oazapfts.json({
        ...opts,
        method: "POST",
        body: createApiKeyBody
    }));
}
/**
 * Rotate an API key
 */
export function rotateApiKey({ apiKeyId, rotateApiKeyBody }: {
    apiKeyId: string;
    rotateApiKeyBody?: RotateApiKeyBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: CreatedApiKey;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "api_key_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "invalid_state";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/api-keys/${encodeURIComponent(apiKeyId)}/rotate`, oazapfts.json({
        ...opts,
        method: "POST",
        body: rotateApiKeyBody
    }));
}
/**
 * Revoke an API key
 */
export function revokeApiKey({ apiKeyId }: {
    apiKeyId: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "api_key_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/api-keys/${encodeURIComponent(apiKeyId)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * List carriers
 */
export function listCarriers({ transportMode, q }: {
    transportMode?: "ocean" | "air" | "road" | "rail" | "parcel";
    q?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CarrierList;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/carriers${QS.query(QS.explode({
        transport_mode: transportMode,
        q
    }))}`, {
        ...opts
    });
}
/**
 * Get one carrier
 */
export function getCarrier({ carrierCode }: {
    carrierCode: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Carrier;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "carrier_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/carriers/${encodeURIComponent(carrierCode)}`, {
        ...opts
    });
}
/**
 * Find out whose number something is
 */
export function detectCarriers({ detectCarriersBody }: {
    detectCarriersBody: DetectCarriersBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CarrierDetection;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>("/v1/carriers/detect", oazapfts.json({
        ...opts,
        method: "POST",
        body: detectCarriersBody
    }));
}
/**
 * Set your own credentials at a carrier
 */
export function setCarrierCredentials({ carrierCode, setCarrierCredentialsBody }: {
    carrierCode: string;
    setCarrierCredentialsBody: SetCarrierCredentialsBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CarrierCredentials;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope" | "test_key_not_allowed";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "carrier_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "invalid_state";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 422;
        data: Problem & {
            status: 422;
            code: "carrier_not_supported";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/carriers/${encodeURIComponent(carrierCode)}/credentials`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: setCarrierCredentialsBody
    }));
}
/**
 * Remove your own credentials at a carrier
 */
export function removeCarrierCredentials({ carrierCode }: {
    carrierCode: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope" | "test_key_not_allowed";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "carrier_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/carriers/${encodeURIComponent(carrierCode)}/credentials`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * Who this key is
 */
export function getMe(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: Caller;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "validation_failed" | "unknown_parameter";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>("/v1/me", {
        ...opts
    });
}
/**
 * Move a test journey on
 */
export function advanceTestShipment({ shipmentId, advanceTestShipmentBody }: {
    shipmentId: string;
    advanceTestShipmentBody?: AdvanceTestShipmentBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: Shipment;
    } | {
        status: 400;
        data: Problem & {
            status: 400;
            code: "invalid_json" | "validation_failed" | "unknown_parameter" | "unknown_field";
        };
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope" | "live_key_not_allowed";
        };
    } | {
        status: 404;
        data: Problem & {
            status: 404;
            code: "shipment_not_found";
        };
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 409;
        data: Problem & {
            status: 409;
            code: "invalid_state";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>(`/v1/test/shipments/${encodeURIComponent(shipmentId)}/advance`, oazapfts.json({
        ...opts,
        method: "POST",
        body: advanceTestShipmentBody
    }));
}
/**
 * Model Context Protocol endpoint
 */
export function mcp({ mcpBody }: {
    mcpBody: McpBody;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: McpAnswer;
    } | {
        status: 202;
    } | {
        status: 400;
        data: RpcAnswer;
    } | {
        status: 401;
        data: Problem & {
            status: 401;
            code: "missing_api_key" | "invalid_api_key" | "expired_api_key" | "revoked_api_key";
        };
    } | {
        status: 403;
        data: Problem & {
            status: 403;
            code: "insufficient_scope" | "host_not_allowed" | "origin_not_allowed";
        };
    } | {
        status: 404;
        data: RpcAnswer;
    } | {
        status: 406;
        data: Problem & {
            status: 406;
            code: "not_acceptable";
        };
    } | {
        status: 408;
        data: Problem & {
            status: 408;
            code: "request_timeout";
        };
    } | {
        status: 413;
        data: Problem & {
            status: 413;
            code: "payload_too_large";
        };
    } | {
        status: 414;
        data: Problem & {
            status: 414;
            code: "uri_too_long";
        };
    } | {
        status: 415;
        data: Problem & {
            status: 415;
            code: "unsupported_media_type";
        };
    } | {
        status: 429;
        data: Problem & {
            status: 429;
            code: "rate_limited";
        };
    } | {
        status: 431;
        data: Problem & {
            status: 431;
            code: "headers_too_large";
        };
    } | {
        status: 500;
        data: Problem & {
            status: 500;
            code: "internal_error";
        };
    } | {
        status: 503;
        data: Problem & {
            status: 503;
            code: "unavailable";
        };
    }>("/v1/mcp", oazapfts.json({
        ...opts,
        method: "POST",
        body: mcpBody
    }));
}

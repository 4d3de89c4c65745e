/** What `GET /dashboard/api/operations` answers. */
export type WireOperations = {
  as_of: string;
  workers: number;
  due: { count: number; oldest_age_s: number };
  feed_age_s: number;
  delivery_age_s: number;
  registrations_per_minute: number;
  calls_per_minute: number;
  connectors: WireConnector[];
  failures: { connector: string; reason: string; http_status: number | null; asked: boolean; looks: number }[];
  recent: {
    at: string;
    carrier: string;
    connector: string;
    shipment_id: string;
    reason: string;
    http_status: number | null;
    duration_ms: number;
    trace_id: string | null;
  }[];
  queues: { connector: string; waiting: number; active: number; delayed: number; failed: number }[] | null;
};

export type WireConnector = {
  connector: string;
  name: string;
  requests: number;
  succeeded: number;
  latency_p50_ms: number | null;
  latency_p95_ms: number | null;
  usual_ms: number | null;
  circuit: 'closed' | 'half_open' | 'open';
  budget_left: number | null;
  closed_for_s: number | null;
  last_success_at: string | null;
  last_error_at: string | null;
  last_error_reason: string | null;
  due_oldest_age_s: number | null;
  due_count: number;
  suspended: number;
};

export type WireTraceSummary = {
  trace_id: string;
  name: string;
  services: string[];
  started_at: string;
  duration_ms: number;
  failed: boolean;
  http_status: number | null;
  error_type: string | null;
  outcome: string | null;
  carrier: string | null;
  shipment_id: string | null;
};

export type WireSpan = {
  span_id: string;
  parent_span_id: string | null;
  depth: number;
  service: string;
  name: string;
  kind: string;
  status: string;
  offset_ms: number;
  duration_ms: number;
  attributes: Record<string, string | number | boolean>;
  links: { trace_id: string; span_id: string }[];
};

export type WireTrace = { trace_id: string; started_at: string; duration_ms: number; spans: WireSpan[] };

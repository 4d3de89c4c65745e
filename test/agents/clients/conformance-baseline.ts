export type ConformanceRun = 'stable' | 'stateless' | 'everything';

/** Checks that a server with only two tools and their views cannot pass. `runs` are the runs that include the checks. */
export type ExpectedGap = { reason: string; runs: readonly ConformanceRun[]; checks: readonly string[] };

/**
 * Number of successful checks in each run. `stable` is all of 0.1.16. The other two are of 0.2.0-alpha.12: the
 * requirements of revision 2026-07-28 with its extensions, and the whole suite, each scenario in the newest revision
 * that it supports.
 */
export const successes: Record<ConformanceRun, number> = { stable: 6, stateless: 103, everything: 115 };

const all: readonly ConformanceRun[] = ['stable', 'stateless', 'everything'];
const withInitialize: readonly ConformanceRun[] = ['stable', 'everything'];
const newer: readonly ConformanceRun[] = ['stateless', 'everything'];

/**
 * Checks that fail or warn, grouped by reason: `scenario/check`, or one word if both have the same name. Landfall
 * registers nothing just to pass the suite.
 */
export const expectedGaps: readonly ExpectedGap[] = [
  {
    reason:
      'Calls a tool of the suite’s own example server. Landfall has exactly two tools and returns -32602 for an unknown one.',
    runs: all,
    checks: [
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-error',
      'tools-call-with-progress',
      'json-schema-2020-12/json-schema-2020-12-tool-found',
    ],
  },
  {
    reason:
      'Requires a tool that requests sampling, elicitation or logging from the client, which a read-only tool does not do. The suite calls its own.',
    runs: withInitialize,
    checks: [
      'tools-call-with-logging',
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults/elicitation-sep1034-general',
      'elicitation-sep1330-enums/elicitation-sep1330-general',
    ],
  },
  {
    reason: 'Landfall has no prompts and declares none; the method returns -32601.',
    runs: all,
    checks: [
      'prompts-list',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
    ],
  },
  {
    reason: 'Reads a resource of the suite’s own example server. Landfall has only the views of its two tools.',
    runs: all,
    checks: ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  },
  {
    reason: 'The views never change while the server runs, so there is nothing to subscribe to.',
    runs: withInitialize,
    checks: ['resources-subscribe', 'resources-unsubscribe'],
  },
  {
    reason: 'Tests caching hints of a list that Landfall does not have; the checks of its other lists pass.',
    runs: newer,
    checks: ['caching/sep-2549-prompts-list-caching-hints'],
  },
  {
    reason: 'Landfall completes no arguments and declares no completions.',
    runs: all,
    checks: ['completion-complete'],
  },
  {
    reason: 'Landfall sends no log messages to clients and declares no logging.',
    runs: withInitialize,
    checks: ['logging-set-level'],
  },
  {
    reason: 'Requires a session or a resumable stream. Landfall is stateless, and each answer is one complete event.',
    runs: withInitialize,
    checks: [
      'server-sse-multiple-streams/server-sse-multiple-streams-session',
      'server-sse-polling/server-sse-polling-session',
      'server-sse-polling/server-sse-priming-event',
      'server-sse-polling/server-sse-retry-field',
    ],
  },
  {
    reason: 'Not testable according to the suite: it needs a diagnostic tool that only its example server has.',
    runs: newer,
    checks: [
      'server-stateless/sep-2575-server-rejects-undeclared-capability',
      'server-stateless/sep-2575-missing-capability-http-400',
      'server-stateless/sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless/sep-2575-server-no-log-without-loglevel',
    ],
  },
  {
    reason: 'Not testable according to the suite: no tool takes an argument from an HTTP header (x-mcp-header).',
    runs: newer,
    checks: [
      'http-custom-header-server-validation/sep-2243-server-no-xmcp-tool',
      'http-custom-header-server-validation/sep-2243-server-decode-base64',
      'http-custom-header-server-validation/sep-2243-server-validate-param-match',
      'http-custom-header-server-validation/sep-2243-server-reject-invalid-param-chars',
      'http-custom-header-server-validation/sep-2243-server-reject-param-mismatch',
    ],
  },
  {
    reason:
      'Requires a tool or prompt of the suite that asks for input before it answers; both of Landfall’s tools answer at once.',
    runs: newer,
    checks: [
      'input-required-result-basic-elicitation/sep-2322-elicitation-incomplete',
      'input-required-result-basic-sampling/sep-2322-sampling-incomplete',
      'input-required-result-basic-list-roots/sep-2322-list-roots-incomplete',
      'input-required-result-request-state/sep-2322-request-state-incomplete',
      'input-required-result-multiple-input-requests/sep-2322-multiple-inputs-incomplete',
      'input-required-result-multi-round/sep-2322-multi-round-r1',
      'input-required-result-missing-input-response/sep-2322-missing-response-rerequests',
      'input-required-result-non-tool-request/sep-2322-non-tool-incomplete',
      'input-required-result-result-type/sep-2322-result-type-included',
      'input-required-result-tampered-state/sep-2322-reject-tampered-state',
      'input-required-result-capability-check/sep-2322-respect-client-capabilities',
      'input-required-result-ignore-extra-params/sep-2322-ignore-unexpected-params',
    ],
  },
  {
    reason:
      'The extension for long-running tasks, which Landfall does not offer; the suite calls tools of its example server.',
    runs: newer,
    checks: [
      'tasks-lifecycle/tasks-sync-tool-call',
      'tasks-lifecycle/sep-2663-result-type-task-on-create',
      'tasks-lifecycle/sep-2663-tasks-get-status-working',
      'tasks-lifecycle/sep-2663-tasks-get-status-completed',
      'tasks-lifecycle/sep-2663-tool-error-uses-completed-status',
      'tasks-lifecycle/sep-2663-tasks-get-status-failed',
      'tasks-lifecycle/sep-2663-cancel-ack-empty-result',
      'tasks-lifecycle/tasks-cancel-terminal-idempotent-ack',
      'tasks-capability-negotiation/tasks-extension-advertised',
      'tasks-capability-negotiation/sep-2663-tasks-methods-non-declaring',
      'tasks-capability-negotiation/sep-2663-server-rejects-undeclared-client',
      'tasks-capability-negotiation/tasks-per-request-meta-opt-in',
      'tasks-wire-fields/tasks-wire-field-renames',
      'tasks-wire-fields/tasks-no-early-ttl-expiry',
      'tasks-wire-fields/tasks-no-related-task-meta-on-inlined-result',
      'tasks-request-state-removal/tasks-request-state-removal-setup',
      'tasks-mrtr-input/sep-2663-tasks-get-status-input-required',
      'tasks-mrtr-input/tasks-mrtr-tasks-update-resumes',
      'tasks-mrtr-input/tasks-mrtr-partial-fulfillment',
      'tasks-request-headers/tasks-headers-tolerate-mcp-method-on-tools-call',
      'tasks-request-headers/sep-2663-routing-headers-accepted-on-tasks-get',
      'tasks-request-headers/sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      'tasks-dispatch-and-envelope/tasks-server-directed-creation-no-hint',
      'tasks-dispatch-and-envelope/sep-2663-legacy-task-param-ignored',
      'tasks-dispatch-and-envelope/tasks-immediate-result-shortcut',
      'tasks-dispatch-and-envelope/tasks-result-type-complete-on-non-task-responses',
      'tasks-dispatch-and-envelope/sep-2663-durable-create-strong-consistency',
      'tasks-dispatch-and-envelope/sep-2663-tasks-get-invalid-task-id-32602',
      'tasks-required-task-error/sep-2663-server-returns-missing-capability-when-required',
      'tasks-mrtr-composition/sep-2663-mrtr-synchronous-before-task-creation',
    ],
  },
];

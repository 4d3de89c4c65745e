import { withDeadline } from '#shared/async/deadline.ts';
import { measureAlerts } from '#shared/core/alerts/read-messages.ts';
import { readOperations } from '#shared/core/installation/read-operations.ts';
import { measureSettling } from '#shared/core/settling/settle-shipments.ts';
import { countQueued } from '#shared/core/tracking/measure-waiting-work.ts';
import { findTroubles, inWords, type Trouble } from '#shared/domain/installation/find-troubles.ts';
import type { OperationsState, WebhookState } from '#shared/domain/installation/operations.ts';
import { openQueueBackend, queuePrefix } from '#shared/queue/connection.ts';
import { openProducer } from '#shared/queue/producer.ts';
import type { AlertState } from '#shared/store/alerts/measure.ts';
import { openStore, type Store } from '#shared/store/open-store.ts';
import { type PositionRounds, readPositionRounds } from '#shared/store/positions/vessel-positions.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Finding, fail, fine, reasonOf, sizeOf, warn } from './finding.ts';

/** The threshold of the alert. */
const overdueS = 900;
const lateS = 120;
const queueTimeoutMs = 5000;

type Installation = {
  databaseUrl: string;
  redisUrl: string | null;
  settleAfterDays: number | null;
  positionsUrl: string | null;
  hasMail: boolean;
};

/** Checks that accounts are isolated in the database and, if it is `running`, what the operations page says. */
export async function checkWork(installation: Installation, { running }: { running: boolean }): Promise<Finding[]> {
  const opened = await openStore({
    databaseUrl: installation.databaseUrl,
    apiPoolSize: 1,
    systemPoolSize: 1,
    applicationName: 'landfall-doctor',
    onPoolError: () => undefined,
  }).catch((error: unknown) =>
    fail(
      'accounts',
      reasonOf(error),
      "The API and the workers don't start like this. Let infra/scripts/migrate.ts create the roles and logins, and grant them nothing else.",
    ),
  );
  if (!('app' in opened)) return [opened];
  const separated = fine('accounts', 'isolated by row-level security, which the request role cannot bypass');
  try {
    const settling = await checkSettling(opened, installation);
    if (!running) return [separated, settling];
    const state = await readState(installation, opened);
    return [
      separated,
      settling,
      ...checkOperations(state),
      checkDue(state),
      checkWebhooks(state.webhooks),
      checkAlerts(await measureAlerts({ store: opened }), installation),
      ...(installation.positionsUrl === null ? [] : [checkPositions(await withSystem(opened, readPositionRounds))]),
    ];
  } catch (error) {
    return [separated, fail('operations', reasonOf(error), 'The database responded too slowly. Check its load.')];
  } finally {
    await opened.close();
  }
}

/** Counts the closed shipments that are settled and those that are due to settle. */
async function checkSettling(store: Store, { settleAfterDays }: Installation): Promise<Finding> {
  const check = 'settling';
  const { due, settled, bytes } = await measureSettling({ store, settings: { settleAfterDays } });
  const amount = `${settled >= 10_000 ? 'about ' : ''}${Math.round(settled).toLocaleString('en')}`;
  const found = `${amount} shipments are settled (${sizeOf(bytes)})`;
  if (settleAfterDays === null) return fine(check, `off (SETTLE_AFTER_DAYS=never); ${found}`);
  return fine(check, `${due >= 10_000 ? '10,000 or more' : due} closed shipments are due to settle; ${found}`);
}

/** Reads the state that the operations page shows. */
async function readState({ databaseUrl, redisUrl }: Installation, store: Store): Promise<OperationsState> {
  const onError = (): void => undefined;
  const queue = openQueueBackend({
    redisUrl,
    databaseUrl,
    prefix: queuePrefix,
    poolSize: 1,
    telemetry: false,
    onError,
  });
  const producer = openProducer(queue);
  try {
    const countQueues = () => withDeadline(countQueued(producer), queueTimeoutMs, 'the queue did not respond in time');
    return await readOperations({ store, now: () => new Date() }, { countQueues, apiLoopDelayMs: 0 });
  } finally {
    await producer.close();
    await queue.close();
  }
}

/** The troubles of the operations page, in its words. Before the first start, a missing worker is no failure. */
function checkOperations({ workers, ...state }: OperationsState): Finding[] {
  const check = 'operations';
  const running = workers === 0 ? [] : [fine('workers', `${workers} running`)];
  const troubles = findTroubles({ workers, ...state });
  if (troubles.length === 0) return [...running, fine(check, 'no problems')];
  const advice = 'See docs/operate/operations.md for the remedy and the operations page for the details.';
  const evaluate = ({ severity }: Trouble) => (severity === 'bad' && (workers > 0 || state.storageFull) ? fail : warn);
  return [...running, ...troubles.map((trouble) => evaluate(trouble)(check, trouble.text, advice))];
}

/** Reports whether the source of ships' positions responds. */
export function checkPositions({ failures, succeededAt, failure }: PositionRounds): Finding {
  const check = 'positions';
  const last =
    succeededAt === null ? 'POSITIONS_URL has not responded yet' : `last asked successfully at ${succeededAt}`;
  if (failures === 0) return fine(check, last);
  return warn(
    check,
    `POSITIONS_URL failed ${failures} times in a row (${failure}); ${last}`,
    'Check POSITIONS_URL and POSITIONS_TOKEN against docs/operate/positions.md. Maps show the last known positions ' +
      'until then.',
  );
}

/** The webhooks of all accounts. What is sent late, or fails everywhere, is among the operations findings. */
function checkWebhooks(state: WebhookState): Finding {
  const { enabled, failing, disabled, waiting, oldestWaitingAgeS } = state;
  if (enabled + disabled === 0) return fine('webhooks', 'no endpoints');
  const count = (amount: number) => (amount >= 10_000 ? '10,000 or more' : String(amount));
  const ended = disabled === 0 ? '' : `, ${count(disabled)} disabled after failures`;
  const queued =
    waiting === 0
      ? 'no delivery waits for a retry'
      : `${count(waiting)} deliveries wait for a retry, the oldest for ${inWords(oldestWaitingAgeS)}`;
  return fine('webhooks', `${count(enabled)} endpoints enabled, ${count(failing)} failing${ended}; ${queued}`);
}

const lateMessagesS = 1800;

/** The alerts of all accounts. */
export function checkAlerts(state: AlertState, { hasMail }: Pick<Installation, 'hasMail'>): Finding {
  const { alerts, waiting, oldestUnsentAgeS, failedToday } = state;
  const mail = hasMail ? '' : '; no mail server (SMTP_URL)';
  const found = `${alerts} active, ${waiting} messages wait, ${failedToday} failed today${mail}`;
  if (oldestUnsentAgeS < lateMessagesS) return fine('alerts', found);
  return warn(
    'alerts',
    `${found}; the oldest has waited for ${inWords(oldestUnsentAgeS)}`,
    'Check the mail server of SMTP_URL and the workers: see docs/operate/operations.md#alert-messages-are-late.',
  );
}

export function checkDue(of: { dueOldestAgeS: number; dueCount: number; workers: number }): Finding {
  const { dueOldestAgeS: age, dueCount, workers } = of;
  const found = `${dueCount >= 10_000 ? '10,000 or more' : dueCount} shipments are due, the oldest for ${Math.round(age)} s`;
  if (age < lateS) return fine('due shipments', found);
  const advice =
    workers === 0
      ? 'No worker is running. Start one.'
      : 'See "Shipments are overdue" in docs/operate/operations.md. Check the queue, the carrier limits and the ' +
        'number of workers.';
  return age >= overdueS ? fail('due shipments', found, advice) : warn('due shipments', found, advice);
}

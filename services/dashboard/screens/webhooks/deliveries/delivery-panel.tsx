import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '#shared/contract/operations.ts';
import { call } from '../../../api/call.ts';
import { Button } from '../../../parts/button.tsx';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { PanelDialog } from '../../../parts/dialogs/panel-dialog.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { SkeletonRows } from '../../../parts/skeleton.tsx';
import { StandingMark } from '../../../parts/status-icons.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { deliveryQuery, reloadEndpoints } from '../webhook-queries.ts';
import { typeWords } from '../webhook-words.ts';
import { deliveryStanding, deliveryWords } from './delivery-words.ts';
import { EveryTry } from './every-try.tsx';

type Props = { endpointId: string; deliveryId: string; close: () => void };
type Delivery = AnswerOf<'getWebhookDelivery'>;

/** One delivery: its request, and every try with its response. */
export function DeliveryPanel({ endpointId, deliveryId, close }: Props) {
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(endpointId, deliveryId));
  const resending = useMutation({
    mutationFn: () =>
      call('resendWebhookDelivery', { params: { webhook_endpoint_id: endpointId, delivery_id: deliveryId } }),
    onSuccess: reloadEndpoints,
  });
  return (
    <PanelDialog
      title={delivery === undefined ? 'Delivery' : typeWords(delivery.type)}
      note={delivery && <DeliveryState delivery={delivery} />}
      width="w-[640px]"
      close={close}
      footer={
        <>
          {resending.isSuccess && (
            <span role="status" className="mr-auto text-t2">
              Queued. It is sent within seconds.
            </span>
          )}
          <Button
            kind="primary"
            busy={resending.isPending}
            disabled={delivery === undefined || delivery.position === null}
            title={delivery?.position === null ? 'Send a new test instead' : undefined}
            onClick={() => resending.mutate()}
          >
            {resending.isPending ? 'Queuing' : 'Resend'}
          </Button>
        </>
      }
    >
      {resending.isError && <ProblemNote error={resending.error} className="mb-3" />}
      {error !== null && <ProblemNote error={error} retry={() => void refetch()} className="mb-3" />}
      {delivery === undefined ? (
        error === null && <SkeletonRows rows={8} cells={['w-24', 'w-48']} label="Loading: delivery" />
      ) : (
        <>
          <DeliveryFacts delivery={delivery} />
          <EveryTry tries={delivery.every_try} />
          <Request request={delivery.request} isTest={delivery.position === null} />
        </>
      )}
    </PanelDialog>
  );
}

function DeliveryState({ delivery }: { delivery: Delivery }) {
  return (
    <span className="inline-flex items-center gap-2 text-t2">
      <StandingMark sign={deliveryStanding(delivery)} />
      {deliveryWords(delivery)}
    </span>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { shipment_id: shipmentId, next_try_at: nextTryAt } = delivery;
  return (
    <Facts
      rows={{
        'webhook-id': <code className="select-all font-mono text-number">{delivery.webhook_id}</code>,
        Shipment:
          shipmentId === null ? null : (
            <Link
              to="/shipments/$shipmentId"
              params={{ shipmentId }}
              className="font-mono text-accent text-number underline-offset-2 hover:underline"
            >
              {shipmentId}
            </Link>
          ),
        Position: delivery.position === null ? 'none, a test' : delivery.position.toLocaleString(numberLocale()),
        Tries: delivery.tries.toLocaleString(numberLocale()),
        'Next try': nextTryAt === null ? null : <Timestamp at={nextTryAt} exact />,
      }}
    />
  );
}

function Request({ request, isTest }: { request: Delivery['request']; isTest: boolean }) {
  if (request === null) {
    return (
      <section aria-label="Request" className="mt-6">
        <h3 className="mb-1 font-semibold">Request</h3>
        <p className="text-t2">
          {isTest
            ? 'The request of a test is not kept.'
            : 'The feed no longer has this change, so it can’t be composed.'}
        </p>
      </section>
    );
  }
  const target = URL.canParse(request.url) ? new URL(request.url) : null;
  const line = `POST ${target === null ? request.url : `${target.pathname}${target.search}`}\nhost: ${target?.host ?? ''}`;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section aria-label="Request" className="mt-6 flex flex-col gap-3">
      <CodeBlock name="Request headers" code={[line, ...headers].join('\n')} />
      <CodeBlock name="Request body" code={indented(request.body)} />
    </section>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

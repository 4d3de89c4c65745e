import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { connectorName } from '#shared/domain/carriers/carrier-label.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { call } from '../../api/call.ts';
import type { WireCarrier } from '../../api/wire.ts';
import { buttonClasses } from '../../parts/button.tsx';
import { Panel } from '../../parts/dialogs/panel.tsx';
import { type FactRows, Facts } from '../../parts/facts.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { StandingMark } from '../../parts/status-icons.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { identifierWords, modeWords, wordOf } from '../../parts/words/code-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { accessOf, ageWords, connectionWord, durationWords, shareWords, standingOf } from './carrier-words.ts';

const refetchMs = 15_000;

/** One carrier: its state, its credentials, and the numbers it can be tracked by. */
export function CarrierPanel({
  code,
  known,
  close,
}: {
  code: string;
  known: WireCarrier | undefined;
  close: () => void;
}) {
  const { data, error, refetch } = useQuery(carrierQuery(code));
  const carrier = data ?? known;
  return (
    <Panel
      kind="preview"
      narrow="covers the page"
      title={
        <>
          {carrier?.name ?? code}{' '}
          <span className="ml-1 font-mono font-normal text-number text-t3">{carrier?.code}</span>
        </>
      }
      close={close}
    >
      {carrier === undefined && error !== null && (
        <ProblemNote error={error} retry={() => void refetch()} className="p-5" />
      )}
      {carrier !== undefined && <CarrierFacts carrier={carrier} />}
    </Panel>
  );
}

const carrierQuery = (code: string) =>
  queryOptions({
    queryKey: ['carrier', code],
    queryFn: () => call('getCarrier', { params: { carrier_code: code } }),
    refetchInterval: refetchMs,
  });

function CarrierFacts({ carrier }: { carrier: WireCarrier }) {
  const { identifiers, transport_modes: modes, connection, code } = carrier;
  const byMode = Map.groupBy(identifiers, ({ transport_mode: mode }) => mode);
  return (
    <>
      <Part rows={healthOf(carrier)} />
      <Part rows={serviceOf(carrier)} />
      <Part rows={credentialsOf(carrier)} />
      {modes.map((mode) => (
        <div key={mode} className="border-line border-b px-4 py-3">
          <h3 className="mb-1 font-semibold">{modeWords[mode as TransportMode] ?? wordOf(mode)} identifiers</h3>
          <ul>
            {byMode.get(mode)?.map(({ identifier, trackable, shape, check_digit: checkDigit }) => (
              <li key={identifier} className="py-1">
                {identifierWords[identifier as IdentifierKey] ?? wordOf(identifier)}
                <span className="text-t3">{trackable ? '' : ', search only'}</span>
                <p className="text-label text-t3">
                  {shape}
                  {checkDigit !== null && `; check digit ${checkDigit}`}
                </p>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <Part rows={namesOf(carrier)} />
      <div className="flex flex-wrap gap-2 p-4">
        <Link to="/" search={{ carrier: code }} className={buttonClasses()}>
          Shipments
        </Link>
        {connection !== 'pushed_only' && (
          <Link
            to="/configuration/$section"
            params={{ section: 'carriers' }}
            search={{ carrier: code }}
            className={buttonClasses()}
          >
            Credentials
          </Link>
        )}
      </div>
    </>
  );
}

function Part({ rows }: { rows: FactRows }) {
  if (Object.values(rows).every((value) => value === null)) return null;
  return (
    <div className="border-line border-b px-4 py-3">
      <Facts rows={rows} />
    </div>
  );
}

function healthOf(carrier: WireCarrier): FactRows {
  const { health } = carrier;
  const { sign, word } = standingOf(carrier);
  const count = (value: number) => value.toLocaleString(numberLocale());
  return {
    State: (
      <span className="flex items-center gap-2">
        <StandingMark sign={sign} /> {word}
      </span>
    ),
    'Last response': health.last_success_at === null ? 'none' : <Timestamp at={health.last_success_at} exact />,
    'Last failure': health.last_error_at === null ? null : <Timestamp at={health.last_error_at} exact />,
    'Your refreshes':
      health.answered + health.failed === 0
        ? null
        : `${count(health.answered)} successful, ${count(health.failed)} failed`,
    Waiting:
      health.waiting === 0
        ? null
        : `${count(health.waiting)} ${health.waiting === 1 ? 'shipment' : 'shipments'} without a reading`,
  };
}

function serviceOf({ service }: WireCarrier): FactRows {
  if (service === null) return {};
  const rate = service.success_rate === null ? 'no calls' : `${shareWords(service.success_rate)} successful`;
  const latency = service.latency_ms === null ? '' : `, median ${durationWords(service.latency_ms)}`;
  return {
    'Last 5 minutes': `${rate}${latency}`,
    'Oldest due': ageWords(service.lag_s),
    'Calls left': Math.floor(service.budget_left).toLocaleString(numberLocale()),
  };
}

function credentialsOf({ credentials, connection, connection_reason: reason, code }: WireCarrier): FactRows {
  const suspendedAt = credentials.suspended_at;
  const connector = findCarrier(code)?.connector ?? null;
  return {
    Connection: (
      <>
        {connectionWord(connection)}
        {reason !== null && <p className="text-label text-t3">{reason}</p>}
      </>
    ),
    Credentials: connection === 'pushed_only' ? null : accessOf(credentials),
    Rejected:
      suspendedAt === null ? null : (
        <>
          since <Timestamp at={suspendedAt} exact />
        </>
      ),
    Connector: connector === null ? 'none yet' : connectorName(connector),
  };
}

function namesOf({ aliases, prefixes }: WireCarrier): FactRows {
  return {
    'Also called': aliases.length === 0 ? null : aliases.join(', '),
    'Bill prefixes': prefixText(prefixes.bill_of_lading),
    Containers: prefixText(prefixes.container),
    'Waybill prefixes': prefixText(prefixes.air_waybill),
  };
}

function prefixText(prefixes: readonly string[]): ReactNode {
  return prefixes.length === 0 ? null : <span className="font-mono text-number">{prefixes.join(' ')}</span>;
}

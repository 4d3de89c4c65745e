import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { IdentifierKey } from '#shared/domain/shipments/shipment.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';
import type { WireCarrier } from '../../api/wire.ts';
import { buttonClasses, IconButton } from '../../parts/button.tsx';
import { identifierWords, modeWords, wordOf } from '../../parts/code-words.ts';
import { StandingMark } from '../../parts/marks.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { accessOf, ageWords, durationWords, shareWords, standingOf } from './carrier-words.ts';
import { carrierQuery } from './carriers-query.ts';

/** Everything of one carrier: how it does, with what it is asked, and by which numbers it can be. */
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
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    // On a phone the panel covers the list; there the reader goes with it.
    if (window.matchMedia('(max-width: 63.99rem)').matches) panel.current?.focus();
    return () => {
      setTimeout(() => document.activeElement === document.body && before instanceof HTMLElement && before.focus());
    };
  }, []);
  useEffect(() => {
    // From the list as well, where the focus stays; what stands over the page takes its own Escape.
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.key === 'Escape' && !event.defaultPrevented && target?.closest('[role=dialog], input') === null)
        close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [close]);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={carrier?.name ?? code}
      className="w-[344px] shrink-0 overflow-auto border-line border-l bg-bg outline-none max-lg:fixed max-lg:inset-0 max-lg:z-30 max-lg:w-auto max-lg:border-l-0"
    >
      <header className="flex min-h-[52px] items-center gap-2 border-line border-b px-5">
        <h2 className="text-title font-semibold tracking-[-0.01em]">{carrier?.name ?? code}</h2>
        <span className="font-mono text-number text-t3">{carrier?.code}</span>
        <IconButton icon="close" label="Close" className="ml-auto" onClick={close} />
      </header>
      {carrier === undefined && error !== null && (
        <ProblemNote error={error} retry={() => void refetch()} className="p-5" />
      )}
      {carrier !== undefined && <Facts carrier={carrier} />}
    </aside>
  );
}

function Facts({ carrier }: { carrier: WireCarrier }) {
  const {
    health,
    service,
    credentials,
    identifiers,
    aliases,
    prefixes,
    transport_modes: modes,
    supported,
    code,
  } = carrier;
  const { sign, word } = standingOf(carrier);
  const asked = health.answered + health.failed;
  const byMode = Map.groupBy(identifiers, ({ transport_mode: mode }) => mode);
  return (
    <>
      <Part>
        <Fact name="State">
          <span className="flex items-center gap-2">
            <StandingMark sign={sign} /> {word}
          </span>
        </Fact>
        <Fact name="Last answer">
          {health.last_success_at === null ? 'none' : <Moment at={health.last_success_at} exact />}
        </Fact>
        {health.last_error_at !== null && (
          <Fact name="Last failure">
            <Moment at={health.last_error_at} exact />
          </Fact>
        )}
        {asked > 0 && (
          <Fact name="Your refreshes">
            {health.answered.toLocaleString('en')} answered, {health.failed.toLocaleString('en')} failed
          </Fact>
        )}
        {health.waiting > 0 && (
          <Fact name="Waiting">{health.waiting.toLocaleString('en')} shipments without an answer</Fact>
        )}
      </Part>
      {service !== null && (
        <Part>
          <Fact name="Last 5 minutes">
            {service.success_rate === null ? 'not asked' : `${shareWords(service.success_rate)} answered`}
            {service.latency_ms !== null && `, half within ${durationWords(service.latency_ms)}`}
          </Fact>
          <Fact name="Late by">{ageWords(service.lag_s)}</Fact>
          <Fact name="Budget">{Math.floor(service.budget_left).toLocaleString('en')} calls may be made now</Fact>
        </Part>
      )}
      <Part>
        <Fact name="Credentials">{supported ? accessOf(credentials) : 'not needed: nothing asks it'}</Fact>
        {credentials.suspended_at !== null && (
          <Fact name="Refused">
            since <Moment at={credentials.suspended_at} exact />
          </Fact>
        )}
        <Fact name="Connector">{findCarrier(code)?.connector ?? 'none yet'}</Fact>
      </Part>
      {modes.map((mode) => (
        <Part key={mode}>
          <h3 className="mb-1 font-semibold">
            {modeWords[mode as TransportMode] ?? wordOf(mode)}: what it can be asked by
          </h3>
          <ul>
            {byMode.get(mode)?.map(({ identifier, trackable, shape, check_digit: checkDigit }) => (
              <li key={identifier} className="py-1">
                {identifierWords[identifier as IdentifierKey] ?? wordOf(identifier)}
                <span className="text-t3">{trackable ? '' : ', kept and searched only'}</span>
                <p className="text-label text-t3">
                  {shape}
                  {checkDigit !== null && `; check digit ${checkDigit}`}
                </p>
              </li>
            ))}
          </ul>
        </Part>
      ))}
      <Part>
        {aliases.length > 0 && <Fact name="Also called">{aliases.join(', ')}</Fact>}
        {prefixes.bill_of_lading.length > 0 && <Fact name="Bills begin">{codes(prefixes.bill_of_lading)}</Fact>}
        {prefixes.container.length > 0 && <Fact name="Containers">{codes(prefixes.container)}</Fact>}
        {prefixes.air_waybill.length > 0 && <Fact name="Waybills begin">{codes(prefixes.air_waybill)}</Fact>}
      </Part>
      <div className="flex flex-wrap gap-2 p-5">
        <Link to="/" search={{ carrier: code }} className={buttonClasses()}>
          Its shipments
        </Link>
        {supported && (
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

function Part({ children }: { children: ReactNode }) {
  return <div className="border-line border-b px-5 py-3 empty:hidden">{children}</div>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[104px_1fr] gap-x-2 py-0.5">
      <dt className="text-t2">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </dl>
  );
}

function codes(all: readonly string[]): ReactNode {
  return <span className="font-mono text-number">{all.join(' ')}</span>;
}

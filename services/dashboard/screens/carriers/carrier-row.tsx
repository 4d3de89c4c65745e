import type { Carrier } from '../../api/landfall-client.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StandingMark } from '../../parts/standing-mark.tsx';
import { accessOf, ageWords, durationWords, shareWords, standingOf } from './carrier-words.ts';

const latefromS = 300;

/** One carrier: how it answers, with what it is asked, and how fast. */
export function CarrierRow({ carrier, selected, open }: { carrier: Carrier; selected: boolean; open: () => void }) {
  const { code, name, transport_modes: modes, credentials, service, health, supported } = carrier;
  const { sign, word } = standingOf(carrier);
  const none = <span className="text-t3">–</span>;
  return (
    <tr
      className={`h-8 border-line border-b max-md:grid max-md:h-auto max-md:grid-cols-[1fr_auto] max-md:px-4 max-md:py-2.5 ${selected ? 'bg-sel' : 'hover:bg-hover'}`}
      onClick={open}
    >
      <td
        className={`border-l-2 pr-3 pl-3.5 max-md:border-l-0 max-md:pl-0 ${selected ? 'border-accent' : 'border-transparent'}`}
      >
        <button
          type="button"
          aria-expanded={selected}
          className="flex max-w-full items-center gap-2 text-left"
          onClick={open}
        >
          <span className="flex shrink-0 gap-1 text-t2">
            {modes.map((mode) => (
              <Icon key={mode} name={mode as IconName} size={16} />
            ))}
          </span>
          <span className="min-w-0 truncate font-medium" title={name}>
            {name}
          </span>
          <span className="font-mono text-number text-t3">{code}</span>
        </button>
      </td>
      <td className="pr-3 max-md:col-start-1">
        <span className="flex items-center gap-2">
          <StandingMark sign={sign} />
          <span className={sign === 'none' ? 'text-t3' : 'text-t2'}>{word}</span>
        </span>
      </td>
      <td className="pr-3 text-t2 max-md:hidden">
        {supported ? (
          <span className={credentials.state === 'suspended' ? 'text-red' : ''}>{accessOf(credentials)}</span>
        ) : (
          none
        )}
      </td>
      <td className="pr-3 text-t2 max-md:col-start-2 max-md:row-start-1 max-md:pr-0 max-md:text-right">
        {health.last_success_at === null ? none : <Moment at={health.last_success_at} />}
      </td>
      <td className="pr-3 text-right tabular-nums max-lg:hidden">
        {service?.success_rate == null ? none : shareWords(service.success_rate)}
      </td>
      <td className="pr-3 text-right tabular-nums max-lg:hidden">
        {service?.latency_ms == null ? none : durationWords(service.latency_ms)}
      </td>
      <td className="pr-3 text-right tabular-nums max-lg:hidden">
        {service === null ? (
          none
        ) : (
          <span className={service.lag_s > latefromS ? 'text-amber' : ''}>{ageWords(service.lag_s)}</span>
        )}
      </td>
      <td className="pr-3 text-right tabular-nums max-lg:hidden">
        {service === null ? none : Math.floor(service.budget_left).toLocaleString('en')}
      </td>
      <td className="pr-4 text-right tabular-nums max-md:col-start-2 max-md:row-start-2 max-md:pr-0">
        {health.waiting === 0 ? none : health.waiting.toLocaleString('en')}
        {health.waiting > 0 && <span className="md:sr-only"> wait</span>}
      </td>
    </tr>
  );
}

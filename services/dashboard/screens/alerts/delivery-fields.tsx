import type { WirePreferences } from '#shared/contract/alerts/preferences-wire.ts';
import { type Channel, channels, type Timing, timings } from '#shared/domain/alerts/alert.ts';
import { CheckboxLine } from '../../parts/inputs/checkbox.tsx';
import { NativeSelect } from '../../parts/inputs/select.tsx';
import { channelWords, hourText, timingWords } from './alert-words.ts';

export type AlertDelivery = { channels: readonly Channel[]; timing: Timing };

type Props = { value: AlertDelivery; preferences: WirePreferences; change: (value: AlertDelivery) => void };

/** Fields for the channels and the time of a notification. Channels without an address cannot be chosen. */
export function DeliveryFields({ value, preferences, change }: Props) {
  const hostOf = (channel: Channel) => preferences.addresses.find((one) => one.channel === channel)?.host;
  const digest = `${hourText(preferences.digest_hour)} in ${preferences.time_zone}`;
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-2 font-semibold text-section">How</legend>
      {channels.map((channel) => {
        const host = hostOf(channel);
        const isReady = channel === 'email' || host !== undefined;
        return (
          <CheckboxLine
            key={channel}
            checked={value.channels.includes(channel)}
            disabled={!isReady}
            onChecked={(on) => {
              const others = value.channels.filter((one) => one !== channel);
              change({ ...value, channels: on ? [...others, channel] : others });
            }}
            hint={channel === 'email' ? mailHint(preferences) : (host ?? 'Set its address under Alerts first.')}
          >
            {channelWords[channel]}
          </CheckboxLine>
        );
      })}
      <NativeSelect
        label="When"
        value={value.timing}
        onChange={(event) => change({ ...value, timing: event.target.value as Timing })}
        hint={value.timing === 'daily' || value.timing === 'weekdays' ? `At ${digest}.` : undefined}
        className="max-w-72"
      >
        {timings.map((timing) => (
          <option key={timing} value={timing}>
            {timingWords[timing]}
          </option>
        ))}
      </NativeSelect>
    </fieldset>
  );
}

export function mailHint({ email, mail_available: isAvailable, mail_off: isOff }: WirePreferences): string {
  if (!isAvailable) return 'This installation has no mail server yet. Your operator sets SMTP_URL.';
  return isOff ? `${email}. You have turned e-mail off.` : email;
}

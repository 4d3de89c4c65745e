import type { Statement } from './statement.ts';
import { enclose, type Written } from './write-files.ts';
import type { Draft } from './write-messages.ts';

/** A message with one mistake: what the answer must say of it, and which statements are lost with it. */
export type Spoilt = {
  written: Written;
  lost: Statement[];
  outcome: 'refused' | 'partly_taken';
  tag: string;
  reason: RegExp;
};

export const spoils = ['control number', 'count', 'cut', 'date', 'place', 'status'] as const;
export type Spoil = (typeof spoils)[number];

/** Spoils the message in one of the known ways. In a message of several statuses, it is the last one that is spoilt. */
export function spoilMessage(draft: Draft, spoil: Spoil, serial: number): Spoilt {
  const { kind, body, states } = draft;
  const written = enclose(kind, body, serial);
  const [at = 0, statement] = [...states].at(-1) ?? [];
  const last = written.segments.length - 1;
  const all = [...states.values()];
  const change = (place: number, replace: (segment: string) => string): Written => ({
    ...written,
    segments: written.segments.map((segment, index) => (index === place ? replace(segment) : segment)),
  });
  const whole = (spoilt: Written, tag: string, reason: RegExp): Spoilt => ({
    written: spoilt,
    lost: all,
    outcome: 'refused',
    tag,
    reason,
  });
  /** Only the status is lost, unless it is the message's only one. */
  const one = (spoilt: Written, tag: string, reason: RegExp): Spoilt => {
    const isOnly = states.size === 1 || kind === '315' || kind === '322';
    return {
      written: spoilt,
      lost: isOnly ? all : [statement as Statement],
      outcome: isOnly ? 'refused' : 'partly_taken',
      tag,
      reason,
    };
  };
  if (kind === 'FSU') return spoilFsu({ written, at, whole, one, change, spoil });
  // The header stands before the body.
  const status = at + 1;
  const tag = /^\w+/.exec(written.segments[status] ?? '')?.[0] ?? '';
  const end = kind === 'IFTSTA' ? 'UNT' : 'SE';
  switch (spoil) {
    case 'control number':
      return whole(
        change(last, (segment) => `${segment}9`),
        end,
        /has control number \d+, but the message began with/,
      );
    case 'count':
      return whole(
        change(last, (segment) => segment.replace(/(?<=[*+])\d+/, (count) => `${Number(count) + 3}`)),
        end,
        /counts \d+ segments/,
      );
    case 'cut':
      // Its end is lost with the terminator: the next segment follows in the midst of it.
      return whole(
        {
          ...written,
          segments: written.segments.flatMap((segment, index) =>
            index === status
              ? []
              : index === status + 1
                ? [`${(written.segments[status] ?? '').slice(0, 6)}${segment}`]
                : [segment],
          ),
        },
        end,
        /counts \d+ segments/,
      );
    case 'date':
      if (kind === 'IFTSTA')
        return one(
          change(status + 2, (segment) => segment.replace(/:\d{8}/, ':20251399')),
          'STS',
          /20251399 is not a date/,
        );
      return one(
        change(status, (segment) => segment.replace(/\*20\d{6}\*/, '*20251399*')),
        tag,
        /20251399 is not a date/,
      );
    case 'place':
      if (kind === 'IFTSTA')
        return one(
          change(status + 3, () => 'LOC+175+QQZZZ:139:6'),
          'STS',
          /QQZZZ is not a UN\/LOCODE/,
        );
      if (kind === '214')
        return one(
          change(status + 1, () => 'MS1*NOWHERE**QQ'),
          tag,
          /QQ is not a country code/,
        );
      return one(
        {
          ...written,
          segments: written.segments.map((segment) =>
            segment.replace(/(?<=^R4\*5\*UN\*)[A-Z]{5}|(?<=\*)[A-Z]{5}(?=\*UN\*)/, 'QQZZZ'),
          ),
        },
        tag,
        /QQZZZ is not a UN\/LOCODE/,
      );
    case 'status':
      return one(
        change(status, (segment) => segment.replace(kind === 'IFTSTA' ? /\d+$/ : /(?<=^(AT7|Q5)\*|^B4\*\*\*)\w+/, '')),
        tag,
        /has no (status )?code/,
      );
  }
}

type Fsu = {
  written: Written;
  at: number;
  spoil: Spoil;
  whole: (spoilt: Written, tag: string, reason: RegExp) => Spoilt;
  one: (spoilt: Written, tag: string, reason: RegExp) => Spoilt;
  change: (place: number, replace: (segment: string) => string) => Written;
};

function spoilFsu({ written, at, spoil, whole, one, change }: Fsu): Spoilt {
  const line = written.segments[at] ?? '';
  const tag = line.slice(0, 3);
  switch (spoil) {
    case 'control number':
    case 'count': {
      // Cargo-IMP has neither: the number that it must not get wrong is the air waybill.
      const wrong = (number: string) =>
        number.replace(
          /^(\d{3}-\d{7})(\d)/,
          (_, start: string, digit: string) => `${start}${(Number(digit) + 1) % 10}`,
        );
      const spoilt = change(1, wrong);
      const control = wrong(written.control);
      return whole(
        { ...spoilt, control },
        spoilt.segments[1]?.split('/')[0] ?? '',
        /The check digit of air waybill .* is wrong/,
      );
    }
    case 'cut':
      return one(
        change(at, (segment) => segment.slice(0, 6)),
        tag,
        /has no date, or is cut off/,
      );
    case 'date':
      return one(
        change(at, (segment) => segment.replace(/\/\d{2}[A-Z]{3}/, '/45XXX')),
        tag,
        /45XXX\d* is not a date/,
      );
    case 'place':
      return one(
        change(at, (segment) => segment.replace(/(\/\d{2}[A-Z]{3}\d*\/)[A-Z]{3}/, '$1QQQ')),
        tag,
        /QQQ is not an airport/,
      );
    case 'status':
      return one(
        change(at, (segment) => `ZQQ${segment.slice(3)}`),
        'ZQQ',
        /ZQQ is not a status code/,
      );
  }
}

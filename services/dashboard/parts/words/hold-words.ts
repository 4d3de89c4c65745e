import type { HoldType } from '#shared/domain/events/stated-free-time.ts';
import { wordOf } from './code-words.ts';

type StatedHold = { type: string; status: string; detail: string | null };

const holdWords: Record<HoldType, string> = {
  customs: 'Customs hold',
  freight: 'Freight hold',
  terminal: 'Terminal hold',
  agriculture: 'Agriculture hold',
  exam: 'Exam hold',
  line: 'Line hold',
  other: 'Hold',
};

export function holdWord(type: string): string {
  return (holdWords as Record<string, string>)[type] ?? `${wordOf(type)} hold`;
}

/** True when the hold stops the container, now or soon. */
export function isHeld({ status }: Pick<StatedHold, 'status'>): boolean {
  return status !== 'released';
}

/** `Customs hold: documents missing`, `Terminal hold, pending`. Released ones are quiet: `Customs hold released`. */
export function holdText({ type, status, detail }: StatedHold): string {
  if (status === 'released') return `${holdWord(type)} released`;
  const name = status === 'active' ? holdWord(type) : `${holdWord(type)}, ${status.replaceAll('_', ' ')}`;
  return detail === null ? name : `${name}: ${detail}`;
}

import type { EdiReading } from '#shared/edi/edi-reading.ts';

/** The result of a reader that reads in steps. */
export function readAll(steps: Generator<unknown, EdiReading>): EdiReading {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The one message of a file. */
export function onlyMessage(reading: EdiReading) {
  const messages = reading.interchanges.flatMap((interchange) => interchange.messages);
  const [message] = messages;
  if (message === undefined || messages.length > 1) throw new Error(`${messages.length} messages`);
  return message;
}

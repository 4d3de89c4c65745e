import { createYield } from '#shared/async/yield-event-loop.ts';
import { type EdiFile, type EdiPart, readEdiFile } from '#shared/edi/read-edi-file.ts';

export async function* parseEdi(file: EdiFile): AsyncGenerator<EdiPart> {
  const yieldIfDue = createYield();
  for (const part of readEdiFile(file)) {
    if (part !== undefined) yield part;
    await yieldIfDue();
  }
}

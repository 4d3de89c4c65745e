import type { ErrorCode, InputMistake, LandfallError } from '../errors.ts';

/** Reason for refusing a row, as plain data that a database can store. */
export type RowError = { code: ErrorCode; detail: string; mistakes: InputMistake[]; shipmentIds: string[] };

/** The error as it is stored. Its texts may quote what a client sent. */
export function toRowError(error: LandfallError): RowError {
  return {
    code: error.code,
    detail: storableText(error.message),
    mistakes: error.mistakes.map(({ pointer, code, detail }) => ({
      pointer: storableText(pointer),
      code: storableText(code),
      detail: storableText(detail),
    })),
    shipmentIds: error.shipmentIds,
  };
}

/** Text with U+FFFD in place of what Postgres can't store: NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

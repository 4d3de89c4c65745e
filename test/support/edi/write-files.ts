import type { Kind } from './statement.ts';

/** A message as it stands in a file: its segments, or the lines of Cargo-IMP. */
export type Written = { kind: Kind; control: string; segments: string[] };

const groups: Readonly<Partial<Record<Kind, string>>> = { '214': 'QM', '315': 'QO', '322': 'SO' };
export const paths: Readonly<Record<Kind, { path: string; type: string }>> = {
  '214': { path: '/v1/edi/x12', type: 'application/edi-x12' },
  '315': { path: '/v1/edi/x12', type: 'application/edi-x12' },
  '322': { path: '/v1/edi/x12', type: 'application/edi-x12' },
  IFTSTA: { path: '/v1/edi/edifact', type: 'application/edifact' },
  FSU: { path: '/v1/edi/cargo-imp', type: 'text/plain' },
};

/** The message with its own header and trailer. */
export function enclose(kind: Kind, body: readonly string[], serial: number): Written {
  const control = kind === 'FSU' ? (/^[\d-]+/.exec(body[1] ?? '')?.[0] ?? '') : String(serial).padStart(4, '0');
  const count = body.length + 2;
  if (kind === 'FSU') return { kind, control, segments: [...body] };
  if (kind === 'IFTSTA')
    return { kind, control, segments: [`UNH+${control}+IFTSTA:D:95B:UN`, ...body, `UNT+${count}+${control}`] };
  return { kind, control, segments: [`ST*${kind}*${control}`, ...body, `SE*${count}*${control}`] };
}

/** A file with messages of one kind, in one interchange. */
export function writeFile(kind: Kind, messages: readonly Written[], serial: number): string {
  if (kind === 'FSU') return messages.map(({ segments }) => `${segments.join('\r\n')}\r\n`).join('');
  if (kind === 'IFTSTA') {
    const all = [
      `UNB+UNOC:3+SIMLINE+ACME+250301:0800+${serial}`,
      ...messages.flatMap(({ segments }) => segments),
      `UNZ+${messages.length}+${serial}`,
    ];
    return all.map((segment) => `${segment}'`).join('\n');
  }
  const control = String(serial).padStart(9, '0');
  const all = [
    `ISA*00*          *00*          *ZZ*SIMLINE        *ZZ*ACME           *250301*0800*U*00401*${control}*0*P*>`,
    `GS*${groups[kind]}*SIMLINE*ACME*20250301*0800*${serial}*X*004010`,
    ...messages.flatMap(({ segments }) => segments),
    `GE*${messages.length}*${serial}`,
    `IEA*1*${control}`,
  ];
  return all.map((segment) => `${segment}~`).join('\n');
}

import type { Shipment } from '../../api/landfall-client.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { SidePanel } from './side-panel.tsx';
import { recordPath } from './use-shipment.ts';

/** The record as programs read it. */
export function RecordPanel({ shipment, close }: { shipment: Shipment; close: () => void }) {
  const text = JSON.stringify(shipment, null, 2);
  return (
    <SidePanel title="The record" close={close} footer={<CopyButton text={text} label="Copy the JSON" />}>
      <p className="mb-3 break-all font-mono text-number text-t2">GET {recordPath(shipment.shipment_id)}</p>
      <pre className="whitespace-pre-wrap break-words rounded-control bg-sunk p-3 font-mono text-[11.5px] leading-[18px]">
        {text}
      </pre>
    </SidePanel>
  );
}

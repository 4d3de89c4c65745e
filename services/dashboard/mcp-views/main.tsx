import './styles.css';
import { createRoot } from 'react-dom/client';
import { View } from './view.tsx';
import { openView } from './view-state.ts';

const { view: name } = document.documentElement.dataset;
const element = document.getElementById('app');
if (element === null || (name !== 'shipments' && name !== 'shipment')) throw new Error('not the page of a view');

const tool = name === 'shipments' ? 'list_shipments_summary' : 'get_shipment_details';
createRoot(element).render(<View view={openView(`landfall-${name}`, tool)} address={readAddress()} />);

/** The origin of the dashboard; null if the API does not know it. */
function readAddress(): string | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="landfall-address"]')?.content ?? '';
  return /^https?:\/\//.test(content) && URL.canParse(content) ? new URL(content).origin : null;
}

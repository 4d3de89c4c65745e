import { escaped } from '../overview-page.ts';
import { behaviours, type Received, type Receiver } from './receiver-book.ts';

const style = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8884;padding:.25rem .8rem .25rem 0;text-align:left;vertical-align:top}
code,pre{font-size:13px}pre{overflow:auto;max-height:24rem;margin:.3rem 0}form{display:inline-flex;flex-wrap:wrap;gap:.5rem;max-width:100%;margin:0 1rem .5rem 0}
select,input{max-width:100%}.wrap{overflow-x:auto}.good{color:#177245}.bad{color:#c0392b}@media (prefers-color-scheme:dark){.good{color:#5fc98e}.bad{color:#ff7b6b}}`;

/** Renders the deliveries that arrived at the receivers, and each receiver's behaviour. */
export function receiverPage(receivers: readonly Receiver[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Webhook receiver</title>
<style>${style}</style></head>
<body><h1>Webhook receiver</h1>
<p>Three addresses that receive webhooks. Change how one responds to see what Landfall does. The page lists the latest
requests and whether their signature is valid. Reload it to see newer ones.</p>
${receivers.map(section).join('\n')}
</body></html>`;
}

function section({ name, behaviour, secrets, received, verified, latest }: Receiver): string {
  const options = Object.entries(behaviours)
    .map(([id, { says }]) => `<option value="${id}"${id === behaviour ? ' selected' : ''}>${id}: ${says}</option>`)
    .join('');
  return `<section aria-labelledby="${name}"><h2 id="${name}"><code>/receiver/${name}</code></h2>
<p>${behaviour === name ? 'It' : 'Changed: it'} ${escaped(behaviours[behaviour].says)}. ${received} received, ${verified} with a valid
signature. ${secrets.length === 0 ? 'No secret known.' : `${secrets.length} ${secrets.length === 1 ? 'secret' : 'secrets'} known.`}</p>
<form method="post" action="/receiver/${name}/behaviour"><select name="behaviour" aria-label="Behaviour of ${name}">${options}</select><button>Set</button></form>
<form method="post" action="/receiver/${name}/secrets"><input name="secret" placeholder="whsec_…" required autocomplete="off" aria-label="Secret for ${name}"><button>Add secret</button></form>
${latest.length === 0 ? '<p>Nothing has arrived yet.</p>' : `<div class="wrap"><table><thead><tr><th>Received</th><th>Type</th><th>webhook-id</th><th>Signature</th><th>Response</th><th>Body</th></tr></thead><tbody>${latest.map(row).join('')}</tbody></table></div>`}
</section>`;
}

function row({ at, id, type, fault, status, arrival, body }: Received): string {
  const signature = fault === null ? '<span class="good">valid</span>' : `<span class="bad">${escaped(fault)}</span>`;
  return `<tr><td>${at.slice(11, 19)}</td><td>${escaped(type ?? '–')}</td><td><code>${escaped(id)}</code>${arrival > 1 ? ` (${arrival} times)` : ''}</td><td>${signature}</td><td>${status ?? 'none'}</td><td><details><summary>${body.length.toLocaleString('en')} characters</summary><pre>${escaped(readable(body))}</pre></details></td></tr>`;
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

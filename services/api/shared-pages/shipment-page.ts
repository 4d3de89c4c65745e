import type { SharedMilestone, SharedPlace, SharedView } from '#shared/contract/shares/shared-view.ts';
import type { IdentifierKey, Status } from '#shared/domain/record/shipment.ts';
import { filled, html, isolated, type Markup } from './markup.ts';
import { framePage, type PageFrame, type RenderedPage } from './page-frame.ts';
import type { PageMap } from './page-map.ts';
import { formatsOf, type PageFormats, placeWords } from './page-times.ts';
import type { PageWords } from './words/page-words.ts';
import { wordsOf } from './words/words-of.ts';

type Language = { words: PageWords; formats: PageFormats };

const stageCount = 5;
/** Number of completed stages of five for each status. A status that ended otherwise has none. */
const stages: Readonly<Record<Status, number | null>> = {
  pending: 0,
  booked: 1,
  in_transit: 2,
  arrived: 3,
  available_for_pickup: 4,
  out_for_delivery: 4,
  delivered: 5,
  returned: null,
  failed: null,
  cancelled: null,
};

/** The page of a shipment. `map`: null when no place is known well enough to be drawn. */
export function shipmentPage(
  view: SharedView,
  map: PageMap | null,
  frame: Omit<PageFrame, 'title' | 'description' | 'style'>,
): RenderedPage {
  const language = { words: wordsOf[frame.language], formats: formatsOf(frame.language) };
  const main = html`
${headline(view, language)}
${endOf(view, language)}
${stagesOf(view.status)}
${map === null ? null : mapOf(map, view, language)}
${milestonesOf(view, language)}
${estimatesOf(view, language)}
${detailsOf(view, language)}
<p class="note">${language.words.localTimes} ${filled(language.words.updated, { time: html`<time datetime="${view.updatedAt}">${language.formats.instant(view.updatedAt)}</time>` })}</p>`;
  return framePage(
    {
      ...frame,
      title: titleOf(view, language, frame.brand.name),
      description: descriptionOf(view, language),
      ...(map === null ? {} : { style: labelStyle(map) }),
    },
    main,
  );
}

/** `In transit: Shanghai → Rotterdam`. */
export function summaryOf(view: SharedView, { words }: Pick<Language, 'words'>): string {
  const ends = [view.origin, view.destination].flatMap((place) => (place === null ? [] : [place.name]));
  return [words.statuses[view.status], ends.join(' → ')].filter((part) => part !== '').join(': ');
}

function titleOf(view: SharedView, language: Language, brand: string | null): string {
  return `${summaryOf(view, language)} · ${brand ?? language.words.title}`;
}

function descriptionOf(view: SharedView, { words, formats }: Language): string {
  return view.end === null ? words.noEstimate : `${endTitle(view.end, words)}: ${formats.moment(view.end.time)}`;
}

function headline({ status, origin, destination }: SharedView, { words, formats }: Language): Markup {
  const way = [origin, destination].flatMap((place) => (place === null ? [] : [placeOf(place, formats)]));
  const [from, to] = way;
  const line =
    to === undefined || from === undefined ? (from ?? null) : html`${from} <span aria-hidden="true">→</span> ${to}`;
  return html`<h1>${words.statuses[status]}</h1>${line === null ? null : html`<p class="way">${line}</p>`}`;
}

function placeOf(place: SharedPlace, formats: PageFormats): Markup {
  const { name, country } = placeWords(place, formats);
  return country === null ? isolated(name) : html`${isolated(name)}, ${country}`;
}

function endTitle({ kind, isActual }: NonNullable<SharedView['end']>, words: PageWords): string {
  if (isActual) return kind === 'delivery' ? words.delivered : words.arrived;
  return kind === 'delivery' ? words.expectedDelivery : words.expectedArrival;
}

function endOf({ end, delayHours, status }: SharedView, { words, formats }: Language): Markup | null {
  if (end === null) {
    return stages[status] === null ? null : html`<div class="end"><p>${words.noEstimate}</p></div>`;
  }
  const delay = delayHours === null ? null : html`<dd><p>${delayWords(delayHours, { words, formats })}</p></dd>`;
  return html`<dl class="end"><dt>${endTitle(end, words)}</dt><dd class="when"><time datetime="${end.time.local}">${formats.moment(end.time)}</time></dd>${delay}</dl>`;
}

function delayWords(hours: number, { words, formats }: Language): string {
  if (Math.abs(hours) < 1) return words.onTime;
  return (hours > 0 ? words.later : words.earlier).replace('{span}', formats.span(Math.abs(hours)));
}

function stagesOf(status: Status): Markup | null {
  const reached = stages[status];
  if (reached === null) return null;
  const marks = Array.from({ length: stageCount }, (_, index) =>
    index < reached ? html`<li class="done"></li>` : html`<li></li>`,
  );
  // The heading says it in words.
  return html`<ul class="stages" aria-hidden="true">${marks}</ul>`;
}

function mapOf(map: PageMap, view: SharedView, { words }: Language): Markup {
  const named = { from: view.origin?.name ?? '', to: view.destination?.name ?? '' };
  const label = words.mapOf.replace(/\{(from|to)\}/g, (_, end: 'from' | 'to') => named[end]);
  const labels = map.ends.map((end, index) => html`<b class="e${index}">${isolated(end.name)}</b>`);
  return html`<div class="map"><svg viewBox="0 0 ${map.width} ${map.height}" role="img" aria-label="${label}">
<path class="land" d="${map.land}"/>
${map.done.map((d) => html`<path class="way-done" d="${d}"/>`)}
${map.ahead.map((d) => html`<path class="way-ahead" d="${d}"/>`)}
${map.ports.map(({ x, y, isAhead }) => html`<circle class="${isAhead ? 'port-ahead' : 'port'}" cx="${x}" cy="${y}" r="5"/>`)}
${map.position === null ? null : html`<circle class="ring" cx="${map.position.x}" cy="${map.position.y}" r="8"/>`}
</svg>${labels}</div>${map.isApproximate ? html`<p class="note">${words.approximate}</p>` : null}`;
}

/** Each label stands beside its place, on the side with more room. Positions are rules: style attributes are forbidden. */
function labelStyle({ ends }: PageMap): string {
  return ends
    .map(({ left, top, isStart }, index) => {
      const side = left < 0.5 ? `left:calc(${percent(left)} + 10px)` : `right:calc(${percent(1 - left)} + 10px)`;
      const other = ends[1 - index];
      const isCrowded = other !== undefined && Math.abs(other.top - top) < 0.16 && Math.abs(other.left - left) < 0.5;
      const shift = isCrowded && !isStart ? '6px' : '-26px';
      return `.e${index}{${side};top:calc(${percent(top)} + ${shift})}`;
    })
    .join('');
}

function percent(share: number): string {
  return `${Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10}%`;
}

function milestonesOf({ milestones }: SharedView, language: Language): Markup {
  const { words } = language;
  const ahead = milestones.filter(({ isActual }) => !isActual).reverse();
  const done = milestones.filter(({ isActual }) => isActual);
  const rows = [...ahead, ...done].map((milestone) => milestoneRow(milestone, language));
  const list = rows.length === 0 ? html`<p>${words.nothingYet}</p>` : html`<ol class="events">${rows}</ol>`;
  return html`<h2>${words.milestonesTitle}</h2>${list}`;
}

function milestoneRow({ code, isActual, time, place, vehicle }: SharedMilestone, { words, formats }: Language): Markup {
  const where = place === null ? null : html`<span>${placeOf(place, formats)}</span>`;
  const by = vehicle === null ? null : html` · ${isolated(vehicle)}`;
  const expected = isActual ? null : html`${words.expected} · `;
  const when = html`<span>${expected}<time datetime="${time.local}">${formats.moment(time)}</time>${by}</span>`;
  return html`<li class="${isActual ? 'past' : 'ahead'}"><b>${words.milestones[code]}</b>${where}${when}</li>`;
}

/** A single estimate has no history. */
function estimatesOf({ estimates }: SharedView, { words, formats }: Language): Markup | null {
  if (estimates.length < 2) return null;
  const rows = estimates.map(
    ({ time, seenOn }) => html`<tr><td>${formats.day(seenOn)}</td><td>${formats.moment(time)}</td></tr>`,
  );
  return html`<h2>${words.estimates}</h2><table><thead><tr><th scope="col">${words.estimatedOn}</th><th scope="col">${words.estimate}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function detailsOf(view: SharedView, { words }: Language): Markup | null {
  const rows: [string, readonly string[]][] = [
    ...view.identifiers.map(({ name, value }): [string, string[]] => [
      words.identifiers[name as IdentifierKey] ?? name,
      [value],
    ]),
    [words.containers, view.containers],
    [words.pieces, view.pieces],
    [words.carrier, view.carrierName === null ? [] : [view.carrierName]],
    [words.reference, view.references],
    [words.tags, view.tags],
    ...view.metadata.map(({ name, value }): [string, string[]] => [name, [value]]),
  ];
  const shown = rows.filter(([, values]) => values.length > 0);
  if (shown.length === 0) return null;
  const lines = shown.map(
    ([name, values]) =>
      html`<tr><th scope="row">${isolated(name)}</th><td>${values.map((value, index) => html`${index === 0 ? '' : ', '}${isolated(value)}`)}</td></tr>`,
  );
  return html`<h2>${words.details}</h2><table><tbody>${lines}</tbody></table>`;
}

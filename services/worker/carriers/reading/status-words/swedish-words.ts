import { clause } from './clause.ts';
import type { LanguageWords } from './status-meaning.ts';

const given = '(?:levererat|levererats|levererade?|utlamnade?|utlamnats?|utdelade?|utdelats)';
const negation = 'inte|ej|icke|aldrig|utan';
const modal = 'kommer att|ska|skall|kan|bor|maste|vantas|blir|bli|vara|om|nar|innan';
const elsewhere = 'och|men|eller|hemma|dar';

export const swedishWords: LanguageWords = {
  nothing: [/\bavisering skickad\b(?!.*sista hamtningsdag)/],
  returned: [/\b(levererats|utlamnad|levererad) till avsandaren\b|\bretur levererad\b/],
  return_started: [/\breturner\w*\b|\bretur\b|\btill avsandaren\b|\bskickas tillbaka\b/],
  lost: [/\b(forlorad|forstord|forsvunnen)\b/],
  cancelled: [
    /(?<!\b(inte|ej|ska|bli|\w*hamtning\w*|tull\w*|retur\w*|omdirigering\w*)( \w+)? )\b(avbestalld|makulerad|annullerad)\b/,
  ],
  collected: [/\b(uthamtad|hamtats|hamtad|utlamnad)\b.{0,12}\b(av|till) mottagaren\b/],
  customs_released: [/\btullklarerad\b|\bfrigiven fran tullen\b|\btullklareringen ar (klar|slutford)\b/],
  duties_due: [/\b(tullavgift|importavgift|moms)\b.*\b(betala|betalas|obetald)\b|\bvantar pa betalning\b/],
  customs: [/\btull\w*\b/],
  delivery_attempted: [
    /\bgick inte att leverera\b|\bkunde inte (levereras|lamnas)\b|\bmisslyckat leveransforsok\b/,
    /\bleveransforsok\b|\bmottagaren var inte (hemma|dar)\b/,
  ],
  out_for_delivery: [/\butkorning\b|\bute for leverans\b|\blastad pa bil\b|\bunder utkorning\b/],
  available_for_pickup: [
    /\bkan hamtas\b|\blevererats till (ett |en )?(servicestalle|ombud|utlamningsstalle|paketskap|paketbox)\b/,
    /\bklar for upphamtning\b|\bredo att hamtas\b|\bfinns att hamta\b|\bavisering skickad\b/,
    /\bankommit till (ombud|servicestalle)\w*\b/,
  ],
  redirected: [/\bomdirigera\w*\b|\beftersand\w*\b|\bandrad leverans\w*\b/],
  problem: [/\bforsen\w*\b|\bskadad\w*\b|\bvagrad\b|\bfelaktig adress\b|\bproblem med\b|\bfelsorterad\b/],
  not_yet: [clause({ from: 'annu (?:inte|ej)|(?:inte|ej) annu', to: given, not: elsewhere })],
  undelivered: [clause({ from: negation, to: given, not: elsewhere })],
  found: [/(?<!\b(inte|ej) )\b(aterfunnen|aterfunnits|hittad|hittats)\b/],
  unfinished: [
    clause({
      from: `${negation}|${modal}`,
      to: 'forlorade?|forstorde?|forsvunnen|hamtade?|hamtats|klar|slutford',
      not: elsewhere,
    }),
    /\binte\b[^.;]*\b(hamtad|hamtats|uthamtad|tullklarerad)\b/,
  ],
  forecast: [
    `${clause({ from: modal, to: given, not: elsewhere })}[^.;]*`,
    /\b(kommer att|ska|skall) (levereras|lamnas)\b[^.;]*|\bberaknad leverans\b[^.;]*/,
    /\bsista hamtningsdag\b[^.;]*/,
  ],
  delivered: [/\blevererats?\b|\blevererat\b|\blevererad\b|\butlamnad\b|\butdelad\b/],
  announced: [
    /\b(frakt|paket)?information\b.{0,20}\bmottag\w*\b|\bregistrerat?\b|\bavisering fran avsandaren\b/,
    /\bforbereds\b/,
  ],
  picked_up: [/\blamnats av avsandaren\b|\bhamtats\b|\binlamnad\b|\bupphamtad\b/],
  moving: [
    /\b(pa vag|under transport|ankommit|ankomst|lamnat|terminal\w*|sorter\w*|overlamnats|lastats|hanteras|avgang)\b/,
  ],
};

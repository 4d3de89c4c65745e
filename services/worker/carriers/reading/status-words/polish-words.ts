import { clause } from './clause.ts';
import type { LanguageWords } from './status-meaning.ts';

const given = String.raw`(?:doreczon|dostarczon)\w*`;
const modal = String.raw`zostanie|zostana|zostac|bedzie|beda|byc|moze|moga|ma|maja|jesli|gdy|jezeli|powinn\w*`;
const elsewhere = 'i|oraz|ale|lub|domu';

export const polishWords: LanguageWords = {
  nothing: [/\bpowiadomieni\w*\b|\banulowano przekierowanie\b|\bofert\w*\b|\banulowano zwrot\b/],
  returned: [/\bzwrot doreczony\b|\bdoreczon\w* do nadawcy\b|\bdoreczon\w* nadawcy\b/],
  return_started: [/\bzwr(ot|oci|ocon|aca)\w*\b|\bodeslan\w*\b/],
  lost: [/\b(zaginion|zagubion|zniszczon)\w*\b/],
  cancelled: [
    /(?<!\bnie )(?<!\b(odbior|zlecenie|zwrot|kurier)\w*\b.{0,20})\banulowan\w*(?=[.;!]|$)/,
    /(?<!\bnie )\banulowan\w* (przesylk|paczk|zamowien|etykiet|nadani)\w*/,
  ],
  collected: [
    /\bodebran\w*\b.{0,20}\bprzez (odbiorc|klienta|adresat)\w*\b|\bodebrana osobiscie\b/,
    /\bodebrana w punkcie\b/,
  ],
  customs_released: [/\bodpraw\w* celn\w* (zakonczona|zwolniona)\b|\bodprawion\w* celnie\b|\bzwolnion\w* .*cel\w*\b/],
  duties_due: [/\buregulowania oplat\b|\boczekuje na (oplat|platnosc)\w*\b|\bnie uiscil oplaty\b/],
  customs: [/\bceln\w*\b|\burzad celny\b/],
  delivery_attempted: [
    /\bproba doreczenia\b|\bnie bylo w domu\b|\bbrak mozliwosci doreczenia\b|\bnie powiodl\w*\b/,
    /\bnieudan\w* (proba|doreczen|dostaw)\w*\b|\bnie zasta(no|l)\b|\bnie(doreczon|dostarczon)\w*\b/,
  ],
  out_for_delivery: [
    /\b(przekazan\w*|wydan\w*)\b.{0,15}\bdo doreczenia\b|\bw doreczeniu\b|\bkurierowi do doreczenia\b/,
    /\bwydanie\b.*\bdoreczenia\b/,
  ],
  available_for_pickup: [
    /\b(czeka|oczekuje) na (odbior|odebranie)\b|\bumieszczon\w* w paczkomacie\b|\bnieodebrana . czeka\b/,
    /\bczekajacej paczce\b|\bdo odbioru\b|\bgotow\w* do odbioru\b/,
  ],
  redirected: [/\bprzekierowan\w*\b|\bdecyzja odbiorcy\b|\bnow\w* (adres|data|termin)\b/],
  problem: [
    /\bopoznieni\w*\b|\bodmow\w*\b|\bodmowil\b|\bblednie zaadresowan\w*\b|\bniepelny adres\b/,
    /\bniekompletn\w*\b|\buszkodzon\w*\b|\bmagazyn\w*\b|\bwstrzyman\w*\b|\bproblem\b|\btermin odbioru\b/,
    /\bbledn\w*\b/,
  ],
  not_yet: [clause({ from: 'jeszcze nie|nie .{0,20}jeszcze', to: given, not: elsewhere })],
  undelivered: [clause({ from: 'nie', to: given, not: elsewhere }), /\bnie(doreczon|dostarczon)\w*/],
  found: [/(?<!\bnie )\b(odnalezion|znalezion)\w*/],
  unfinished: [
    clause({
      from: `nie|${modal}`,
      to: String.raw`(?:zaginion|zagubion|zniszczon|zakonczon|zwolnion|odebran|wydan)\w*`,
      not: elsewhere,
    }),
    /\bnie (zostal\w* )?(odebran|odprawion)\w*( \w+){0,3}|\boczekuje na odprawe\b/,
  ],
  forecast: [
    `${clause({ from: modal, to: given, not: elsewhere })}[^.;]*`,
    /\b(zostanie|bedzie) (doreczon|dostarczon)\w*\b[^.;]*|\bplanowan\w* (doreczeni|dostaw)\w*\b[^.;]*/,
  ],
  delivered: [/\bdoreczon[aoyei]\w*\b|\bdostarczon\w*\b/],
  announced: [
    /\butworzon\w*\b|\bprzygotowana przez nadawce\b|\bdane (elektroniczne )?przesylki\b/,
    /\bjeszcze nie nadana\b|\bzarejestrowan\w*\b|\boczekuje na nadanie\b/,
  ],
  picked_up: [/\bnadan\w*\b(?! jeszcze)|\bodebran\w*\b|\bwyslana przez nadawce\b/],
  moving: [
    /\b(przyjet\w*|przyjecie|w trasie|w drodze|wyslan\w*|dotarl\w*|opuscil\w*|sortow\w*|oddzial\w*|przekazan\w*|transporcie|obslugiwan\w*)\b/,
  ],
};

import { clause } from './clause.ts';
import type { LanguageWords } from './status-meaning.ts';

const given = 'bezorgd|afgeleverd|geleverd|overhandigd';
const negation = 'niet|nooit|geen|zonder';
const modal = 'word(?:t|en)|kan|kunnen|zal|zullen|moet(?:en)?|mag|zodra|als|indien|totdat';
const gone = 'vernietigd|vermist|verloren';
const elsewhere = 'en|maar|of|dus|thuis|aanwezig';

export const dutchWords: LanguageWords = {
  nothing: [
    /\b(afhaalopdracht|retouropdracht|transactie)\b.*\b(geannuleerd|mislukt)\b|\be-?mail is verzonden\b/,
    /\bgewogen\b|\bnog geen status\b|\bgeen zending om af te halen\b|\bafhaalzending niet\b/,
    /\bretourlabel gegenereerd\b/,
  ],
  returned: [/\bretourzending (is )?(afgeleverd|bezorgd)\b|\b(bezorgd|afgeleverd) bij (de )?afzender\b/],
  return_started: [/\bretour\w*\b|\bterug naar (de )?afzender\b|\bgeretourneerd\b|\bteruggestuurd\b/],
  lost: [/\b(vernietigd|vermist|verloren)\b/],
  cancelled: [
    /\bzendingsopdracht geannuleerd\b|\b(zending|pakket|bestelling) is geannuleerd\b/,
    /\bheeft de zending geannuleerd\b/,
  ],
  collected: [
    /(?<!\bworden )\b(afgehaald|opgehaald) (bij|op|door) (een |het |de )?(postnl-punt|ontvanger|ophaalpunt|servicepoint|parcelshop|pakketautomaat|geadresseerde)\b/,
    /\bopgehaald door de ontvanger\b/,
  ],
  customs_released: [
    /\bdouane\b.*\b(goedgekeurd|vrijgegeven|ingeklaard)\b|\b(invoer)?aangifte\b.*\bafgerond\b|\bingeklaard\b/,
  ],
  duties_due: [/\b(wacht op betaling|verzoek tot betaling|importkosten|invoerrechten)\b/],
  customs: [/\bdouane\b|\binklaring\b|\binvoeraangifte\b|\baangifte\b/],
  delivery_attempted: [
    /\b(niet|nog niet) (afgeleverd|bezorgd)\b|\bbezorgen lukte niet\b|\bhebben (je|u) gemist\b/,
    /\bbezorging (niet (gelukt|mogelijk)|mislukt)\b|\bniet thuis\b|\bgeadresseerde afwezig\b|\bbezorgpoging mislukt\b/,
    /\bpaste niet\b/,
  ],
  out_for_delivery: [
    /\bbezorger is onderweg$|\bbezorger is onderweg(?! naar)\b|\bonderweg met de bezorger\b/,
    /\bwordt vandaag bezorgd\b|\bvandaag\b.*\bbezorgd\b/,
  ],
  available_for_pickup: [
    /\baf te halen\b|\b(ligt|staat) (voor je |voor u )?klaar\b|\bkan worden (afgehaald|opgehaald)\b/,
    /\bbeschikbaar (op|bij)\b/,
    /(?<!\bwordt )\bbezorgd (bij|op) (een |het )?(postnl-punt|servicepoint|parcelshop|afhaalpunt)\b/,
    /\bophalen bij\b/,
  ],
  redirected: [
    /\bkeuze van ontvanger\b|\bbezorging gewijzigd\b|\bdoorgestuurd naar\b|\bomgeleid\b/,
    /\bbezorgmoment gewijzigd\b|\bbezorgdatum\b.*\baangepast\b/,
  ],
  problem: [
    /\bvertraagd\b|\bvertraging\b|\buitgesteld\b|\bbijgewerkt\b|\bgeweigerd\b|\bbeschadigd\b|\bonbereikbaar\b/,
    /\bkan niet bezorgd\b|\b(onjuist\w*|incorrect|onbekend) ?(adres\w*)?\b/,
    /\badres\b.*\b(onjuist|incorrect|onbekend)\b|\bherstelprocedure\b|\bin opslag\b|\bfout bij\b/,
    /\bonbestelbaar\b/,
  ],
  not_yet: [clause({ from: 'nog (?:steeds )?niet', to: given, not: elsewhere })],
  undelivered: [clause({ from: negation, to: given, not: elsewhere })],
  found: [/(?<!\bniet )\b(terug)?gevonden\b/],
  unfinished: [
    String.raw`\b(?:${negation}|${modal})\b[^.;]*?\b(?:${gone})\b|\b(?:${gone}) (?:worden|wordt)\b`,
    String.raw`\b(?:${negation}|${modal})\b[^.;]*?\b(?:afgerond|goedgekeurd)\b`,
    /\b(niet|kan|kunnen|wordt|moet)\b[^.;]*\b(afgehaald|opgehaald|ingeklaard|vrijgegeven)\b/,
  ],
  forecast: [
    String.raw`\b(?:${modal})\b(?:(?!\bis\b|\bzijn\b)[^.;])*?\b(?:${given}|overgedragen)\b[^.;]*`,
    String.raw`\b(?:${given}) (?:${modal})\b`,
    /\bverwachte (bezorging|levering)\b[^.;]*/,
  ],
  delivered: [/\b(bezorgd|afgeleverd|geleverd|overhandigd)\b/],
  announced: [
    /\bnog niet\b.*\b(ontvangen|verwerkt)\b|\b(aangemeld|voorgemeld)\b|\bafhaalopdracht ontvangen\b/,
    /\blabel aangemaakt\b/,
  ],
  picked_up: [
    /\bontvangen (door|op|bij)\b|\b(afgehaald|opgehaald) door postnl\b|\bafgehaald\b|\bingeleverd\b/,
    /\baangenomen\b|\bgeaccepteerd\b/,
  ],
  moving: [
    /\b(gesorteerd|sorteercentrum|onderweg|verzonden|transport|aangekomen|vertrokken|lijndienst|de grens over|depot|verwerkt)\b/,
  ],
};

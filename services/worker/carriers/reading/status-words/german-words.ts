import { clause } from './clause.ts';
import type { LanguageWords } from './status-meaning.ts';

const given = 'zugestellt|ausgeliefert|geliefert|ausgehandigt';
const negation = String.raw`nicht|nie|niemals|kein\w*|ohne`;
const modal = String.raw`wird|werden|kann|konnen|soll\w*|muss\w*|darf|durfen|wenn|falls|sobald|bis|bevor`;
const gone = 'vernichtet|zerstort|entsorgt|verloren';
const elsewhere = 'und|oder|aber|sondern|daher|angetroffen|anwesend|zuhause|hause';
/** The words between an auxiliary and the participle that ends a German clause: dates too, but no past tense. */
const between = String.raw`(?:(?!\bwurden?\b|\bworden\b)(?:[^.;]|(?<=\d)\.|(?<!\d)\.(?=\d)))*?`;

export const germanWords: LanguageWords = {
  nothing: [
    /\b(wunsch\w*|ruckversand|letzte status|vorherige status|stornierung)\b.*\b(storniert|geloscht|korrigiert)\b/,
    /\bhinweis zur zustellung erstellt\b/,
  ],
  returned: [
    /\b(retoure|rucksendung)\b.*\bbeim (auftraggeber|absender|versender) (eingegangen|eingetroffen)\b/,
    /\ban (den )?absender (zuruck)?(zugestellt|ausgeliefert)\b/,
  ],
  return_started: [
    /\bruckweg zum (auftraggeber|absender|versender)\b|\bzuruck(gefuhrt|gesandt|gesendet|geschickt|geht)\b/,
    /\b(retoure|rucksendung|ruckversand|rucksendung der sendung)\b|\ban den absender zuruck\w*\b/,
    /\bzuruck (an|zum) (den )?(absender|versender|auftraggeber)\b|\bretourniert\b/,
  ],
  lost: [/\b(verloren|vernichtet|zerstort|entsorgt)\b/],
  cancelled: [
    /\b(sendung|paket|auftrag|bestellung|label)\b(?:(?!\bnicht\b|\bwird\b|abhol|umleit|wunsch|zoll|retour|ruck|nachnahme).){0,40}\bstorniert\b(?! (werden|wird))/,
  ],
  collected: [
    /\b(vom|durch den) (empfanger|kunden)\b.*\babgeholt\b/,
    /\bempfanger hat (die sendung|das paket)\b.*\babgeholt\b|\baus der packstation abgeholt\b/,
  ],
  customs_released: [
    /\b(zoll\w*|verzoll\w*)\b.*\b(freigegeben|abgeschlossen|erteilt|erfolgt|beendet|verlassen)\b/,
    /\bsendung verzollt\b/,
  ],
  duties_due: [
    /\b(zollgebuhr\w*|einfuhrabgaben|nachentgelt|abgaben|zahlung)\b.*\b(fallig|ausstehend|erforderlich|offen|zu zahlen)\b/,
    /\bwartet auf zahlung\b/,
  ],
  customs: [/\bzoll\w*\b|\bverzoll\w*\b/],
  delivery_attempted: [
    /\bnicht (angetroffen|anwesend|zuhause|zu hause)\b/,
    /\b(konnte|konnten)\b.{0,80}\bnicht (zugestellt|ausgeliefert|ubergeben|in die packstation eingestellt)\b/,
    /\bzustellversuch\b|\bzustellung\b.{0,40}\b(nicht (moglich|erfolgreich)|erfolglos)\b|\bbenachrichtigungskarte\b/,
  ],
  wrong_way: [/\bzum falschen\b|\bauf die falsche tour\b/],
  out_for_delivery: [
    /\b(in|auf) (das |die |dem |gls )*(zustellfahrzeug|zustelltour)\b|\bin (auslieferung|zustellung)\b/,
    /\bwird heute zugestellt\b|\bim laufe des tages zugestellt\b|\bauf das \w+ zustellfahrzeug\b/,
    /\bin der zustellung\b/,
  ],
  available_for_pickup: [
    /\bzur abholung\b|\babholbereit\b/,
    /\bim (gls |dhl |hermes |dpd )?(paket ?shop|filiale|servicepoint)\b.{0,40}\b(zugestellt|eingetroffen|hinterlegt)\b/,
    /\b(an|bei) (ups )?access point\b|\babgeholt werden\b|\bliegt in der (packstation|filiale)\b/,
  ],
  redirected: [
    /\b(umgeleitet|umleitung|paketumleitung|wunsch\w*|ablageort|nachgesandt|nachsendung|weitergeleitet an)\b/,
    /\bneue\w* (adresse|zustelltag)\b|\bgewahlt\b/,
  ],
  problem: [
    /\bverzoger\w*\b|\baufbewahrt\b|\b(schaden\w*|beschadigt\w*)\b|\bfehlgeleitet\b|\bunbekannt\b/,
    /\bverweiger\w*\b|\babgelehnt\b|\bnicht angenommen\b|\banschrift\b.*\bnicht\b/,
    /\badresse?\w*\b.*\b(falsch|unvollstandig|unbekannt|fehler\w*)\b|\bfehlgeschlagen\b/,
    /\bnoch nicht\b.*\beingetroffen\b|\bangehalten\b|\bunzustellbar\b|\bzuruckgestellt\b/,
    /\bleider nicht wie geplant\b/,
  ],
  not_yet: [clause({ from: 'noch (?:immer )?nicht|noch nie', to: `(?:${given})(?: worden)?`, not: elsewhere })],
  undelivered: [clause({ from: negation, to: given, not: elsewhere })],
  handed_over: [
    /\b(an|im|ins|in das|bei) (das |den |die |dem |der )?(\w+ )?(\w*depot|\w*zentrum|hub|terminal|spediteur|fluggesellschaft|frachtfuhrer) (zugestellt|ausgeliefert|geliefert)\b/,
    /\b(zugestellt|ausgeliefert|geliefert) (an|im|ins|in das|bei) (das |den |die |dem |der )?(\w*depot|\w*zentrum|hub|terminal|spediteur|fluggesellschaft|frachtfuhrer)\b/,
  ],
  found: [/(?<!\bnicht )\b(wieder|auf)?gefunden\b/],
  unfinished: [
    String.raw`\b(?:${negation}|${modal})\b${between}\b(?:${gone}|eingegangen|eingetroffen)\b|\b(?:${gone}) (?:werden|wird)\b`,
    String.raw`\b(?:${negation}|${modal})\b[^.;]*\b(?:abgeschlossen|erteilt|erfolgt|beendet)\b`,
    clause({ from: `${negation}|${modal}`, to: 'erfolgreich|ubergeben|in den briefkasten', not: elsewhere }),
    /\bnicht\b[^.;]*\b(abgeholt|verzollt|freigegeben)\b|\b(kann|wird|soll|muss)\b[^.;]*\b(abgeholt|verzollt|freigegeben)\b/,
    /\babgeholt werden\b/,
  ],
  forecast: [
    String.raw`\b(?:${modal})\b${between}\b(?:${given})\b`,
    String.raw`(?<!\bkonnten?\b[^.;]*)\b(?:${given}) (?:werden|wird)\b`,
    /\b(voraussichtlich\w*|geplante|erwartete) (zustell\w*|lieferung|auslieferung)\b[^.;]*/,
    /\bzustellung (erfolgt )?(ist )?(voraussichtlich|geplant)\b[^.;]*|\bfur die zustellung\b/,
    /\bund die zustellung\b[^.;]*|\bund zu einem spateren zeitpunkt zugestellt\b/,
  ],
  delivered: [
    /\b(zugestellt|ausgeliefert|ausgehandigt|geliefert)\b|\bzustellung erfolgreich\b/,
    /\bubergeben an den empfanger\b|\bin den briefkasten\b/,
  ],
  announced: [
    /\belektronisch\b.*\b(angekundigt|ubermittelt|avisiert)\b|\b(auftragsdaten|sendungsdaten|paketdaten)\b/,
    /\bauftrag verarbeitet\b|\bangekundigt\b|\bnoch nicht an\b.*\bubergeben\b|\blager des auftraggebers\b/,
    /\blabel erstellt\b/,
  ],
  picked_up: [
    /\babgeholt\b|\beingeliefert\b|\babgegeben\b/,
    /\b(an|von) (gls|dhl|ups|dpd|hermes|das gls system)\b.*\bubergeben\b|\bubernommen\b/,
    /\babholung\b.*\bubernommen\b/,
  ],
  moving: [
    /\b(sortiert|bearbeitet|eingetroffen|angekommen|ankunft|verlassen|verlasst|weitertransport|unterwegs|transit|transport\w*|weitergeleitet|vorbereitet|ubergeben|auslandstransport|bearbeitung|hat das|befordert)\b/,
  ],
};

import { clause } from './clause.ts';
import type { LanguageWords } from './status-meaning.ts';

const point = '(point (de )?(retrait|relais)|relais|consigne|locker|bureau de poste|boite postale|casier)';

const given = '(?:livre|distribue|remis|restitue)e?s?';
const negation = String.raw`pas|non|jamais|sans|ne|n'\w+`;
const modal =
  "sera|seront|va|vont|doit|doivent|devrait|devraient|peut|peuvent|pourra|pourrait|etre|d'etre|si|lorsque|des que|avant";
const elsewhere = 'et|ou|mais|donc|absent|present|disponible';

export const frenchWords: LanguageWords = {
  nothing: [/\bsignature enregistree\b|\binforme par (sms|mail|e-mail)\b|\bexpedition groupee\b|\bretour annule\b/],
  returned: [/\b(livre|remis|restitue) (a|au) (l'expediteur|l'expediteur|vendeur|son expediteur)\b/],
  return_started: [
    /\bretour(ne|nee|s)?\b.{0,25}\b(a |vers )?l'?expediteur\b|\bretour en cours\b|\brenvoye\b|\bretourne\b/,
    /\bretour expediteur\b|\bsuite a un retour\b/,
  ],
  lost: [/\b(perdu|detruit)e?\b/],
  cancelled: [
    /\b(colis|envoi|commande|expedition)\b.{0,20}\bannulee?\b(?<!\b(pas|non|sera|etre|retrait|enlevement|ramassage|retour|douane)\b.{0,25})|^annulee?(?=[.;!]|$)/,
  ],
  collected: [
    /\bretire\w* par (le |son )?destinataire\b|\bretrait effectue\b|\bdestinataire a retire\b/,
    /\ba ete retire\b/,
  ],
  customs_released: [
    /(?<!attente de )\bdedouane\w*\b(?! en cours)(?<!attente de dedouanement)|\bformalites\b.*\bterminees\b/,
    /\bsorti de la douane\b|\blibere\w* (par|de) la douane\b/,
  ],
  duties_due: [/\b(droits|taxes|frais)\b.*\b(a payer|a regler|dus|en attente)\b|\bpaiement\b.*\b(attente|requis)\b/],
  customs: [/\bdouan\w*\b|\bdedouan\w*\b|\bformalites (import|export)\w*/],
  delivery_attempted: [
    /\bn'?(a|avons|ont) (pas )?pu (etre|vous)\b.{0,40}\b(livree?|remettre|distribuee?|remis)\b/,
    /\bne peut (etre )?(pas )?(etre )?livree? ce jour\b|\bechec de (la )?livraison\b/,
    /\bdestinataire (etait )?absent\b|\bavis de passage\b|\btente de livrer\b|\bnon livree?\b/,
    /\babsence du destinataire\b|\bn'a pu etre livree?\b|\blivraison (impossible|non effectuee|n'a pas)\b/,
  ],
  out_for_delivery: [
    /\ben cours de (livraison|distribution)\b(?! au point)|\bsorti pour livraison\b|\ben livraison\b(?!\.)/,
    /\ben tournee\b|\ble livreur est en route\b/,
  ],
  available_for_pickup: [
    String.raw`\b(disponible|a disposition|mis a disposition|vous attend|attend)\b.{0,30}\b${point}\b|\bpret a etre retire\b|\bpour retirer le colis\b|\b(livre|depose) (au|en|dans (le|un|votre)) ${point}\b`,
  ],
  redirected: [
    /\breachemine\w*\b|\breexpedie\w*\b|\breroute\w*\b|\bchangement (de |d.)(date|adresse)\b|\bredirige\w*\b/,
    /\binstruction de livraison\b/,
  ],
  problem: [
    /\bretard\w*\b|\breportee?\b|\bincident(?!, votre colis est en cours)\b|\banomalie\b|\bendommage\w*\b/,
    /\bavarie\b|\brefusee?\b|\badresse\b.*\b(incorrecte|incomplete|erronee|inconnue)\b|\bincorrecte\b/,
    /\ben attente d'informations\b|\bne (pourra|peut)\b.*\blivre\b|\berreur d'adressage\b|\bprohibe\b/,
    /\bbloque\b|\ben attente\b/,
  ],
  not_yet: [
    String.raw`(?:\bn'\w+ |\bne \w+ )?${clause({ from: '(?:pas|non) encore|toujours pas', to: given, not: elsewhere })}`,
  ],
  undelivered: [clause({ from: negation, to: given, not: elsewhere })],
  handed_over: [
    String.raw`\b${given} (?:au|a la|a l'|a un|chez le|dans le)\s?(?:depot|centre|hub|plateforme|terminal|transporteur|compagnie aerienne)\b`,
  ],
  found: [/(?<!\bpas (encore )?(ete )?)\bretrouvee?s?\b/],
  unfinished: [
    clause({ from: `${negation}|${modal}`, to: '(?:detruit|perdu|termine|effectue|retire)e?s?', not: elsewhere }),
    /\b(non|pas|ne|n'\w+|attente|sera|va) [^.;]*\b(retiree?|dedouanee?|libere)\b|\bpret a etre retire\b/,
  ],
  forecast: [
    String.raw`\b(?:${modal})\b(?:(?!\ba ete\b)[^.;])*?\b(?:${given}|presentee?s?|mise?s?)\b[^.;]*`,
    /\blivraison (est )?(prevue|estimee|programmee)\b[^.;]*|\bpour (sa|la|le mettre en) livraison\b/,
    /\bpour en assurer sa livraison\b|\b(apte|pret) a etre livre\b/,
  ],
  delivered: [
    /\blivree?s?\b/,
    /\bremise? (au|a son) (?!transporteur)|\bremise? en mains? propres?\b/,
    /\blivraison effectuee\b|\bdistribue\w*\b/,
  ],
  announced: [
    /\ben (cours de )?preparation (chez|par)\b|\bpas encore pris en charge\b/,
    /\binformations? (transmises?|recues?)\b|\betiquette (creee|imprimee)\b|\bcolis (enregistre|annonce)\b/,
    /\bbientot nous etre confie\b|\brecu l'information\b|\bannonce\b/,
  ],
  picked_up: [
    /\b(pris|prise) en charge\b(?! de votre colis sur)|\bdepose\w* (par l'expediteur|dans un point|en)\b/,
    /\bramasse\w*\b|\bcollecte\w*\b|\bremis par\b|\benleve\w*\b/,
  ],
  moving: [
    /\b(acheminement|achemine|transit|arrivee?|depart|parti|expedie|traite\w*|tri|entree?|en route|en chemin|site (de livraison|logistique|de distribution)|agence|partir)\b/,
  ],
};

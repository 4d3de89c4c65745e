import { clause } from './clause.ts';
import type { LanguageWords } from './status-meaning.ts';

const given = 'entregad[oa]s?|retornad[oa]s?';
const negation = 'no|nunca|jamas|sin|ni';
const modal =
  'ser|siendo|puede|pueden|podra|debe|deben|deberia|seria|va a|van a|tiene que|si|cuando|hasta que|antes de';
const elsewhere = 'y|o|pero|casa|presente|disponible|estaba';

export const spanishWords: LanguageWords = {
  nothing: [/\brecogida (fallida|cancelada)\b|\bdevolucion (anulada|cancelada)\b|\bintento de recogida\b/],
  returned: [/\b(entregad[oa]|retornad[oa]) (al|a su) remitente\b|\bdevolucion entregada\b/],
  return_started: [/\bdevol\w*\b|\bdevuel\w*\b|\bretorno\b|\bal remitente\b/],
  lost: [/\b(perdid|extraviad|destruid)[oa]\b/],
  cancelled: [
    /\b(envio|paquete|pedido)\b.{0,20}\b(anulad|cancelad)[oa]\b(?<!\b(no|sera|ser|recogida|devolucion|aduana)\b.{0,20})|^(anulad|cancelad)[oa](?=[.;!]|$)/,
  ],
  collected: [/\b(recogid|retirad)[oa] por (el |su )?(destinatario|cliente)\b|\bdestinatario ha (retirado|recogido)\b/],
  customs_released: [
    /\b(liberad|despachad)[oa] (por|de) (la )?aduana\b|\bsalida de (la )?aduana\b/,
    /\btramites? (de aduana|aduaneros?) (finalizad\w*|completad\w*)\b/,
  ],
  duties_due: [/\b(arancel|impuestos|tasas)\b.*\b(pendiente|pagar|pago)\b|\bpendiente de pago\b/],
  customs: [/\baduan\w*\b/],
  delivery_attempted: [
    /\bintento de entrega\b(?! programad)|\bausen(te|cia)\b(?<!si el destinatario esta ausente)/,
    /\bno (se ha podido |se pudo |se puede |se ha |ha sido |ha podido ser )?(entregad[oa]|entregar)\b|\bentrega fallida\b/,
  ],
  out_for_delivery: [/\ben reparto\b|^reparto$|\ben proceso de entrega\b|\bsalio a reparto\b|\ben entrega\b/],
  available_for_pickup: [
    /\ba disposicion\b|\bdisponible (en|para)\b|\ben oficina\b(?<!admitido en oficina)(?! de correos)/,
    /\b(depositad|entregad)[oa] en (el |un )?(parcel ?shop|punto|oficina|locker|citypaq)\b|\bpara recoger\b/,
    /\blisto para recoger\b/,
  ],
  redirected: [
    /\bredirigid[oa]\b|\breexpedid[oa]\b|\b(fecha|direccion) de entrega modificada\b|\bcambio de direccion\b/,
  ],
  problem: [
    /\bretras\w*\b|\bdemor\w*\b|\bincidencia\b|\bdireccion\b.*\b(incorrecta|incompleta|erronea)\b/,
    /\brehusad[oa]\b|\brechazad[oa]\b|\bdanad[oa]\b|\bretenid[oa]\b|\bestacionado\b/,
  ],
  not_yet: [
    clause({ from: '(?:aun|todavia) no', to: given, not: elsewhere }),
    clause({ from: 'no', to: 'entregad[oa]s? (?:aun|todavia)', not: elsewhere }),
  ],
  undelivered: [clause({ from: negation, to: given, not: elsewhere })],
  handed_over: [
    /\bentregad[oa]s? (a|al|en|a la|en el|en la) (deposito|centro|hub|terminal|aerolinea|plataforma|delegacion|transportista)\b/,
  ],
  found: [/(?<!\bno (ha sido |fue )?)\b(encontrad|recuperad|hallad|localizad)[oa]\b/],
  unfinished: [
    clause({
      from: `${negation}|${modal}`,
      to: '(?:perdid|extraviad|destruid|finalizad|completad)[oa]s?',
      not: elsewhere,
    }),

    /\bno (\w+ ){0,3}?(recogid|retirad|liberad|despachad|disponible)\w*|\bpendiente de (liberacion|salida)\b[^.;]*/,
    /\b(una vez|cuando|si (el|la))\b[^.;]*/,
  ],
  forecast: [
    `${clause({ from: modal, to: given, not: elsewhere })}[^.;]*`,
    /\b(sera|seran|se entregara|va a ser|estara)\b[^.;]*|\bentrega (prevista|estimada|programada)\b[^.;]*/,
    /\bpendiente de entrega\b/,
  ],
  delivered: [/\bentregad[oa]s?\b(?! (a |al )?(transportista|mensajero))/],
  announced: [
    /\bprerregistrad[oa]\b|\bpre-?admision\b|\bregistrad[oa]\b|\betiqueta creada\b|\bpendiente de recepcion\b/,
    /\binformacion recibida\b/,
  ],
  picked_up: [/\badmitid[oa]\b|\brecogid[oa]\b|\badmision\b/],
  moving: [
    /\b(transito|clasificad[oa]|salida|llegada|llegad[oa]|en ruta|en camino|leid[oa]|lectura|alta en|recepcionad[oa]|oficina de cambio)\b/,
  ],
};

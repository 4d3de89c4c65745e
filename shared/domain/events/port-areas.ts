import { foldName } from '../fold-text.ts';
import type { Place } from './event.ts';

/**
 * Ports with all their UN/LOCODEs, the main one first, and their names: carriers use the codes of one port by turns, or
 * none. Sources: several codes of one port by the alternative codes of the port list (npm sea-ports 0.0.9: Dalian,
 * Djibouti, Ningbo, Qingdao, Shanghai, Tianjin Xingang, Xiamen, Yantai) and by the project's place names, whose codes are
 * those of UN/LOCODE and of the SMDG terminal list; names by the project's checked ports and place names. Ports that
 * ships and barges connect stay apart: Guangzhou and Nansha, Yantian and Shekou, Los Angeles and Long Beach.
 */
const rows = `
  AEAUH: abu dhabi; AEKHL: khalifa; AEDXB AEPRA: dubai; AEFJR: fujairah; AEJEA: jebel ali, mina jabal ali;
  AEKLF: khor fakkan, khor al fakkan, khorfakkan; AESHJ: sharjah; ALDRZ: durres; AOLAD: luanda; AOLOB: lobito;
  ARBUE: buenos aires, bsas; ARROS: rosario; ARUSH: ushuaia; ARZAE: zarate; ASPPG: pago pago; AUBEL: bell bay;
  AUBNE: brisbane; AUDRW: darwin; AUFRE: perth, fremantle; AUMEL: melbourne; AUPAE AUADL: adelaide, port adelaide;
  AUPKL: port kembla; AUSYD: sydney, port botany, botany; AUTSV: townsville; AWORJ: oranjestad; BBBGI: bridgetown;
  BDCGP: chittagong, chattogram; BDMGL: mongla; BEANR: antwerp, antwerpen, anvers, antwerpen brugge, antwerp bruges;
  BEGNE: ghent, gent, gand; BEZEE: zeebrugge, zeebruges; BGBOJ: burgas; BGVAR: varna; BHBAH: bahrain;
  BHKBS: khalifa bin salman; BJCOO: cotonou; BNMUA: muara; BRFOR: fortaleza; BRIBB: imbituba; BRIOA: itapoa;
  BRITJ: itajai; BRMAO: manaus; BRNVT: navegantes; BRPEC: pecem; BRPNG: paranagua; BRRIG: rio grande;
  BRRIO: rio de janeiro; BRSFS: sao francisco do sul; BRSPB BRIGI: itaguai, sepetiba; BRSSA: salvador; BRSSZ: santos;
  BRSUA: suape; BRVIX: vitoria; BRVLC: vila do conde, barcarena; BSFPO: freeport; BZBZE: belize city;
  CAHAL: halifax; CAMTR: montreal; CAPRR: prince rupert; CAQUE: quebec; CASJB: saint john;
  CASJF: saint john s, st john s; CAVAN: vancouver, deltaport; CDMAT: matadi; CGPNR: pointe noire; CIABJ: abidjan;
  CISPY: san pedro; CLANF: antofagasta; CLARI: arica; CLCNL: coronel; CLIQQ: iquique; CLLQN: lirquen;
  CLPAG: puerto angamos; CLPUQ: punta arenas; CLSAI: san antonio; CLSVE CLCAP: san vicente; CLVAP: valparaiso;
  CMDLA: douala; CMKBI: kribi; CNBHY: beihai; CNCAN CNGZG CNHUA: guangzhou, canton; CNNSA: nansha;
  CNCKG: chongqing, chungking; CNDDG: dandong; CNDLC CNDAL: dalian, dairen; CNFAN: fangcheng;
  CNFOC CNFZH CNMAW: fuzhou, foochow; CNHAK: haikou; CNHUI: huizhou; CNJNZ: jinzhou; CNJTG: jingtang; CNJZU: jiuzhou;
  CNKPN: kaiping; CNLIH: lianhuashan; CNLYG: lianyungang; CNNGB CNNBO CNNBG: ningbo, ningpo, beilun;
  CNNKG: nanjing, nanking; CNNTG: nantong; CNQZH: qinzhou; CNQZJ: quanzhou; CNRZH: rizhao;
  CNSHA CNSHG CNYAN CNSGH CNWGQ CNYSA: shanghai, waigaoqiao, yangshan;
  CNSHK CNCWN CNMWN CNDCB: shekou, chiwan, mawan, da chan bay; CNSWA CNSTG: shantou, swatow; CNTAG CNTAC: taicang;
  CNTAO CNQIN CNQDG CNQAW: qingdao, tsingtao; CNTAP: taiping; CNTGS: tangshan;
  CNTXG CNTSN CNXGG CNXGA CNTNJ: tianjin, tientsin, xingang, tianjin xingang; CNWEI: weihai; CNWNZ: wenzhou;
  CNWUH: wuhan; CNXMN CNXAM CNXMG: xiamen, amoy; CNYNT CNYTG: yantai; CNYPG: yangpu; CNYTN: yantian;
  CNZHA: zhanjiang; CNZJG: zhangjiagang; CNZOS: zhoushan; COBAQ: barranquilla; COBUN: buenaventura; COCTG: cartagena;
  COSMR: santa marta; CRCAL: caldera; CRLIO CRMOB: limon, puerto limon, moin; CUHAV: havana, la habana, habana;
  CUMAR: mariel; CWWIL: willemstad; CYLMS: limassol, lemesos; DEBRE: bremen, breme; DEBRV: bremerhaven;
  DEDUI: duisburg; DEHAM: hamburg, hambourg, amburgo; DERSK: rostock; DEWVN: wilhelmshaven; DJJIB DJPOD: djibouti;
  DKAAL: aalborg, alborg; DKAAR: aarhus, arhus; DKCPH: copenhagen, k benhavn, kobenhavn, kopenhagen;
  DKFRC: fredericia; DOCAU: caucedo; DOHAI: rio haina; DZAAE: annaba; DZALG: algiers, alger; DZBJA: bejaia;
  DZORN: oran; DZSKI: skikda; ECGYE: guayaquil; ECPBO: puerto bolivar; ECPSJ: posorja; EEMUG: muuga;
  EETLL: tallinn, reval; EGALY: alexandria, el iskandariya, al iskandariyah; EGEDK: el dekheila;
  EGDAM: damietta, dumyat; EGPSD EGPSW: port said, bur said; EGPSE: port said east; EGSGA: safaga;
  EGSOK EGAIS: sokhna, ain sukhna, ain sokhna; ESAGP: malaga; ESALC: alicante; ESALG: algeciras; ESBCN: barcelona;
  ESBIO: bilbao; ESCAD: cadiz; ESCAR: cartagena; ESGIJ: gijon; ESLCG: la coruna, a coruna, corunna;
  ESLPA: las palmas, las palmas de gran canaria; ESSCT ESTCI: tenerife, santa cruz de tenerife;
  ESSVQ: seville, sevilla; ESTAR: tarragona; ESVGO: vigo; ESVLC: valencia; FIHEL: helsinki, helsingfors, vuosaari;
  FIHMN: hamina; FIKOK: kokkola, karleby; FIKTK: kotka; FIOUL FIOLU: oulu, uleaborg; FIRAU: rauma; FITKU: turku;
  FITOR: tornio; FJLTK: lautoka; FJSUV: suva; FRDKK: dunkirk, dunkerque, dunkirchen; FRFOS: fos sur mer;
  FRLEH: le havre, havre; FRMRS: marseille, marseilles; FRMTX: montoir de bretagne; GALBV: libreville; GAOWE: owendo;
  GBBEL: belfast; GBBRS: bristol; GBFXT: felixstowe; GBGRG: grangemouth; GBGRK: greenock; GBHUL: hull;
  GBIMM: immingham; GBLGP: london gateway; GBLIV: liverpool; GBLON: london, londres; GBSOU: southampton;
  GBTEE: teesport; GBTIL: tilbury; GDSTG: st george s; GEPTI: poti; GFDDC: degrad des cannes; GHTEM: tema;
  GHTKD: takoradi; GMBJL: banjul; GNCKY: conakry; GPPTP: pointe a pitre; GRPIR: piraeus, pireas, piraus;
  GRSKG: thessaloniki, saloniki, salonica; GTPBR: puerto barrios; GTPRQ: puerto quetzal;
  GTSTC: santo tomas de castilla, puerto santo tomas; GUAPR: apra; GYGEO: georgetown;
  HKHKG: hong kong, hongkong, kwai chung; HNPCR: puerto cortes; HNTGU: tegucigalpa; HRPLE: ploce; HRRJK: rijeka;
  HTPAP: port au prince; IDBIT: bitung; IDBLW: belawan; IDBUR: batu ampar; IDDJJ: jayapura;
  IDJKT IDTPP: jakarta, tanjung priok, batavia; IDMAK IDUPG: makassar, ujung pandang; IDPLM: palembang;
  IDPNK: pontianak; IDSRG: semarang; IDSUB: surabaya, tanjung perak; IEDUB: dublin; IEORK: cork, ringaskiddy;
  IEWAT: waterford; ILASH: ashdod; ILHFA: haifa; INBOM: mumbai, bombay; INCCU: kolkata, calcutta;
  INCOK: kochi, cochin; INENR: ennore; INHAL: haldia; INHZA: hazira; INIXE: mangalore, mangaluru, new mangalore;
  INIXY: kandla; INKAT: kattupalli; INKRI: krishnapatnam; INMAA: chennai, madras; INMRM: mormugao; INMUN: mundra;
  INNSA: nhava sheva, jawaharlal nehru, jnpt, navi mumbai; INPAV INPPV: pipavav; INTUT: tuticorin, thoothukudi;
  INVTZ: visakhapatnam, vizag; IQUQR: umm qasr; IRBKM: bandar imam khomeini; IRBND: bandar abbas, shahid rajaee;
  ISREY: reykjavik; ITAOI: ancona; ITCAG: cagliari; ITCTA: catania; ITCVV: civitavecchia; ITGIT: gioia tauro;
  ITGOA: genoa, genova, genes, genua; ITLIV: livorno, leghorn; ITNAP: naples, napoli, neapel; ITPMO: palermo;
  ITRAN: ravenna; ITSAL: salerno; ITSPE: la spezia, spezia; ITSVN: savona; ITTRS: trieste, triest;
  ITVCE: venice, venezia, venedig, marghera; ITVDL: vado ligure; JMKIN: kingston; JOAQJ: aqaba, al aqabah;
  JPCHB: chiba; JPHIJ: hiroshima; JPHKT: hakata, fukuoka; JPISI: ishikari; JPKIJ: niigata; JPKNZ: kanazawa;
  JPKWS: kawasaki; JPMIZ: mizushima; JPMOJ: moji; JPNAH: naha; JPNGO: nagoya; JPOIT: oita; JPOSA: osaka;
  JPSBS: shibushi; JPSDJ JPSDS: sendai; JPSMZ: shimizu; JPTMK: tomakomai; JPTYO: tokyo, tokio; JPUKB: kobe;
  JPYKK: yokkaichi; JPYOK: yokohama; KEMBA: mombasa; KHKOS: sihanoukville, kampong saom, kompong som;
  KHPNH: phnom penh; KRINC KRICH: incheon, inchon; KRKAN: gwangyang, kwangyang; KRKPO: pohang; KRKUV: gunsan;
  KRPTK: pyeongtaek; KRPUS KRBNP: busan, pusan; KRUSN: ulsan; KWSAA: shuaiba; KWSWK: shuwaikh; KYGEC: george town;
  LBBEY: beirut, beyrouth; LCCAS: castries; LCVIF: vieux fort; LKCMB: colombo; LKHBA: hambantota; LRMLW: monrovia;
  LTKLJ: klaipeda; LVRIX: riga; LYBEN: benghazi; LYKHO: khoms; LYMRA: misrata; LYTIP: tripoli; MAAGA: agadir;
  MACAS: casablanca, dar el beida; MAPTM: tanger med, tangier med, tanger mediterranee; MATNG: tangier, tanger; MEBAR: bar;
  MGTMM MGTOA: toamasina, tamatave; MMRGN: yangon, rangoon; MOMFM: macau, macao; MQFDF: fort de france;
  MRNKC: nouakchott; MTMAR: marsaxlokk, malta freeport; MUPLU: port louis; MVMLE: male; MXATM: altamira;
  MXESE: ensenada; MXLZC: lazaro cardenas; MXMTY: monterrey; MXMZT: mazatlan; MXPGO: progreso; MXVER: veracruz;
  MXZLO: manzanillo; MYBKI: kota kinabalu; MYBTU: bintulu; MYKCH: kuching; MYKUA: kuantan;
  MYPEN: penang, pulau pinang; MYPGU: pasir gudang; MYPKG MYWSP: port klang, port kelang, pelabuhan klang, klang;
  MYTPP: tanjung pelepas; MZBEW: beira; MZMNC: nacala; MZMPM: maputo; NAWVB: walvis bay; NCNOU: noumea;
  NGLKK NGLEK: lekki; NGLOS NGAPP NGTIN: lagos, apapa, tin can island, tincan; NGONN: onne; NGPHC: port harcourt;
  NICIO: corinto; NLAMS: amsterdam; NLMOE: moerdijk; NLRTM: rotterdam, maasvlakte, europoort; NLVLI: vlissingen;
  NOBGO: bergen; NOKRS: kristiansand; NOLAR: larvik; NOMSS: moss; NOOSL: oslo; NZAKL: auckland; NZLYT: lyttelton;
  NZNPE: napier; NZNSN: nelson; NZPOE: port chalmers; NZTIU: timaru; NZTRG: tauranga; NZWLG: wellington;
  OMSLL: salalah; OMSOH: sohar; PABLB PAROD PAPSA: balboa, rodman;
  PAONX PAMIT PACTB PACSO PACFZ: colon, cristobal, coco solo; PECLL: lima, callao; PEPAI: paita; PFPPT: papeete;
  PGLAE: lae; PGPOM: port moresby; PHBTG: batangas; PHCEB: cebu; PHCGY: cagayan de oro; PHDVO: davao;
  PHGES: general santos; PHMNL PHMNN PHMNS: manila; PHSFS: subic bay; PKBQM: port qasim, muhammad bin qasim;
  PKKHI: karachi; PLGDN: gdansk, danzig; PLGDY: gdynia, gdingen; PLSZZ: szczecin, stettin; PRSJU: san juan;
  PTLEI PTOPO: porto, oporto, leixoes; PTLIS: lisbon, lisboa, lissabon, lisbonne; PTSET: setubal; PTSIE: sines;
  PYASU: asuncion; PYPIL: pilar; QAHMD QADOH: doha, hamad; RELPT: le port; REPDG: pointe des galets;
  ROCND: constanta, constantza; RSBEG: belgrade; RUKGD: kaliningrad;
  RULED: saint petersburg, st petersburg, sankt peterburg, petersburg; RUNVS: novorossiysk; RUULU: ust luga;
  RUVVO: vladivostok; RUVYP: vostochny; SADMM SADMN: dammam, ad dammam; SAGIZ: jazan;
  SAJED: jeddah, jedda, dschidda, djeddah; SAJUB: jubail; SAKAC: king abdullah port, king abdullah city, kaec;
  SAYNB: yanbu; SCPOV: port victoria; SDPZU: port sudan; SEGOT: gothenburg, goteborg, gotenburg, goetheborg;
  SEGVX: gavle; SEHEL: helsingborg; SEMMA: malmo, malmoe; SESTO: stockholm; SGSIN: singapore; SIKOP: koper;
  SKBTS: bratislava; SLFNA: freetown; SNDKR: dakar; SOBBO: berbera; SOMGQ: mogadishu; SRPBM: paramaribo;
  SVAQJ: acajutla; SYLTK: latakia; TGLFW: lome; THBKK THPAT: bangkok, krung thep; THLCH: laem chabang;
  THMAT: map ta phut; THPKN: paknam; THSGZ: songkhla; THTPT: thai prosperity terminal; TNBIZ: bizerte; TNJAR: zarzis;
  TNRDS: rades; TNSFA: sfax; TRALI: aliaga; TRAMB: ambarli; TREYP: evyap; TRGEB: gebze; TRGEM: gemlik;
  TRISK: iskenderun; TRIST: istanbul, constantinople; TRIZM: izmir, smyrna; TRIZT: izmit; TRKMX: kumport;
  TRMER: mersin; TRNEM: nemrut bay; TRTEK: tekirdag; TTPOS: port of spain; TTPTS: point lisas; TWHUN: hualien;
  TWKEL: keelung, chilung, jilong; TWKHH: kaohsiung, gaoxiong; TWMLI: mailiao; TWTXG: taichung, taizhong;
  TZDAR: dar es salaam, daressalam; UAILK: chornomorsk, illichivsk, ilyichevsk; UAODS: odesa, odessa; UGKLA: kampala;
  USANC: anchorage; USBAL: baltimore; USBHM: birmingham; USBOS: boston; USCBF: council bluffs; USCHS: charleston;
  USCPF: chippewa falls; USCRP: corpus christi; USDET: detroit; USDUT: dutch harbor; USGBO: greensboro;
  USGLS: galveston; USGPT: gulfport; USGSP: greer; USHNL: honolulu; USHOU: houston, bayport, barbours cut;
  USJAX: jacksonville; USJOT: joliet; USLAX: los angeles, san pedro; USLGB: long beach; USMIA: miami; USMOB: mobile;
  USMSY: new orleans, nola; USNTD: port hueneme;
  USNYC USEWR USPNJ: new york, new york city, new york new jersey, new york new jersey, nynj, port newark;
  USOAK: oakland; USORF: norfolk, hampton roads, port of virginia; USPCV: port canaveral; 
  USPEF USFLL: port everglades, fort lauderdale; USPHL: philadelphia, philly; USRNO: reno; USSAN: san diego;
  USSAT: san antonio; USSAV: savannah; USSEA: seattle; USSFO: san francisco; USSXT: santa teresa; USTIW: tacoma;
  USTPA: tampa; UYMVD: montevideo; VEGUB: guaranao; VELAG: la guaira; VEPBL: puerto cabello; VNCLN: cai lan;
  VNDAD: da nang; VNHPH: haiphong, hai phong; VNPHG: phuoc long;
  VNSGN VNCLI VNVIC: ho chi minh city, ho chi minh, saigon, hcmc, cat lai; VNUIH: quy nhon;
  VNVUT VNCMT VNTOT: cai mep, vung tau, phu my; YEADE: aden; YEHOD: hodeidah; ZACPT: cape town, kapstadt, kaapstad;
  ZADUR: durban; ZAELS: east london; ZAPLZ: gqeberha, port elizabeth; ZAZBA ZANGQ: coega, ngqura; ZARCB: richards bay`;

const areaOfCode = new Map<string, string>();
const areaOfName = new Map<string, string>();
const codesOfArea = new Map<string, readonly string[]>();
for (const row of rows.split(';')) {
  const [codes = '', names = ''] = row.trim().split(/:\s*/);
  const all = codes.split(' ');
  const [main = ''] = all;
  codesOfArea.set(main, all);
  for (const code of all) areaOfCode.set(code, main);
  for (const name of names.split(',')) areaOfName.set(`${main.slice(0, 2)} ${foldName(name)}`, main);
}

/** The main UN/LOCODE of the port with this code; the code itself where the port has no other. In upper case. */
export function mainPortCode(unlocode: string): string {
  const code = unlocode.toUpperCase();
  return areaOfCode.get(code) ?? code;
}

/** All UN/LOCODEs of the port with this one. */
export function portCodes(unlocode: string): readonly string[] {
  const code = unlocode.toUpperCase();
  return codesOfArea.get(mainPortCode(code)) ?? [code];
}

/** The main UN/LOCODE of a port that is only named, with its country. Null: no port is known by this name there. */
export function namedPortCode({ name, country }: Pick<Place, 'name' | 'country'>): string | null {
  if (name === null || country === null) return null;
  return areaOfName.get(`${country} ${foldName(name)}`) ?? null;
}

/** Number of ports in the table. */
export const portCount: number = codesOfArea.size;

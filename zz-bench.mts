import { composeJourney } from '#shared/domain/tracking/journey.ts';
import { trackingEvent } from './test/shared/domain/tracking/journey-events.ts';
const liner={ name: 'LINER', imo: '9811000', voyage: '012W', flight: null };
function voyage(n:number, extra=0){ const ev:any[]=[]; let id=0; const add=(s:any)=>ev.push(trackingEvent({...s,id:`0190a000-0000-7000-8000-${String(id++).padStart(12,'0')}`}));
 for(let c=0;c<n;c++){ const container='MSKU'+String(1000000+c); 
  add({code:'gate_out_empty',hour:0,port:'CNSHA',container,isoType:'45G1'}); add({code:'gate_in_full',hour:24,port:'CNSHA',container}); add({code:'loaded',hour:48,port:'CNSHA',container,vehicle:liner});
  add({code:'discharged',hour:500,port:'NLRTM',container}); add({code:'available_for_pickup',hour:510,port:'NLRTM',container}); add({code:'gate_out_full',hour:560,port:'NLRTM',container}); add({code:'gate_in_empty',hour:600,port:'NLRTM',container}); }
 add({code:'departed',hour:50,port:'CNSHA',vehicle:liner}); add({code:'arrived',hour:495,port:'NLRTM',vehicle:liner}); add({code:'arrived',hour:490,port:'NLRTM',vehicle:liner,classifier:'estimated'});
 for(let i=0;i<extra;i++) add({code:'other',hour:i,port:'CNSHA'});
 return ev; }
for (const [n,extra,runs] of [[1,0,3000],[4,0,1000],[300,0,4],[300,4000,2]]) { const ev=voyage(n,extra); const now=Date.parse('2026-05-20'); composeJourney({events:ev,transportMode:'ocean'},now); const t=performance.now(); for(let i=0;i<runs;i++) composeJourney({events:ev,transportMode:'ocean'},now); console.log(n,extra,((performance.now()-t)/runs).toFixed(3),'ms'); }
const j=composeJourney({events:voyage(1),transportMode:'ocean'},Date.parse('2026-05-20')); const {events,etaHistory,...rec}=j as any;
console.log('record bytes', JSON.stringify(rec).length, 'freeTime of container', JSON.stringify(rec.containers[0].freeTime ?? null).length, 'summary', JSON.stringify(rec.freeTime ?? null).length);
const {toJourneyText}=await import('#shared/contract/shipments/shipment-wire.ts'); const text=toJourneyText(j).text; console.log('wire text', text.length);
const {packText,dictionaryOf}=await import('#shared/store/packing/pack-text.ts'); console.log('packed', packText(text,dictionaryOf('record'),1).length);

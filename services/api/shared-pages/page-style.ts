export const lightBackground = '#ffffff';
export const darkBackground = '#101315';

/** The style of shared pages. The palette is the dashboard's. */
export const pageStyle = `
:root{color-scheme:light dark;--bg:${lightBackground};--sunk:#f7f8f9;--line:#e7e9ec;--line2:#d2d6db;--t1:#15181c;--t2:#4f565f;--t3:#636b75;--accent:#2456d3;--on-accent:#fff;--sea:#f4f6f8;--land:#dfe3e8;--red:#c02b2b}
@media(prefers-color-scheme:dark){:root{--bg:${darkBackground};--sunk:#0b0e10;--line:#20262a;--line2:#353d44;--t1:#e6e9eb;--t2:#a7b0b8;--t3:#838d96;--accent:#7ba3ff;--on-accent:#0b0e10;--sea:#0c1012;--land:#262d32;--red:#ff7d74}}
*{box-sizing:border-box;margin:0}
body{background:var(--bg);color:var(--t1);font:15px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
header,main,footer{width:min(680px,100% - 40px);margin:0 auto}
header{display:flex;align-items:center;gap:12px;min-height:64px;padding-top:12px;padding-bottom:12px}
header img{display:block;max-height:40px;max-width:200px;width:auto;height:auto}
@media(prefers-color-scheme:dark){header img{padding:4px 6px;background:#fff;border-radius:4px}}
header p{font-weight:600}
.bar{height:4px;background:var(--brand)}
a{color:var(--accent)}
h1{font-size:28px;line-height:1.25;letter-spacing:-.015em;margin-top:16px}
h2{font-size:16px;line-height:1.5;margin:32px 0 8px}
.way{color:var(--t2);font-size:17px;margin-top:4px}
.end{margin-top:20px;padding:16px;background:var(--sunk);border:1px solid var(--line);border-radius:6px}
.end dt{color:var(--t2)}
.end .when{font-size:22px;line-height:1.35;font-weight:600;letter-spacing:-.015em}
.end p{color:var(--t2)}
.stages{display:flex;gap:4px;margin-top:20px;padding:0;list-style:none}
.stages li{flex:1;height:6px;border-radius:3px;background:var(--line2)}
.stages .done{background:var(--brand)}
.map{position:relative;margin-top:20px;overflow:hidden;border:1px solid var(--line);border-radius:6px;background:var(--sea)}
.map svg{display:block;width:100%;height:auto}
.map b{position:absolute;max-width:46%;padding:0 4px;font-size:13px;line-height:1.4;background:var(--sea);border-radius:4px}
.land{fill:var(--land)}
.way-done,.way-ahead{fill:none;stroke:var(--accent);stroke-width:2;stroke-linecap:round;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.way-ahead{stroke-dasharray:1 5}
.port{fill:var(--accent);stroke:var(--sea);stroke-width:1.5}
.port-ahead{fill:var(--sea);stroke:var(--accent);stroke-width:1.5}
.ring{fill:var(--sea);stroke:var(--accent);stroke-width:2}
table{width:100%;border-collapse:collapse}
th,td{padding:8px 8px 8px 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{color:var(--t2);font-weight:400}
.events{padding:0;list-style:none}
.events li{position:relative;padding:0 0 18px 24px;border-inline-start:2px solid var(--brand);margin-inline-start:6px}
.events li::before{content:"";position:absolute;inset-inline-start:-7px;top:5px;width:12px;height:12px;border-radius:6px;background:var(--brand);border:2px solid var(--bg)}
.events .ahead{border-inline-start:2px dashed var(--line2);color:var(--t2)}
.events .ahead::before{background:var(--bg);border-color:var(--t3)}
.events li:last-child{border-color:transparent;padding-bottom:0}
.events b{font-weight:600}
.events span,.note{display:block;color:var(--t2)}
.note{margin-top:16px;font-size:14px}
footer{margin-top:40px;padding-top:16px;padding-bottom:40px;border-top:1px solid var(--line);color:var(--t2);font-size:14px}
footer p{margin-bottom:12px}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;list-style:none}
nav a{display:inline-block;padding:6px 0}
form{margin-top:20px}
label{display:block;margin-bottom:4px}
input{width:100%;max-width:360px;padding:10px 12px;font:inherit;color:var(--t1);background:var(--bg);border:1px solid var(--t3);border-radius:6px}
button{display:block;margin-top:16px;padding:10px 18px;font:inherit;font-weight:500;color:var(--on-accent);background:var(--accent);border:0;border-radius:6px;cursor:pointer}
.error{margin-top:16px;color:var(--red)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(max-width:480px){h1{font-size:24px}}
@media print{nav,.map b{display:none}}
`.replaceAll('\n', '');

/**
 * The style of the page, without external fonts, images or scripts. The colours have enough contrast in light
 * and dark.
 */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--card:#f7f8fa;--ink:#1b1f26;--dim:#586174;--line:#dde1e8;
--deny:#b3261e;--ask:#b46a00;--allow:#1a7f4b;--pass:#8b95a7;--plain:#3463b8}
@media (prefers-color-scheme:dark){:root{--paper:#14171c;--card:#1c2027;--ink:#e8ebf0;--dim:#a3adbd;--line:#323945;
--deny:#ff7b72;--ask:#e3a53a;--allow:#56c788;--pass:#7b8698;--plain:#7aa5f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer{max-width:58rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.1rem;margin:0 0 .75rem}
p{margin:.25rem 0}
.dim,footer,figcaption,caption{color:var(--dim)}
header .dim{overflow-wrap:anywhere}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem}
:focus-visible{outline:3px solid var(--plain);outline-offset:2px}
.totals{display:grid;grid-template-columns:repeat(auto-fill,minmax(7rem,1fr));gap:.75rem;margin:1.25rem 0;padding:0;list-style:none}
.totals li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem}
.totals b{display:block;font-size:1.3rem;line-height:1.3;white-space:nowrap;font-variant-numeric:tabular-nums}
.totals span{color:var(--dim);font-size:.85rem}
.totals .deny b{color:var(--deny)}.totals .ask b{color:var(--ask)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0 0 1rem;padding:0;list-style:none;font-size:.9rem}
a{color:var(--plain)}
section{border-top:1px solid var(--line);padding:1.5rem 0}
figure{margin:0;overflow-x:auto}
svg{display:block;width:100%;min-width:40rem;height:auto;font-size:13px}
svg text{fill:var(--ink)}svg .dim{fill:var(--dim)}
svg .grid{stroke:var(--line)}
svg .deny{fill:var(--deny)}svg .ask{fill:var(--ask)}svg .allow{fill:var(--allow)}svg .pass{fill:var(--pass)}svg .plain{fill:var(--plain)}
svg .ribbon{fill:var(--plain);opacity:.35}svg .ribbon:hover{opacity:.75}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 .5rem;padding:0;list-style:none;font-size:.85rem;color:var(--dim)}
.legend i{display:inline-block;width:.8em;height:.8em;border-radius:.15em;margin-right:.4em}
.legend .deny{background:var(--deny)}.legend .ask{background:var(--ask)}.legend .allow{background:var(--allow)}.legend .pass{background:var(--pass)}.legend .plain{background:var(--plain)}
details{margin-top:.75rem}
summary{cursor:pointer;color:var(--plain);font-size:.9rem}
.table{overflow-x:auto}
table{border-collapse:collapse;margin-top:.5rem;font-size:.875rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding-bottom:.25rem}
th,td{white-space:nowrap;padding:.25rem .9rem .25rem 0;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}
th[scope=row],th.text,td.text{text-align:left;white-space:normal;font-weight:400;overflow-wrap:anywhere}
thead th,thead th.text{color:var(--dim);font-weight:600}
main:focus{outline:0}.caveat{margin:0 0 1rem;border-left:.25rem solid var(--ask);padding-left:.75rem}
footer{padding-top:1rem;padding-bottom:2rem;font-size:.85rem;border-top:1px solid var(--line)}
@media print{nav,.skip{display:none}section{break-inside:avoid}}
`.replaceAll('\n', '')

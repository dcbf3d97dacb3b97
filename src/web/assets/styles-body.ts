/** Texts that people wrote, code, and how pages fit narrow screens and paper. */
export const BODY_STYLES = `
.body{overflow-wrap:anywhere}
.body>:first-child{margin-block-start:0}
.body>:last-child{margin-block-end:0}
.body p,.body ul,.body ol,.body pre,.body table,.body blockquote,.body details,.body dl{margin-block:0 16px}
.body a{text-decoration:underline;text-underline-offset:2px}
.body h1,.body h2,.body h3,.body h4,.body h5,.body h6{margin-block:24px 12px;line-height:1.3;font-weight:600}
.body h3{font-size:1.25rem;padding-block-end:6px;border-block-end:1px solid var(--soft)}
.body h4{font-size:1.0625rem}.body h5,.body h6{font-size:.9375rem}
.body ul{list-style:disc;padding-inline-start:24px}
.body ol{padding-inline-start:24px}
.body li+li{margin-block-start:4px}
.body li>p{margin-block:8px}
.body li>ul,.body li>ol{margin-block:4px 0}
.body li:has(>input,>p>input){list-style:none}
.body input[type=checkbox]{margin-inline:0 9px;vertical-align:-2px;width:15px;height:15px}
.body li>input:first-child,.body li>p>input:first-child{margin-inline-start:-24px}
.body blockquote{padding-inline-start:14px;margin-inline:0;border-inline-start:3px solid var(--line);color:var(--muted)}
.body blockquote>:last-child,.body .alert>:last-child{margin-block-end:0}
.body code{padding:2px 5px;border-radius:5px;background:var(--code)}
.body pre{padding:12px 16px;background:var(--subtle);border:1px solid var(--soft);border-radius:8px;overflow:auto;line-height:1.25rem}
.body pre code{padding:0;background:none;font-size:.78125rem}
.body pre.plain{white-space:pre-wrap}
.body img,.body video{max-width:100%;height:auto;border-radius:6px}
.body table{display:block;max-width:100%;overflow:auto;border-collapse:collapse;font-size:.875rem;overflow-wrap:break-word}
.body th,.body td{padding:5px 12px;border:1px solid var(--line)}
.body th:not([align]){text-align:start}
.body th{background:var(--subtle)}
.body hr{height:0;margin-block:24px;border:0;border-block-start:2px solid var(--soft)}
.body kbd,.data kbd{padding:1px 6px;border:1px solid var(--line);border-block-end-width:2px;border-radius:5px;background:var(--subtle);font-size:.75rem}
.body summary{cursor:pointer}
.body .alert{--sign:var(--link);padding:8px 16px;margin-block-end:16px;border-inline-start:3px solid var(--sign);color:inherit}
.body .alert-important{--sign:var(--done)}.body .alert-warning{--sign:var(--warn)}.body .alert-caution{--sign:var(--bad)}.body .alert-tip{--sign:var(--ok)}
.body .alert-title{margin-block-end:4px;color:var(--sign);font-weight:600}
.body .footnotes{font-size:.8125rem;color:var(--muted)}
.body .missing{color:var(--muted);text-decoration-style:dotted}
.body .outward::after{content:"\\2197\\FE0E";font-size:.75em;vertical-align:super;text-decoration:none}
.body .emoji{font-style:normal}
.hl-keyword,.hl-selector-tag,.hl-literal,.hl-meta,.hl-doctag{color:light-dark(#b3242f,#ff8b82)}
.hl-string,.hl-regexp,.hl-attr,.hl-attribute,.hl-symbol{color:light-dark(#0a4a8a,#a5d0ff)}
.hl-comment,.hl-quote{color:light-dark(#57616c,#98a3b0)}
.hl-title,.hl-name,.hl-built_in,.hl-type,.hl-section{color:light-dark(#6433b8,#d0a9ff)}
.hl-number,.hl-variable,.hl-params .hl-title,.hl-template-variable{color:light-dark(#0a5bb0,#79c0ff)}
.hl-addition{background:var(--add)}.hl-deletion{background:var(--del)}

@media(max-width:900px){
.columns,.columns.aside-first{grid-template-columns:minmax(0,1fr)}
.top .wide{flex-wrap:wrap;padding-block:8px;gap:8px 16px}
}
@media(max-width:640px){
body{font-size:1rem}
.wide{padding-inline:16px}
.top nav{margin-inline-start:0;flex-basis:100%}
.search{flex:1 1 140px}
.search kbd{display:none}
.search input{padding-inline-end:12px}
.tabs a{min-height:44px}
.thread-head h1{font-size:1.4375rem;line-height:1.875rem}
.item{padding-inline-start:0}
.item>.avatar{display:none}
.items::before{inset-inline-start:15px}
.dot{inset-inline-start:0}
.event{padding-inline-start:0}
.folded .items{margin-inline-start:0}
.note{padding-inline-start:0}
.diff .n:first-child{display:none}
.row-label{grid-template-columns:minmax(0,1fr)}
.files .change{display:none}
.files .name{width:auto}
.box>.in{padding:16px}
.row-commit{flex-wrap:wrap}
.rows .faces{display:none}
.menus{margin-inline-start:0;flex-wrap:wrap;gap:4px 16px}
.menus{position:relative}
.menu{position:static}
.menu ul{inset-inline:0;max-width:none}
}
@media(forced-colors:active){
.state,.dot,.avatar,.label,.counter{border:1px solid}
.tabs a{border-color:Canvas}
.tabs a[aria-current]{border-color:Highlight}
}
@media print{
:root,:root[data-theme]{color-scheme:light}
.top,.tabs,.sub-tabs,.pager,.menus,.skip,.foot a,.foot button,.buttons,.chips,.search-page{display:none}
main{min-height:0}
.state,.dot,.avatar,.label,.counter,.pill-note,.ref,.diff td,.card>header{print-color-adjust:exact}
.columns{display:block}
.card,.scroll,.event:not(.review,.folded){break-inside:avoid}
.review>p,.card>header,summary{break-after:avoid}
details>*{content-visibility:visible!important}
details::details-content{content-visibility:visible!important;height:auto!important}
.elsewhere [data-raw]{display:none}
.body a[href^=http]::after,.elsewhere a[href^=http]::after{content:" (" attr(href) ")";font-size:.6875rem;color:#57616c}
.scroll{overflow:visible;container-type:normal}
.diff td{white-space:pre-wrap}
}
`

/** Folders, files, histories and diffs. */
export const GIT_STYLES = `
.git-head{display:flex;flex-wrap:wrap;align-items:center;gap:8px 16px;margin-block-end:16px;font-size:.875rem}
.git-head .parts{font-size:1rem;overflow-wrap:anywhere}
.crumbs{display:flex;flex-wrap:wrap;align-items:center;gap:8px 12px;min-width:0}
.refs{display:flex;flex-wrap:wrap;align-items:center;gap:8px 16px}
.ref-name{display:inline-flex;align-items:center;gap:6px;max-width:100%;padding:3px 12px;border:1px solid var(--line);border-radius:8px;background:var(--subtle);color:var(--fg);font-size:.875rem;font-weight:500}
.ref-name .icon{color:var(--muted)}
.latest p:first-child{display:flex;flex-wrap:wrap;align-items:center;gap:2px 8px;min-width:0;flex:1 1 300px}
.latest .subject{color:var(--fg);overflow-wrap:anywhere}
.latest .meta{margin-inline-start:auto}
.latest .meta a{color:inherit}
.files{width:100%;border-collapse:collapse;font-size:.875rem;table-layout:fixed}
.files td{padding:7px 16px;border-block-start:1px solid var(--soft);vertical-align:top;overflow-wrap:anywhere}
.files tr:first-child td{border-block-start:0}
.files tr:hover td{background:var(--subtle)}
.files .icon{color:var(--muted);margin-inline-end:6px}
.files .folder .icon{color:light-dark(#3f7ec4,#6b9fd8)}
.files .name{width:32%}
.files .name a{color:var(--fg)}
.files .name a:hover{color:var(--link)}
.files .change a{color:var(--muted);display:-webkit-box;-webkit-line-clamp:1;-webkit-box-orient:vertical;overflow:hidden}
.files .date{width:7.25rem;text-align:end;color:var(--muted);white-space:nowrap}
.note-line{padding:10px 16px;color:var(--muted);font-size:.875rem}
.readme{margin-block-start:24px}
.readme .box-head h2{font-size:.875rem;line-height:1.5rem;font-weight:600}
.readme .box-head h2 a{color:var(--fg)}
.box>.in{padding:24px 32px}
.facts{border-radius:0}
.facts .buttons a,.git-head .buttons a{padding:1px 10px}
.picture{padding:24px;text-align:center;background:var(--inset);border-end-start-radius:7px;border-end-end-radius:7px}
.picture img,.picture video{max-width:100%;height:auto}
.versions{display:flex;flex-wrap:wrap;justify-content:center;gap:24px}
.versions figure{margin:0;max-width:100%}
.versions figcaption{margin-block-start:8px;color:var(--muted);font-size:.8125rem}
.code{border-collapse:collapse;width:100%;font:.78125rem/1.5rem var(--mono);tab-size:4}
.code th{width:1%;min-width:52px;padding:0 12px 0 16px;font-weight:400;text-align:end;vertical-align:top;user-select:none}
.code th a{color:var(--muted);display:block}
.code td{padding:0 12px;white-space:pre}
.code tr:target td,.code tr.lit td{background:var(--note)}
.code tr:target th,.code tr.lit th{background:var(--note);box-shadow:inset 3px 0 var(--accent)}
.day{margin-block-end:20px}
.day h2,.day h3{margin-block-end:8px;font-size:.875rem;line-height:1.375rem;font-weight:500;color:var(--muted)}
.row-commit{display:flex;gap:8px 16px;padding:10px 16px;border-block-end:1px solid var(--soft)}
.row-commit>div{flex:1;min-width:0;overflow-wrap:anywhere}
.row-commit h3 .icon{color:var(--muted);margin-inline-end:4px}
.row-commit .meta a{color:inherit}
.oid{flex:none;font-size:.875rem}
.commit-head{padding:16px;margin-block-end:20px}
.commit-head h1{font-size:1.25rem;line-height:1.75rem;font-weight:600;overflow-wrap:anywhere}
.commit-head pre{margin:12px 0 0;white-space:pre-wrap;overflow-wrap:anywhere;font:.8125rem/1.25rem var(--mono)}
.commit-head .meta{margin-block-start:12px}
.commit-facts{display:flex;overflow-wrap:anywhere;flex-wrap:wrap;gap:4px 24px;padding-block-start:12px;margin-block-start:12px;border-block-start:1px solid var(--soft);font-size:.8125rem;color:var(--muted)}
.lang-0{fill:#0b63a5}.lang-1{fill:#e8743b}.lang-2{fill:#1f8a5c}.lang-3{fill:#8957e5}.lang-4{fill:#c23a6b}.lang-5{fill:#a88400}.lang-6{fill:#8b949e}
.langs{display:flex;flex-wrap:wrap;gap:2px 16px;margin-block-start:8px;font-size:.8125rem}
.dot-lang{margin-inline-end:4px}
.row-commit h2{display:inline;font-size:1rem;line-height:1.5rem;font-weight:600}
.row-commit h2 .icon{color:var(--muted);margin-inline-end:4px}
.rules{margin-block-start:28px}
.rules h2{font-size:1rem;line-height:1.5rem;margin-block-end:12px}
.wiki-foot{margin-block-start:32px;background:var(--subtle);font-size:.875rem}
.change-bar{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;margin-block-end:16px;font-size:.875rem}
.change-bar h2{font-size:1rem;line-height:1.5rem;font-weight:600}
.plus{color:var(--ok)}.minus{color:var(--bad)}
.touched{margin-block-end:20px;font-size:.875rem}
.touched>summary{padding:8px 16px;cursor:pointer}
.touched li{display:flex;align-items:center;gap:4px 12px;padding:4px 16px;border-block-start:1px solid var(--soft);overflow-wrap:anywhere}
.touched li a{min-width:0;flex:1}
.file-diff{margin-block-end:20px;border:1px solid var(--line);border-radius:8px}
.file-diff>summary{display:flex;align-items:center;flex-wrap:wrap;gap:4px 10px;padding:7px 16px;background:var(--subtle);border-radius:7px;cursor:pointer;list-style:none;font-size:.875rem}
.file-diff[open]>summary{border-end-start-radius:0;border-end-end-radius:0;border-block-end:1px solid var(--line)}
.file-diff>summary::before{content:"";border:4.5px solid transparent;border-inline-start-color:currentColor;border-inline-end:0;color:var(--muted);margin-inline-end:2px}
.file-diff[open]>summary::before{transform:rotate(90deg)}
.file-diff>summary h3{font-size:.8125rem;line-height:1.375rem;font-weight:400;min-width:0}
.file-diff>summary code{overflow-wrap:anywhere}
.file-diff .counts{margin-inline-start:auto}
.diff tr:target td{background:var(--note)}
.diff .talk-row>td{padding:12px;white-space:normal;background:var(--subtle);font:.9375rem/1.5rem var(--sans)}
.diff .talk-row .card,.diff .talk-row .reply{position:sticky;inset-inline-start:12px;width:min(820px,calc(100cqi - 24px))}
.sub-tabs{display:flex;gap:24px;overflow-x:auto;scrollbar-width:thin;white-space:nowrap;margin-block-start:16px;font-size:.875rem}
.sub-tabs a{display:inline-flex;align-items:center;gap:8px;padding:4px 0;color:var(--muted)}
.sub-tabs a[aria-current]{color:var(--fg);font-weight:600}
`
/** Questions, charts and boards. */
export const DATA_STYLES = `
.charts{padding:12px 16px;margin-block-end:20px;font-size:.8125rem;overflow:hidden}
.charts rect{fill:light-dark(#0a5bb0,#6bb0ff)}
.series{margin-block-end:12px}
.series svg{display:block;border-block-end:1px solid var(--line)}
.span{display:flex;justify-content:space-between}
.bars li{display:grid;grid-template-columns:minmax(80px,32%) minmax(0,1fr) auto;gap:12px;align-items:center;padding:2px 0}
.bars .name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.bars .value{min-width:40px;text-align:end;font-variant-numeric:tabular-nums}
.change-bar .buttons{display:inline-flex}
.asked{display:flex;flex-wrap:wrap;align-items:end;gap:12px 16px;padding:14px 16px;margin-block-end:20px;border:1px solid var(--line);border-radius:8px;background:var(--subtle);font-size:.875rem}
.asked label{display:grid;gap:4px;flex:1 1 240px;min-width:0}
.asked input,.sql textarea{width:100%;padding:6px 12px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:var(--fg);font:.875rem/1.25rem var(--sans)}
.sql{display:grid;gap:10px;justify-items:start;margin-block-end:20px}
.sql textarea{font:.8125rem/1.25rem var(--mono);resize:vertical}
.asked button,.sql button,.act{height:34px;padding:0 18px;border:1px solid var(--line);border-radius:8px;background:var(--subtle);color:var(--fg);font:500 .875rem var(--sans);cursor:pointer}
.act{margin-block-start:16px}
.statement{margin-block-start:24px;font-size:.875rem}
.statement summary,.finding summary{padding:8px 16px;cursor:pointer;overflow-wrap:anywhere}
.finding{border-block-end:1px solid var(--soft);font-size:.875rem}
.finding:last-child{border-block-end:0}
.finding ul{padding:0 16px 12px 40px;list-style:disc;overflow-wrap:anywhere}
.tables{max-height:70vh;overflow:auto}
.outdated-threads{display:grid;gap:16px;margin-block-start:28px}
.timeline>h2.about{margin-block-end:12px}
.pulses{columns:2 420px;column-gap:20px}
.pulses>*{break-inside:avoid;margin-block-end:20px}
.pulse h2{padding:10px 16px;font-size:.9375rem;line-height:1.375rem;font-weight:600;border-block-end:1px solid var(--soft)}
.pulse .charts{margin-block-end:0}
.home-chart{margin-block-start:20px}
.board{display:flex;gap:16px;overflow-x:auto;align-items:flex-start}
.board section{flex:0 0 280px;padding:12px;background:var(--subtle)}
.board h2{margin-block-end:10px;font-size:.9375rem;font-weight:600}
.board li{margin-block-end:10px}
`

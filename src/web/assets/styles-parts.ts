/** Threads, lists and pages that are tables. */
export const PART_STYLES = `
.columns{display:grid;grid-template-columns:minmax(0,1fr) 264px;gap:32px}
.columns.aside-first{grid-template-columns:264px minmax(0,1fr)}
.columns>aside section{padding-block:0 16px;margin-block-end:14px;border-block-end:1px solid var(--soft)}
.columns>aside{font-size:.875rem;line-height:1.375rem}
.columns>aside h2{margin-block-end:8px;font-size:.78125rem;line-height:1.25rem;font-weight:600;color:var(--muted)}
.columns>aside p+p{margin-block-start:6px}
.columns .row{display:flex;align-items:center;gap:8px}
.verdict{margin-inline-start:auto;color:var(--muted)}
.verdict.open{color:var(--ok)}.verdict.bad{color:var(--bad)}
.verdict-sign{flex:none;padding-block-start:1px}
.verdict-sign.open{color:var(--ok)}.verdict-sign.bad{color:var(--bad)}
.main-column .sub-tabs{margin-block:0 20px;padding-block-end:8px;border-block-end:1px solid var(--line)}
.labels{display:inline-flex;flex-wrap:wrap;gap:4px 6px;vertical-align:middle;max-width:100%}
.faces{display:flex;flex-wrap:wrap;gap:6px}
.linked .icon{vertical-align:-3px}
.elsewhere a,.plain a{color:var(--muted);display:inline-block;padding:2px 0}
.plain .icon{color:var(--muted);margin-inline-end:4px}
.profile h1{margin-block:12px 8px;font-size:1.25rem;line-height:1.625rem;font-weight:600}
.profile .login{display:block;color:var(--muted);font-size:1rem;font-weight:400}
.profile p{margin-block:8px}
.profile .avatar.large{width:72px;height:72px;font-size:1.5625rem}

.thread-head{padding-block-end:20px;margin-block-end:24px;border-block-end:1px solid var(--line)}
.thread-head h1{font-size:1.75rem;line-height:2.25rem;font-weight:500;overflow-wrap:anywhere}
.number{color:var(--muted);font-weight:300}
.thread-head .line{margin-block-start:12px;color:var(--muted);font-size:.875rem;display:flex;flex-wrap:wrap;align-items:center;gap:6px 12px}
.thread-head .said{overflow-wrap:anywhere}
.thread-head .person{white-space:nowrap}
.thread-head .bar{max-width:420px;margin-block-start:12px}

.items{list-style:none;position:relative}
.items::before{content:"";position:absolute;inset-block:8px 24px;inset-inline-start:71px;border-inline-start:2px solid var(--soft)}
.item,.event{position:relative;margin-block-end:18px;padding-inline-start:56px}
.item>.avatar{position:absolute;inset-inline-start:0;inset-block-start:0}
.card{position:relative;background:var(--bg);border:1px solid var(--line);border-radius:8px;min-width:0}
.card>header{display:flex;align-items:center;flex-wrap:wrap;gap:2px 8px;padding:7px 16px;background:var(--subtle);border-block-end:1px solid var(--line);border-start-start-radius:7px;border-start-end-radius:7px;font-size:.875rem}
.card>header .pill-line:first-of-type{margin-inline-start:auto}
.card h2.line,.card h3.line,.card h4.line{font-size:.875rem;line-height:1.375rem;font-weight:400;color:var(--muted)}
.card .in{padding:14px 16px}
.by-opener{border-color:var(--own-line)}
.by-opener>header{background:var(--own);border-color:var(--own-line)}
.at{color:inherit}
.event{min-height:32px;font-size:.875rem;color:var(--muted)}
.event>p{padding-block:4px;padding-inline-start:44px;overflow-wrap:anywhere}
.folded summary{display:inline-block;margin-inline-start:44px;padding:4px 0;color:var(--link);cursor:pointer}
.folded .items{margin:12px 0 0 -56px}
.folded .items::before{display:none}
.folded .event:last-child{margin-block-end:0}
.event>p .avatar{margin-inline-end:2px}
.event b{color:var(--fg)}
.dot{position:absolute;inset-inline-start:56px;inset-block-start:0;display:flex;align-items:center;justify-content:center;width:32px;height:32px;border-radius:50%;background:var(--count);border:2px solid var(--bg);color:var(--muted)}
.dot.merged{background:var(--merged);color:#fff}.dot.closed{background:var(--merged);color:#fff}.dot.open{background:var(--open);color:#fff}.dot.bad{background:var(--closed);color:#fff}
.review>.card{margin-block-start:12px;color:var(--fg);font-size:.9375rem}
:target>.card,.reply:target,.event:target>.dot,details.thread:target{outline:2px solid var(--link);outline-offset:1px}
.note{padding-inline-start:56px;font-size:.875rem}
.reactions{display:flex;flex-wrap:wrap;gap:6px;margin-block-start:12px}
.reactions li{padding:0 9px;border:1px solid var(--line);border-radius:99px;font-size:.8125rem;line-height:1.5rem}
.attachments{margin-block-start:12px;font-size:.875rem}

.thread>summary{display:flex;align-items:center;flex-wrap:wrap;gap:4px 8px;padding:7px 16px;background:var(--subtle);border-radius:7px;cursor:pointer;list-style:none}
.thread>summary::before,.more>summary::before{content:"";border:4.5px solid transparent;border-inline-start-color:currentColor;border-inline-end:0;color:var(--muted);margin-inline-end:2px}
.thread[open]>summary::before,.more[open]>summary::before{transform:rotate(90deg)}
.thread[open]>summary{border-end-start-radius:0;border-end-end-radius:0;border-block-end:1px solid var(--line)}
.thread summary code{color:var(--fg);overflow-wrap:anywhere}
.more>summary{display:flex;align-items:center;gap:8px;padding:2px 16px;background:var(--hunk);font-size:.78125rem;cursor:pointer;list-style:none}
.comments{border-block-start:1px solid var(--line)}
.reply{display:flex;gap:12px;padding:12px 16px;border-radius:6px}
.reply+.reply{border-block-start:1px solid var(--soft)}
.reply>div{min-width:0;flex:1}
.resolved{padding:8px 16px;border-block-start:1px solid var(--soft);font-size:.8125rem}
.suggestion{margin-block:8px;border:1px solid var(--line);border-radius:8px;overflow:hidden}
.suggestion>p{padding:4px 14px;background:var(--subtle);border-block-end:1px solid var(--line);font-size:.8125rem;color:var(--muted)}
.scroll{overflow-x:auto;container-type:inline-size}
.scroll:focus-visible{outline-offset:-2px}
.diff{border-collapse:collapse;width:100%;font:.78125rem/1.25rem var(--mono);tab-size:4}
.diff td{padding:0 8px;vertical-align:top;white-space:pre}
.diff .n{width:1%;min-width:44px;text-align:end;color:var(--muted);user-select:none;border-inline-end:1px solid var(--soft)}
.diff .s{width:1%;padding-inline:8px 0;user-select:none}
.diff .t{padding-inline-start:12px}
.diff .add td{background:var(--add)}.diff .add .n{background:var(--add-n)}
.diff .del td{background:var(--del)}.diff .del .n{background:var(--del-n)}
.diff .hunk td{background:var(--hunk);color:var(--muted)}
.diff .marked td:first-child{box-shadow:inset 3px 0 var(--accent)}

.bar-above{display:flex;flex-wrap:wrap;align-items:center;gap:8px 16px;margin-block-end:16px}
.bar-above h1{font-size:1.375rem;line-height:2rem;font-weight:500}
.bar-above h2{font-size:1rem;line-height:1.5rem;font-weight:600}
.bar-above>a,.buttons{margin-inline-start:auto;font-size:.875rem}
.main-column section+section{margin-block-start:28px}
.main-column section>h2{font-size:1rem;line-height:1.5rem;margin-block-end:12px}
.buttons{display:flex;flex-wrap:wrap;gap:8px}
.buttons a,.chips a{display:inline-flex;align-items:center;gap:6px;padding:3px 12px;border:1px solid var(--line);border-radius:8px;color:var(--fg);background:var(--subtle)}
.chips ul{display:flex;flex-wrap:wrap;gap:6px;margin-block-end:16px;font-size:.875rem}
.chips a[aria-current]{background:var(--ref);border-color:var(--own-line);font-weight:600}
.box{border:1px solid var(--line);border-radius:8px}
.box-head{display:flex;flex-wrap:wrap;align-items:center;gap:8px 20px;padding:10px 16px;background:var(--subtle);border-block-end:1px solid var(--line);border-start-start-radius:7px;border-start-end-radius:7px;font-size:.875rem}
.states{display:flex;gap:20px}
.states a{color:var(--muted);display:inline-block;padding:2px 0}
.states a[aria-current]{color:var(--fg);font-weight:600}
.menus{display:flex;gap:16px;margin-inline-start:auto}
.menu{position:relative}
.menu summary{display:flex;align-items:center;gap:6px;cursor:pointer;color:var(--muted);padding:2px 0;list-style:none}
.menu summary::after{content:"";border:4px solid transparent;border-block-start-color:currentColor;border-block-end:0}
.menu summary:hover{color:var(--fg)}
.menu ul{position:absolute;inset-inline-end:0;z-index:5;min-width:200px;max-width:320px;max-height:360px;overflow:auto;margin-block-start:6px;padding:6px;background:var(--bg);border:1px solid var(--line);border-radius:8px;box-shadow:0 8px 24px #0003}
.menu li a{display:block;overflow-wrap:anywhere;padding:4px 10px;border-radius:5px;color:var(--fg)}
.menu li a:hover{background:var(--inset);text-decoration:none}
.menu li a[aria-current]{font-weight:600}
.row-thread{display:flex;gap:10px;padding:10px 16px;border-block-end:1px solid var(--soft)}
.row-thread>.icon,.row-thread>span:first-child{flex:none;padding-block-start:1px}
.row-thread>.icon{margin-block-start:4px;color:var(--muted)}
.row-thread>div{flex:1;min-width:0}
.rows{list-style:none}
.rows>li:last-child{border-block-end:0}
.rows h2,.rows h3,.rows h4{display:inline;font-size:1rem;line-height:1.5rem;font-weight:600}
.rows h2 a,.rows h3 a,.rows h4 a{color:var(--fg)}
.rows h2 a:hover,.rows h3 a:hover,.rows h4 a:hover{color:var(--link)}
.rows .meta a:not(.person){text-decoration:underline;text-underline-offset:2px}
.rows .person{font-weight:500;color:inherit}
.rows .faces{flex:none;align-items:start;flex-wrap:nowrap}
.talk{flex:none;min-width:44px;text-align:end;color:var(--muted);font-size:.8125rem}
.about{color:var(--muted);font-size:.875rem;line-height:1.3125rem;overflow-wrap:anywhere}
.row-label{display:grid;grid-template-columns:minmax(120px,260px) minmax(0,1fr) auto;align-items:center;gap:6px 20px;padding:10px 16px;border-block-end:1px solid var(--soft);font-size:.875rem}
.figures{display:flex;flex-wrap:wrap;gap:6px 24px;margin-block-end:20px;color:var(--muted);font-size:.875rem}
.figures b{color:var(--fg)}
.people{display:grid;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));gap:16px}
.people li{display:flex;gap:12px;min-width:0}
.people div{min-width:0}
.pager{margin-block:20px}
.pager ul{display:flex;flex-wrap:wrap;justify-content:center;align-items:center;gap:4px;font-size:.875rem}
.pager a,.pager span{display:block;min-width:32px;padding:4px 10px;border-radius:8px;text-align:center}
.pager span,.pager .gap{color:var(--muted)}
.pager a:hover{background:var(--inset);text-decoration:none}
.pager a[aria-current]{background:var(--link);color:var(--bg)}
.blank{padding:40px 24px;text-align:center;color:var(--muted)}
.blank h2{font-size:1.125rem;font-weight:500;color:var(--fg)}
.release{margin-block-end:20px}
.release header h2{font-size:1.25rem;line-height:1.75rem;font-weight:500}
.release header .meta{flex-basis:100%}
.data{border-collapse:collapse;font-size:.875rem;width:100%}
.data th,.data td{padding:6px 12px;border-block-end:1px solid var(--soft);text-align:start;vertical-align:top;overflow-wrap:anywhere}
.data th{background:var(--subtle);font-weight:600;white-space:nowrap}
.data td:first-child{overflow-wrap:break-word}
.data .some{min-width:8rem}
.data .much{min-width:16rem}
.data .num{width:1%;text-align:end;white-space:nowrap}
.record{padding:14px 16px;margin:0;font:.78125rem/1.25rem var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}
.record a{text-decoration:underline}
.found{padding:14px 16px;border-block-end:1px solid var(--soft)}
.found mark,.body mark{background:light-dark(#fff3b0,#574500);color:inherit;border-radius:3px;padding:0 2px}
.found{overflow-wrap:anywhere}
.found p{font-size:.875rem;line-height:1.3125rem;overflow-wrap:anywhere}
.words{max-width:720px}
.words h1{margin-block-end:12px}
.words h2{margin-block:24px 8px;font-size:1.125rem;font-weight:600}
.words p{margin-block-end:12px}
h2.about{margin-block:20px 8px;font-weight:500}
main>.about{margin-block-end:16px}
.chips+h2{margin-block-start:20px}
h2+.chips{margin-block-start:8px}
.blank .about{max-width:640px;margin:12px auto 0;color:inherit}
.find{margin-block-end:24px}
.find .about{margin-block-end:8px}
.find .act{margin-block-start:12px}
.search-page{display:flex;gap:8px;margin-block-end:20px}
.search-page input{flex:1;min-width:0;height:38px;padding:0 12px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:var(--fg);font:.9375rem var(--sans)}
.search-page button{padding:0 18px;border:1px solid var(--line);border-radius:8px;background:var(--subtle);color:var(--fg);font:500 .875rem var(--sans);cursor:pointer}
`

/** Tokens, and what stands on every page. */
export const BASE_STYLES = `
:root{color-scheme:light dark;
--bg:light-dark(#fff,#0f141a);--subtle:light-dark(#f6f8fa,#161c24);--inset:light-dark(#eef1f4,#0a0e13);
--fg:light-dark(#1b2129,#e4e9f0);--muted:light-dark(#57616c,#98a3b0);
--line:light-dark(#d3d9e0,#2d3641);--soft:light-dark(#e5e9ee,#222a34);
--link:light-dark(#0a5bb0,#6bb0ff);--accent:#e8743b;
--open:light-dark(#1a7f37,#238636);--merged:light-dark(#7a45d6,#8957e5);--closed:light-dark(#cf222e,#da3633);--draft:light-dark(#57616c,#5b6571);
--ok:light-dark(#1a7f37,#4cc261);--bad:light-dark(#c4202b,#ff7b72);--warn:light-dark(#8a5a00,#e3b341);--done:light-dark(#7a45d6,#b794f6);
--add:light-dark(#e4f8ea,#12261e);--add-n:light-dark(#c9f0d4,#1a3a29);--del:light-dark(#ffecea,#2a1619);--del-n:light-dark(#ffd9d5,#43191d);
--hunk:light-dark(#e3f0fd,#12233a);--ref:light-dark(#e2effc,#132a45);
--own:light-dark(#eaf4fe,#13202f);--own-line:light-dark(#a9cdf2,#274b74);
--note:light-dark(#fff8e1,#2a2415);--code:light-dark(#eceff3,#232c37);--count:light-dark(#dfe4ea,#2d3641);
--sans:-apple-system,BlinkMacSystemFont,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif,"Apple Color Emoji","Segoe UI Emoji","Noto Color Emoji";
--mono:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*,::before,::after{box-sizing:border-box}
html{scroll-padding-top:16px;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--fg);font:.9375rem/1.5rem var(--sans)}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
main:focus{outline:none}
h1,h2,h3,h4,p,ul,ol{margin:0}
ul,ol{padding:0}
ul{list-style:none}
h1{font-size:1.375rem;line-height:2rem;font-weight:500}
h2{font-size:1rem;line-height:1.5rem;font-weight:600}
h3,h4{font-size:.9375rem;line-height:1.5rem;font-weight:600}
.wide{max-width:1228px;margin-inline:auto;padding-inline:24px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;inset-block-start:-60px;inset-inline-start:16px;z-index:9;padding:8px 16px;background:var(--bg);border:1px solid var(--line);border-radius:8px}
.skip:focus{inset-block-start:8px}
.icon{fill:currentColor;vertical-align:-3px;flex:none}
.joined,time{white-space:nowrap}
.muted,.meta{color:var(--muted)}
.meta{font-size:.8125rem;line-height:1.25rem}
.meta code{overflow-wrap:anywhere}
code,kbd,pre,samp,tt{font-family:var(--mono);font-size:.8125rem}
h1 code{font-size:inherit}
bdi{unicode-bidi:isolate;overflow-wrap:anywhere}
.hidden-char{padding:0 3px;border:1px solid var(--line);border-radius:4px;font:.6875rem var(--mono);color:var(--muted)}

.top{background:var(--subtle);border-block-end:1px solid var(--line)}
.top .wide{display:flex;align-items:center;gap:16px;min-height:56px}
.brand{display:flex;align-items:center;gap:8px;color:var(--fg);font-size:.9375rem;min-width:0}
.brand .icon{width:20px;height:20px}
.search{margin-inline-start:auto;position:relative;display:flex;align-items:center;flex:0 1 320px;min-width:0}
.search button{position:absolute;inset-inline-start:4px;display:flex;padding:6px;border:0;border-radius:6px;background:none;color:var(--muted);cursor:pointer}
.search button:hover{color:var(--fg)}
.search input{width:100%;height:34px;padding:0 36px 0 34px;border:1px solid var(--line);border-radius:8px;background:var(--bg);color:var(--fg);font:.875rem var(--sans)}
.search input::placeholder{color:var(--muted);opacity:1}
.search kbd{position:absolute;inset-inline-end:8px;padding:0 6px;border:1px solid var(--line);border-radius:5px;font-size:.6875rem;line-height:1.125rem;color:var(--muted)}
.top nav{margin-inline-start:auto}
.top .search+nav{margin-inline-start:0}
.top nav ul{display:flex;gap:16px;font-size:.875rem}
.top nav a{color:var(--fg);display:block;padding:4px 0}

.head{background:var(--subtle);border-block-end:1px solid var(--line)}
.where{display:flex;align-items:center;gap:8px;padding-block:18px 8px;font-size:1.25rem;line-height:1.75rem;flex-wrap:wrap}
.where .icon{color:var(--muted)}
.where .name{font-weight:600}
.where span{color:var(--muted)}
.tabs{overflow-x:auto;scrollbar-width:thin}
.tabs ul{display:flex;gap:4px}
.tabs a{display:flex;align-items:center;gap:8px;padding:10px 12px;color:var(--fg);font-size:.875rem;white-space:nowrap;border-block-end:2px solid transparent;text-decoration:none}
.tabs a .icon{color:var(--muted)}
.tabs a:hover{background:var(--inset);border-start-start-radius:8px;border-start-end-radius:8px}
.tabs a[aria-current]{border-color:var(--accent);font-weight:600}
.tabs a:focus-visible{outline-offset:-3px}
.counter{display:inline-block;min-width:20px;padding:0 6px;border-radius:99px;background:var(--count);font-size:.75rem;line-height:1.125rem;font-weight:500;text-align:center}

main{padding-block:24px 40px;min-height:50vh}
.foot{border-block-start:0;padding-block:0 40px;color:var(--muted);font-size:.8125rem;line-height:1.25rem}
.foot button{padding:0;border:0;background:none;color:var(--link);font:inherit;min-height:24px;cursor:pointer}
.foot ul{display:flex;flex-wrap:wrap;align-items:center;gap:4px 24px;padding-block-start:20px;border-block-start:1px solid var(--line)}

.avatar{display:inline-flex;align-items:center;justify-content:center;flex:none;border-radius:50%;color:#fff;font-weight:600;letter-spacing:.02em;user-select:none;vertical-align:middle}
.avatar.large{width:40px;height:40px;font-size:14px}
.avatar.medium{width:28px;height:28px;font-size:10.5px}
.avatar.small{width:20px;height:20px;font-size:8.5px}
.ghost{background:#5b6571}
.hue-0{background:#a5480f}.hue-1{background:#1f6f5c}.hue-2{background:#5b3fa8}.hue-3{background:#0b63a5}
.hue-4{background:#9b2a4d}.hue-5{background:#4d6b12}.hue-6{background:#7a4b00}.hue-7{background:#00696b}
.hue-8{background:#8a3391}.hue-9{background:#3a55b4}.hue-10{background:#a1322a}.hue-11{background:#8a5a00}
.person{color:var(--fg);font-weight:600}

.label{--c:#8b949e;display:inline-block;max-width:100%;padding:0 10px;border:1px solid light-dark(color-mix(in srgb,oklch(from var(--c) min(l,.8) c h) 60%,#fff),color-mix(in srgb,oklch(from var(--c) max(l,.5) c h) 50%,var(--bg)));border-radius:99px;background:light-dark(color-mix(in srgb,var(--c) 14%,#fff),color-mix(in srgb,var(--c) 22%,var(--bg)));color:light-dark(oklch(from var(--c) .4 min(c,.13) h),oklch(from var(--c) .84 min(c,.1) h));font-size:.78125rem;line-height:1.375rem;font-weight:600;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;vertical-align:middle}
a.label:hover{text-decoration:none;filter:brightness(.97)}
.topic{display:inline-block;padding:0 10px;border-radius:99px;background:var(--ref);color:var(--link);font-size:.78125rem;line-height:1.375rem}
.pill-line,.pill-note,.pill-latest{display:inline-block;padding:0 8px;border:1px solid var(--line);border-radius:99px;color:var(--muted);font-size:.78125rem;line-height:1.25rem;font-weight:500;white-space:nowrap}
.pill-note{border-color:light-dark(#e2c06a,#6b5a24);background:var(--note);color:var(--warn)}
.pill-latest{border-color:currentColor;color:var(--ok)}
.ref{padding:1px 6px;border-radius:5px;background:var(--ref);color:var(--link);font-size:.78125rem;overflow-wrap:anywhere}
.state{display:inline-flex;align-items:center;gap:6px;padding:3px 14px;border-radius:99px;color:#fff;font-size:.9375rem;font-weight:500;line-height:1.625rem}
.state.open{background:var(--open)}.state.merged{background:var(--merged)}.state.closed{background:var(--closed)}.state.draft{background:var(--draft)}
.tone-open{color:var(--ok)}.tone-merged{color:var(--done)}.tone-closed{color:var(--bad)}.tone-draft{color:var(--muted)}
.bar{display:block;margin-block-start:6px;border-radius:99px}
.bar .rest{fill:var(--count)}.bar .done{fill:var(--open)}
`

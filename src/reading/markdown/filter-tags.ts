/** Elements that people write into bodies. */
export const ALLOWED = (
  'a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol ' +
  'p pre q rp rt ruby s samp span strike strong sub summary sup table tbody td tfoot th thead tr tt ul var'
).split(' ')

const KEPT = new Set(ALLOWED)

/** Other elements of HTML: their tags are dropped, and what is between them is shown. */
const DROPPED = new Set(
  (
    'address area article aside audio base bdi bdo big body button caption center cite col colgroup data dfn dialog fieldset ' +
    'font footer form head header hgroup html label legend link main map meta meter nav nobr output picture progress search ' +
    'section small source time track u video wbr'
  ).split(' '),
)

const COMMENT = /<!--(?:>|->|[\s\S]*?--!?>)/y
const NAME = /<\/?([a-z][a-z0-9-]*)(?=[ \t\n\f\r/>])/iy
// A word without a value is an attribute of HTML, or a word of the text: `a <b and c> d`.
const ATTRIBUTE =
  /[ \t\n\f\r/]*(?:(?:allowfullscreen|autoplay|checked|compact|controls|default|disabled|hidden|loop|multiple|muted|noshade|nowrap|open|playsinline|readonly|required|reversed|selected)(?=[ \t\n\f\r/>])|[a-z_:][\w:.-]*[ \t\n\f\r]*=[ \t\n\f\r]*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))/iy
const END = /[ \t\n\f\r/]*>/y

/**
 * Raw HTML of which only whole tags of allowed elements are left. Tags of a few others are dropped, and so are comments. Any
 * other `<` becomes text, such as that of `<script>`, `List<String>` or a tag without an end: nothing swallows the text after it.
 */
export function filterTags(raw: string): string {
  const markupAt = markupIn(raw)
  let filtered = ''
  let end = 0
  for (let at = raw.indexOf('<'); at !== -1; at = raw.indexOf('<', end)) {
    filtered += raw.slice(end, at)
    const markup = markupAt(at)
    if (markup === undefined) filtered += '&lt;'
    else if (markup.isKept) filtered += markup.text
    end = at + (markup?.text ?? '<').length
  }
  return filtered + raw.slice(end)
}

/** A whole tag of an element that people write into bodies, or a whole comment. */
export interface Markup {
  readonly text: string
  /** Whether pages keep it. */
  readonly isKept: boolean
}

/** Finds the markup at positions of a text. */
export function markupIn(raw: string): (at: number) => Markup | undefined {
  const lastComment = Math.max(raw.lastIndexOf('-->'), raw.lastIndexOf('--!>'))
  return (at) => {
    const comment = at < lastComment ? matchAt(COMMENT, raw, at) : undefined
    return comment === undefined ? tagAt(raw, at) : { text: comment, isKept: false }
  }
}

/** A whole tag of an element that is kept or dropped. */
function tagAt(raw: string, start: number): Markup | undefined {
  const begin = matchAt(NAME, raw, start)
  const name = begin?.replace(/^<\/?/, '').toLowerCase() ?? ''
  const isKept = KEPT.has(name)
  if (begin === undefined || (!isKept && !DROPPED.has(name))) return undefined
  let end = start + begin.length
  for (;;) {
    const attribute = matchAt(ATTRIBUTE, raw, end)
    if (attribute === undefined) break
    end += attribute.length
  }
  const close = matchAt(END, raw, end)
  return close === undefined ? undefined : { text: raw.slice(start, end + close.length), isKept }
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0]
}

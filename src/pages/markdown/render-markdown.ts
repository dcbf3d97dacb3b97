import { createHash, randomBytes } from 'node:crypto'
import { cpuUsage } from 'node:process'
import MarkdownIt from 'markdown-it'
import { createLruCache } from '../../base/lru-cache.ts'
import { Html, html } from '../html.ts'
import { addRenderers, type RenderEnv } from './add-renderers.ts'
import { type MarkdownContext, NOWHERE } from './markdown-context.ts'
import { addAlerts } from './rules/alerts.ts'
import { replaceEmoji } from './rules/emoji.ts'
import { addFootnotes } from './rules/footnotes.ts'
import { addMath } from './rules/math.ts'
import { linkReferences } from './rules/references.ts'
import { strikeTexts } from './rules/strikethrough.ts'
import { addTasks } from './rules/tasks.ts'
import { linkWww } from './rules/www-links.ts'
import { NESTED, sanitize } from './sanitize.ts'

/** GitHub allows 65,536 characters. A much longer text is shown as it is, as far as this. */
const LONGEST = 262_144

/** Microseconds of a processor that a text may take. One that took longer is shown as it is the next time. */
const SLOWEST = 200_000

/** The prefix of our own classes until the end: a body cannot guess it, so it cannot have them. */
const MARK = `m${randomBytes(12).toString('hex')}-`

const parser = new MarkdownIt({ html: true, breaks: true, linkify: true, maxNesting: NESTED })
addAlerts(parser)
addTasks(parser)
addMath(parser)
strikeTexts(parser)
linkWww(parser)
replaceEmoji(parser)
addFootnotes(parser)
linkReferences(parser)
addRenderers(parser)

const slow = createLruCache<string, true>(1000)

/**
 * The text of an issue, comment or file as safe HTML: no script, style, class or form of the text survives, and nothing in it
 * makes a browser ask another machine. A text that is very long, is nested very deeply, or took very long
 * before, stays plain.
 */
export function renderMarkdown(text: string, context: MarkdownContext = NOWHERE): Html {
  if (text.length > LONGEST) return plainText(text)
  const key = text.length > 1000 ? createHash('sha256').update(text).digest('base64') : undefined
  if (key !== undefined && !context.isPatient && slow.get(key)) return plainText(text)
  const start = cpuUsage()
  const env: RenderEnv = { context, mark: MARK, slugs: new Map(), linkDepth: 0, hasHtml: false }
  const tokens = parser.parse(text.replaceAll('\r\n', '\n'), env)
  const made = parser.renderer.render(tokens, parser.options, env)
  const safe = env.hasHtml ? sanitize(made, MARK, context) : made
  // The parser loses text that is nested more deeply.
  if (safe === undefined || tokens.some(({ level }) => level >= NESTED - 2)) return plainText(text)
  if (key !== undefined && cpuUsage(start).user > SLOWEST) slow.set(key, true)
  return Html.trust(safe.replaceAll(` class="${MARK}own"`, '').replaceAll(MARK, ''))
}

function plainText(text: string): Html {
  const rest = text.length - LONGEST
  return html`<pre class="plain">${text.slice(0, LONGEST)}</pre>${rest <= 0 ? '' : html`<p class="note-line">The text goes on for ${NUMBERS.format(rest)} characters. <code>marc cat</code> prints all of it.</p>`}`
}

const NUMBERS = new Intl.NumberFormat('en-US')

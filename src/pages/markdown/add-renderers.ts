import type { MarkdownIt, Token } from 'markdown-it'
import { escapeHtml } from '../../http/escape-html.ts'
import { filterTags } from '../../reading/markdown/filter-tags.ts'
import { highlight, isKnown } from '../highlight.ts'
import { outwardHref } from '../html.ts'
import { idsOf, type MarkdownContext } from './markdown-context.ts'
import { linkAttributes, pictureParts, startTag, targetAttributes } from './render-links.ts'
import type { Note } from './rules/footnotes.ts'
import { showHidden } from './sanitize.ts'

/** The settings and notes of rendering one text. */
export type RenderEnv = {
  context: MarkdownContext
  /** The prefix of our own classes. */
  mark: string
  /** Anchors of headings, and how often each occurred. */
  slugs: Map<string, number>
  /** Links around what is being rendered. */
  linkDepth: number
  /** It has HTML of the text, which must be sanitized. */
  hasHtml: boolean
}

/** Languages of code that is not highlighted either, but of which no reader wonders. */
const PLAIN = new Set([
  'text',
  'txt',
  'plain',
  'plaintext',
  'none',
  'log',
  'output',
  'console',
  'shell',
])

const envOf = (env: unknown): RenderEnv => env as RenderEnv

/** Languages of diagrams, which are shown as text and not highlighted. */
const DRAWINGS = new Set(['mermaid', 'math', 'geojson', 'topojson', 'stl'])

/** Replaces the renderers of elements whose attributes come from the text. */
export function addRenderers(parser: MarkdownIt): void {
  const rules = parser.renderer.rules
  rules.text = (tokens, i, _, env) =>
    showHidden(escapeHtml(tokens[i]?.content ?? ''), envOf(env).mark)
  rules.html_block = (tokens, i, _, env) => {
    envOf(env).hasHtml = true
    return filterTags(tokens[i]?.content ?? '')
  }
  rules.html_inline = rules.html_block
  rules.link_open = (tokens, i, _, env) => openLink(tokens, i, envOf(env))
  rules.link_close = (_, __, ___, env) => {
    envOf(env).linkDepth--
    return '</a>'
  }
  // As on the host; markdown-it writes an s.
  rules.s_open = () => '<del>'
  rules.s_close = () => '</del>'
  rules.math = (tokens, i) => `<code title="TeX">${escapeHtml(tokens[i]?.content ?? '')}</code>`
  rules.image = (tokens, i, options, env) => {
    const token = tokens[i] as Token
    const alt = parser.renderer.renderInlineAsText(token.children ?? [], options, env)
    return renderPicture(token, alt, envOf(env))
  }
  rules.reference = (tokens, i, _, env) => renderReference(tokens[i] as Token, envOf(env))
  rules.fence = (tokens, i, _, env) => renderCode(tokens[i] as Token, envOf(env))
  rules.code_block = (tokens, i, _, env) => renderCode(tokens[i] as Token, envOf(env))
  rules.heading_open = (tokens, i, _, env) => openHeading(tokens, i, envOf(env))
  rules.heading_close = (tokens, i, _, env) => `</${headingTag(tokens[i] as Token, envOf(env))}>\n`
  rules.task_box = (tokens, i, _, env) => renderTask(tokens[i]?.meta?.isDone === true, envOf(env))
  rules.blockquote_open = (tokens, i, _, env) => {
    const alert = tokens[i]?.meta?.alert
    const { mark } = envOf(env)
    if (!alert) return '<blockquote>\n'
    return `<blockquote class="${mark}alert ${mark}alert-${alert}">\n`
  }
  rules.alert_title = (tokens, i, _, env) =>
    `<p class="${envOf(env).mark}alert-title">${escapeHtml(tokens[i]?.content ?? '')}</p>\n`
  rules.footnote_use = (tokens, i, _, env) => {
    const number = Number(tokens[i]?.meta?.number)
    const { mark, context } = envOf(env)
    const ids = escapeHtml(idsOf(context))
    return `<sup><a class="${mark}own" href="#${ids}note-${number}" id="${ids}use-${number}" aria-label="Footnote ${number}">${number}</a></sup>`
  }
  rules.footnote_list = (tokens, i, _, env) => {
    const notes = tokens[i]?.meta?.notes as Note[]
    const { mark, context } = envOf(env)
    const ids = escapeHtml(idsOf(context))
    const items = notes.map(({ html, isUsed }, n) => {
      const back = ` <a class="${mark}own" href="#${ids}use-${n + 1}" aria-label="Back to the text">↩\ufe0e</a>`
      return `<li id="${ids}note-${n + 1}"><p>${html}${isUsed ? back : ''}</p></li>\n`
    })
    return `<hr>\n<ol class="${mark}footnotes">\n${items.join('')}</ol>\n`
  }
  // Columns are aligned by an attribute: the policy of the pages forbids styles.
  for (const cell of ['th_open', 'td_open'] as const) {
    rules[cell] = (tokens, i) => {
      const token = tokens[i] as Token
      const align = /text-align:(left|center|right)/.exec(attributeOf(token, 'style'))?.[1]
      return align ? `<${token.tag} align="${align}">` : `<${token.tag}>`
    }
  }
}

const attributeOf = (token: Token, name: string): string => String(token.attrGet(name) ?? '')

function openLink(tokens: Token[], i: number, env: RenderEnv): string {
  const { context, mark } = env
  const token = tokens[i] as Token
  const url = attributeOf(token, 'href')
  const target = context.link(url)
  const next = tokens[i + 1]
  // The text of a bare address is replaced by a short name of its target.
  if (target?.label !== undefined && token.info === 'auto' && next?.type === 'text') {
    next.content = target.label
  }
  env.linkDepth++
  const title = attributeOf(token, 'title')
  return startTag('a', {
    class: `${mark}own`,
    ...(title && { title }),
    ...linkAttributes(url, mark, context),
  })
}

function renderPicture(token: Token, alt: string, env: RenderEnv): string {
  const { context, mark, linkDepth } = env
  const src = attributeOf(token, 'src')
  const { picture, text } = pictureParts(src, alt, context)
  const title = attributeOf(token, 'title')
  if (picture) {
    return startTag('img', {
      class: `${mark}own`,
      src: picture.src,
      alt,
      loading: 'lazy',
      ...(title && { title }),
      ...(picture.width && { width: String(picture.width) }),
      ...(picture.height && { height: String(picture.height) }),
    })
  }
  const isLink = linkDepth === 0 && outwardHref(src) !== undefined
  if (!isLink) return escapeHtml(text)
  const { isMissing = false } = context.link(src) ?? {}
  const attributes = targetAttributes({ href: src, isOutside: true, isMissing }, mark)
  return `${startTag('a', attributes)}${escapeHtml(text)}</a>`
}

function renderReference({ content, meta }: Token, { mark }: RenderEnv): string {
  const { path, isCode, isPerson } = meta as { path: string; isCode: boolean; isPerson: boolean }
  const text = isCode ? `<code>${escapeHtml(content)}</code>` : escapeHtml(content)
  const kind = isPerson ? 'mention' : 'reference'
  return `${startTag('a', { class: `${mark}${kind}`, href: path })}${text}</a>`
}

function renderCode({ info, content }: Token, { mark }: RenderEnv): string {
  const words = info.trim()
  const language = /^[\w+#.-]+/.exec(words)?.[0]?.toLowerCase()
  const isDrawing = language !== undefined && DRAWINGS.has(language)
  const code = String(highlight(content, isDrawing ? undefined : language)).replace(
    /class="([^"]*)"/g,
    (_, classes: string) =>
      `class="${classes
        .split(' ')
        .map((name) => mark + name)
        .join(' ')}"`,
  )
  // Words that are no language may be the first line of the code.
  const isLanguage = language === words.toLowerCase() && (isKnown(language) || PLAIN.has(language))
  const label =
    words === '' || isLanguage ? '' : `<p class="${mark}code-label">${escapeHtml(words)}</p>\n`
  return `${label}<pre class="${mark}code"><code>${code}</code></pre>\n`
}

const headingTag = ({ tag }: Token, { context }: RenderEnv): string =>
  `h${Math.min(6, Number(tag.slice(1)) + (context.level ?? 2))}`

function openHeading(tokens: Token[], i: number, env: RenderEnv): string {
  const token = tokens[i] as Token
  const slug = (tokens[i + 1]?.content ?? '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  const count = env.slugs.get(slug) ?? 0
  env.slugs.set(slug, count + 1)
  const id = `${idsOf(env.context)}${slug}${count === 0 ? '' : `-${count}`}`
  return startTag(headingTag(token, env), { class: `${env.mark}own`, id })
}

const renderTask = (isDone: boolean, { mark }: RenderEnv): string =>
  `<input class="${mark}task" type="checkbox" disabled=""${isDone ? ' checked=""' : ''} aria-label="${
    isDone ? 'completed task' : 'open task'
  }">`

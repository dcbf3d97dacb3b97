import { escapeHtml } from '../http/escape-html.ts'

/** HTML that may be sent: made by `html` from escaped values, or by the few functions that call `trustHtml`. */
export class Html {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }

  /** Only the end of the Markdown renderer, the highlighter and the icons call this; a test counts them. */
  static trust(text: string): Html {
    return new Html(text)
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

/**
 * HTML from a template. Every value is escaped unless it is `Html`; null, undefined and false are nothing, and arrays are
 * joined. Attributes must be quoted in the template.
 *
 * @example
 * html`<a href="${href(url)}">${title}</a>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] as string
  for (let i = 0; i < values.length; i++) text += print(values[i]) + (parts[i + 1] as string)
  return Html.trust(text)
}

function print(value: HtmlValue): string {
  if (value instanceof Html) return value.toString()
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? value.map(print).join('') : ''
}

/** Joins parts with HTML between them. */
export const joinHtml = (parts: readonly HtmlValue[], between: Html): Html =>
  html`${parts.flatMap((part, i) => (i === 0 ? [part] : [between, part]))}`

/** Characters that change how text around them reads, or that hide in it. */
const INVISIBLE =
  /(?![\t\n\r])\p{Cc}|[\u061c\u200b\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u2069\u206a-\u206f\ufeff\ufff9-\ufffb]/gu

/** A quick test: a text without any of these characters has no invisible one. */
const PERHAPS_INVISIBLE = /[^\t\n\r -~\u00a0-\u05ff]/

/** Text of an archive. Invisible characters are shown as their code, such as `U+202E`. */
export function shown(text: string): Html {
  if (!PERHAPS_INVISIBLE.test(text) || text.search(INVISIBLE) < 0) return html`${text}`
  const parts: HtmlValue[] = []
  let end = 0
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    parts.push(text.slice(end, index), html`<span class="hidden-char">${codeOf(character)}</span>`)
    end = index + character.length
  }
  return html`${parts}${text.slice(end)}`
}

/** The same as plain text. */
export const shownText = (text: string): string => text.replace(INVISIBLE, codeOf)

export const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Characters of a text in a line. Longer names have no page of their own. */
export const LONGEST_NAME = 4_096

/** The same, isolated from the direction of the text around it, and not endless. */
export const isolated = (text: string): Html => html`<bdi>${shown(cut(text, LONGEST_NAME))}</bdi>`

/** The beginning of a text that is longer than that. */
export const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text

/**
 * An address that a link may have: `http`, `https` or `mailto`. Undefined for any other scheme, for relative addresses, and
 * for what is no address.
 */
export function outwardHref(url: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(url.trim())) return undefined
  try {
    return new URL(url.trim()).href
  } catch {
    return undefined
  }
}

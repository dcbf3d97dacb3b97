import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import { escapeHtml } from '../../http/escape-html.ts'
import { ALLOWED } from '../../reading/markdown/filter-tags.ts'
import { codeOf, outwardHref } from '../html.ts'
import { idsOf, type MarkdownContext } from './markdown-context.ts'
import { linkAttributes, pictureParts } from './render-links.ts'

const require = createRequire(import.meta.url)

/** The sanitizer, loaded when a body has HTML: it brings a parser of styles, 50 modules that a start would wait for. */
let loaded: typeof sanitizeHtml | undefined

/** Elements within each other. */
export const NESTED = 100

/**
 * Sanitizes HTML that has raw HTML of a body in it; undefined if it is nested too deeply. Classes stay only if they begin with
 * `mark`, which nobody outside can guess: so a body cannot imitate parts of the page.
 */
export function sanitize(text: string, mark: string, context: MarkdownContext): string | undefined {
  let depth = 0
  let deepest = 0
  let links = 0
  const shift = context.level ?? 2
  const heading = (name: string) => {
    const lower = `h${Math.min(6, Number(name.slice(1)) + shift)}`
    return (tagName: string, attribs: sanitizeHtml.Attributes) => ({
      tagName: isOurs(attribs, mark) ? tagName : lower,
      attribs,
    })
  }
  loaded ??= require('sanitize-html') as typeof sanitizeHtml
  const safe = loaded(text, {
    allowedTags: ALLOWED,
    nonTextTags: [],
    allowedAttributes: {
      '*': ['align', 'dir', 'lang', 'title', 'id', 'name', 'class', 'aria-label'],
      a: ['href', 'rel'],
      img: ['src', 'alt', 'width', 'height', 'loading'],
      details: ['open'],
      ol: ['start'],
      li: ['value'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan', 'scope'],
      input: ['type', 'checked', 'disabled'],
    },
    allowedClasses: { '*': [`${mark}*`] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    onOpenTag(name) {
      deepest = Math.max(deepest, ++depth)
      if (name === 'a') links++
    },
    onCloseTag(name) {
      depth--
      if (name === 'a') links--
    },
    parser: { lowerCaseTags: true, decodeEntities: true },
    transformTags: {
      h1: heading('h1'),
      h2: heading('h2'),
      h3: heading('h3'),
      h4: heading('h4'),
      h5: heading('h5'),
      h6: heading('h6'),
      // Our own links and pictures are marked; those of the body are not.
      a: (tagName, attribs) => ({
        tagName,
        attribs: isOurs(attribs, mark) ? attribs : userLink(attribs, mark, context),
      }),
      img: (tagName, attribs) =>
        isOurs(attribs, mark)
          ? { tagName, attribs }
          : userPicture(attribs, mark, context, links > 0),
      input: (_, attribs): sanitizeHtml.Tag =>
        attribs.type === 'checkbox'
          ? { tagName: 'input', attribs: checkbox(attribs) }
          : { tagName: 'span', attribs: {} },
      '*': (tagName, attribs) => ({ tagName, attribs: withOwnNames(attribs, context) }),
    },
    textFilter: (escaped) => showHidden(escaped, mark),
  })
  return deepest > NESTED ? undefined : safe
}

const HIDDEN = /[\u061c\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Escaped text in which characters that do not show are visible. */
export const showHidden = (escaped: string, mark: string): string =>
  escaped.replace(
    HIDDEN,
    (character) => `<span class="${mark}hidden-char">${codeOf(character)}</span>`,
  )

const isOurs = ({ class: classes }: sanitizeHtml.Attributes, mark: string): boolean =>
  classes?.startsWith(mark) === true

/** Names of a body get a prefix: they must not hide those of the page. */
function withOwnNames(
  attribs: sanitizeHtml.Attributes,
  context: MarkdownContext,
): sanitizeHtml.Attributes {
  const { id, name, ...rest } = attribs
  return {
    ...rest,
    ...(id !== undefined && { id: ownName(id, context) }),
    ...(name !== undefined && { name: ownName(name, context) }),
  }
}

/** A name of the text with its prefix; the text may have a part of it already, as the host shows it. */
function ownName(name: string, context: MarkdownContext): string {
  const prefix = idsOf(context)
  return name.startsWith(prefix) ? name : prefix + name.replace(/^user-content-/, '')
}

function userLink(
  { href, title, id, name }: sanitizeHtml.Attributes,
  mark: string,
  context: MarkdownContext,
): sanitizeHtml.Attributes {
  const own = { ...(title && { title }), ...(id && { id }), ...(name && { name }) }
  if (href === undefined) return own
  return { ...own, ...linkAttributes(href, mark, context) }
}

function userPicture(
  attribs: sanitizeHtml.Attributes,
  mark: string,
  context: MarkdownContext,
  isInLink: boolean,
): sanitizeHtml.Tag {
  const { src = '', alt = '', title, width, height } = attribs
  const { picture, text } = pictureParts(src, alt, context)
  if (picture) {
    return {
      tagName: 'img',
      attribs: {
        src: picture.src,
        alt,
        loading: 'lazy',
        ...(title && { title }),
        ...sizes({ width: width ?? picture.width, height: height ?? picture.height }),
      },
    }
  }
  if (isInLink || outwardHref(src) === undefined)
    return { tagName: 'span', attribs: {}, text: escapeHtml(text) }
  return { tagName: 'a', attribs: linkAttributes(src, mark, context), text }
}

/** Numbers of pixels, or a percentage. */
function sizes(attributes: Record<string, string | number | undefined>): sanitizeHtml.Attributes {
  const entries = Object.entries(attributes).map(([name, value]) => [name, String(value ?? '')])
  return Object.fromEntries(entries.filter(([, value]) => /^\d{1,4}%?$/.test(value as string)))
}

const checkbox = ({ checked, 'aria-label': label }: sanitizeHtml.Attributes) => ({
  type: 'checkbox',
  disabled: '',
  ...(checked !== undefined && { checked: '' }),
  'aria-label': label ?? (checked === undefined ? 'open task' : 'completed task'),
})

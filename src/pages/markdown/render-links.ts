import { escapeHtml } from '../../http/escape-html.ts'
import { outwardHref } from '../html.ts'
import { idsOf, type MarkdownContext, type Picture, type Target } from './markdown-context.ts'

/** The fragment of an item of a thread, as on the host. */
const ITEM = /^#(?:issuecomment-|discussioncomment-|event-|pullrequestreview-|discussion_r|r)\d+$/

/** The attributes of a link to an address that a body names; none if it leads nowhere. */
export function linkAttributes(
  url: string,
  mark: string,
  context: MarkdownContext,
): Record<string, string> {
  // An item of the page, or a place in the same text.
  if (ITEM.test(url)) return { href: url }
  if (/^#[^#]+$/.test(url)) return { href: `#${idsOf(context)}${url.slice(1)}` }
  const target = context.link(url)
  return target ? targetAttributes(target, mark) : {}
}

export function targetAttributes(target: Target, mark: string): Record<string, string> {
  const { href, isOutside = false, isMissing = false } = target
  if (!isOutside) return { href }
  const outward = outwardHref(href)
  if (outward === undefined) return {}
  return {
    href: outward,
    rel: 'noreferrer nofollow ugc',
    class: `${mark}${isMissing ? 'missing' : 'outward'}`,
    title: isMissing
      ? 'This is not in the archive. The link leads to where it was.'
      : 'This link leaves the archive.',
  }
}

/** A start tag of ours; values are escaped. */
export const startTag = (name: string, attributes: Record<string, string>): string =>
  `<${name}${Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`)
    .join('')}>`

/** A picture of the archive, or the alternative text of a missing one: no picture is loaded from another host. */
export function pictureParts(
  src: string,
  alt: string,
  context: MarkdownContext,
): { picture: Picture | undefined; text: string } {
  const picture = context.picture(src)
  return { picture, text: picture ? alt : describePicture(src, alt, context) }
}

const BADGES =
  /^(?:img\.shields\.io|badge\.fury\.io|badges\.|codecov\.io|travis-ci\.|ci\.appveyor\.com)/
/** Other hosts take the type from the file. */
const BADGE = /\/badges?(?:[/.?]|$)/i

function describePicture(src: string, alt: string, context: MarkdownContext): string {
  const isMissing = context.link(src)?.isMissing === true
  const host = isMissing ? undefined : hostOf(src)
  if (host !== undefined && (BADGES.test(host) || BADGE.test(src))) return alt || 'badge'
  const name = alt === '' ? 'picture' : `picture: ${alt}`
  return host === undefined ? `${name} (not in the archive)` : `${name} (${host})`
}

function hostOf(url: string): string | undefined {
  try {
    const { host } = new URL(url)
    return host === '' ? undefined : host
  } catch {
    return undefined
  }
}
